import { Readable } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { expect, test } from "vitest";
import { DomainError } from "../errors";
import { readFileForm } from "./file-form.server";

/** A form with fields before its file, whose body arrives in pieces and can be cancelled, as that of a connection. */
async function formWith(
  fields: [string, string][],
  file: string,
  { fileName = "codes.csv", cutBytes = 0 } = {},
): Promise<Request> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.set("file", new File([file], fileName));
  const encoded = new Response(form);
  const whole = new Uint8Array(await encoded.arrayBuffer());
  const bytes = whole.subarray(0, whole.length - cutBytes);
  return new Request("http://localhost/", {
    method: "POST",
    headers: encoded.headers,
    body: createReadableStreamFromReadable(Readable.from(piecesOf(bytes))),
    duplex: "half",
  });
}

function* piecesOf(bytes: Uint8Array) {
  const size = 16_384;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function lengthOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const piece of bytes) length += piece.length;
  return length;
}

test("takes a file of a megabyte with the fields before it", async () => {
  const { result } = await readFileForm(
    await formWith([["kind", "codes"]], "x".repeat(1_000_000)),
    "file",
    async ({ bytes }, field) => [field("kind"), await lengthOf(bytes)],
  );
  expect(result).toEqual(["codes", 1_000_000]);
});

test.each(["a; b.csv", "a=b.csv", "a\\b.csv", "ä.csv", "name=x; filename=y.csv"])(
  "takes a file that is named %j",
  async (fileName) => {
    const form = await formWith([["kind", "codes"]], "x", { fileName });
    const { result } = await readFileForm(form, "file", ({ name }) => Promise.resolve(name));
    expect(result).toBe(fileName);
  },
);

test.each([3, 4, 20, 80, 150])("refuses a form that ends %i bytes too early", async (cutBytes) => {
  const form = await formWith([["kind", "codes"]], "x".repeat(100), { cutBytes });
  const reading = readFileForm(form, "file", ({ bytes }) => lengthOf(bytes));
  await expect(reading).rejects.toMatchObject({
    fields: { file: "The file did not arrive as a whole. Choose it again." },
  });
});

test.each<[string, [string, string][]]>([
  ["many fields", Array.from({ length: 500 }, (_, at) => [`name${at}`, "x".repeat(500)])],
  ["a long name", [["x".repeat(500_000), "1"]]],
  ["a long field", [["kind", "x".repeat(500_000)]]],
])("refuses a form with %s before it reads the file", async (_what, fields) => {
  let isTaken = false;
  const reading = readFileForm(await formWith(fields, "code"), "file", async () => {
    isTaken = true;
  });
  await expect(reading).rejects.toThrow(DomainError);
  expect(isTaken).toBe(false);
});

test("reads a refused file away, without keeping it", async () => {
  let bytes: AsyncIterable<Uint8Array> | undefined;
  const reading = readFileForm(await formWith([], "x".repeat(1_000_000)), "file", (file) => {
    bytes = file.bytes;
    return Promise.reject(new Error("refused"));
  });
  await expect(reading).rejects.toThrow("refused");
  expect(await lengthOf(bytes!)).toBe(0);
});
