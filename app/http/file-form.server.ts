/** Forms whose file is taken in while it arrives, so that it takes no memory. */
import { unstable_parseMultipartFormData as parseMultipart } from "@remix-run/node";
import { ReadableStream } from "node:stream/web";
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
/** Bytes of the fields and the headers of parts, which are kept, with the chunk in which the file begins. */
const maxOtherBytes = 200_000;

type PostedFile = { name: string; bytes: AsyncIterable<Uint8Array> };

/**
 * Reads a posted form to its end. Fields that follow the file are not known yet when it is taken in.
 * @param take is called once, with the fields before the file; without a file, `result` is undefined
 * @throws DomainError invalid: there is more beside the file than a form has
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
  let isInFile = false;
  async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let otherBytes = 0;
    for await (const chunk of body) {
      if (!isInFile) otherBytes += chunk.length;
      if (otherBytes > maxOtherBytes)
        throw invalidFields({ [fileField]: "The form has more fields than this server accepts." });
      yield chunk;
    }
  }
  await parseMultipart(withBody(request, limited), async ({ name, filename, data }) => {
    if (name === fileField && filename && !taking) {
      isInFile = true;
      taking = take({ name: filename, bytes: data }, field);
      // A browser shows no answer before it has sent the form, and the parser would keep what is not read.
      await taking.catch(() => {});
      await readAway(data);
      isInFile = false;
      return undefined;
    }
    const value = await readText(data);
    if (filename === undefined) fields.set(name, value);
    return undefined;
  });
  return { field, result: await taking };
}

function withBody(
  { url, headers, body }: Request,
  pass: (body: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>,
): Request {
  if (!body) return new Request(url, { method: "POST", headers });
  const stream = ReadableStream.from(pass(body as unknown as AsyncIterable<Uint8Array>));
  return new Request(url, {
    method: "POST",
    headers,
    body: stream as unknown as BodyInit,
    duplex: "half",
  });
}

async function readAway(data: AsyncIterable<Uint8Array>): Promise<void> {
  const left = data[Symbol.asyncIterator]();
  while (!(await left.next()).done);
}

async function readText(data: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of data) if ((bytes += part.length) <= maxFieldBytes) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
