/** Forms whose file is taken in while it arrives, so that it takes no memory. */
import { pipeline } from "node:stream/promises";
import busboy from "busboy";
import { invalidFields } from "../errors";
import { userPlaces } from "./file-response.server";

/** Each keeps the process and the database busy. */
export const takeUpload = userPlaces(
  2,
  "uploads",
  "You have 2 uploads running. Wait until one has ended, and try again.",
);

/** Bytes of a field that is no file. */
const maxFieldBytes = 2_000;
/** Bytes of the fields and the headers of parts, with the chunk in which the file begins. */
const maxOtherBytes = 200_000;

type PostedFile = { name: string; bytes: AsyncIterable<Uint8Array> };

/**
 * Reads a posted form to its end. Fields that follow the file are not known yet when it is taken in. The parser of Remix
 * fails on names of files with a semicolon or an equals sign.
 * @param take is called once, with the fields before the file; without a file, `result` is undefined
 * @throws DomainError invalid: the form is cut, or there is more beside the file than a form has
 */
export async function readFileForm<Result>(
  request: Request,
  fileField: string,
  take: (file: PostedFile, field: (name: string) => string) => Promise<Result>,
): Promise<{ field: (name: string) => string; result: Result | undefined }> {
  const fields = new Map<string, string>();
  const field = (name: string) => fields.get(name) ?? "";
  const contentType = request.headers.get("Content-Type") ?? "";
  if (!request.body || !/^multipart\/form-data\s*;/i.test(contentType))
    return { field, result: undefined };
  let taking: Promise<Result> | undefined;
  let isInFile = false;
  let bodyError: unknown;
  async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let otherBytes = 0;
    try {
      for await (const chunk of body) {
        if (!isInFile) otherBytes += chunk.length;
        if (otherBytes > maxOtherBytes)
          throw invalidFields({
            [fileField]: "The form has more fields than this server accepts.",
          });
        yield chunk;
      }
    } catch (cause) {
      bodyError = cause;
      throw cause;
    }
  }
  try {
    const parser = busboy({
      headers: { "content-type": contentType },
      defParamCharset: "utf8",
      preservePath: true,
      limits: { fieldSize: maxFieldBytes },
    });
    parser.on("field", (name, value) => void fields.set(name, value));
    parser.on("file", (name, file, { filename }) => {
      if (name !== fileField || !filename || taking) return void file.resume();
      isInFile = true;
      file.once("end", () => (isInFile = false));
      // The form fails with the same error.
      file.on("error", () => {});
      taking = take({ name: filename, bytes: file.iterator({ destroyOnReturn: false }) }, field);
      // A browser shows no answer before it has sent the form.
      void taking.catch(() => {}).then(() => file.resume());
    });
    await pipeline(limited(request.body as unknown as AsyncIterable<Uint8Array>), parser);
  } catch {
    throw (
      bodyError ??
      invalidFields({ [fileField]: "The file did not arrive as a whole. Choose it again." })
    );
  }
  return { field, result: await taking };
}
