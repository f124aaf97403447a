/** Forms whose file is taken in while it arrives, so that it takes no memory. */
import { unstable_parseMultipartFormData as parseMultipart } from "@remix-run/node";
import { userPlaces } from "./file-response.server";

/** Each keeps the process and the database busy. */
export const takeUpload = userPlaces(
  2,
  "uploads",
  "You have 2 uploads running. Wait until one has ended, and try again.",
);

/** Bytes of a field that is no file. */
const maxFieldBytes = 2_000;

type PostedFile = { name: string; bytes: AsyncIterable<Uint8Array> };

/**
 * Reads a posted form to its end. Fields that follow the file are not known yet when it is taken in.
 * @param take is called once, with the fields before the file; without a file, `result` is undefined
 */
export async function readFileForm<Result>(
  request: Request,
  fileField: string,
  take: (file: PostedFile, field: (name: string) => string) => Promise<Result>,
): Promise<{ field: (name: string) => string; result: Result | undefined }> {
  const fields = new Map<string, string>();
  const field = (name: string) => fields.get(name) ?? "";
  if (!/^multipart\/form-data\s*;/i.test(request.headers.get("Content-Type") ?? ""))
    return { field, result: undefined };
  let taking: Promise<Result> | undefined;
  await parseMultipart(request, async ({ name, filename, data }) => {
    if (name === fileField && filename && !taking) {
      taking = take({ name: filename, bytes: data }, field);
      // The rest of the form is read whatever becomes of it: a browser shows no answer before.
      await taking.catch(() => {});
      return undefined;
    }
    const value = await readText(data);
    if (filename === undefined) fields.set(name, value);
    return undefined;
  });
  return { field, result: await taking };
}

async function readText(data: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of data) if ((bytes += part.length) <= maxFieldBytes) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
