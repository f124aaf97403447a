import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { rejectByHeaders, rejectFields } from "./request-body.server";

/** Returns the status of a post that is refused before its form is read, or null. */
async function statusOf(contentType: string, body: string): Promise<number | null> {
  const headers = { "content-type": contentType, "content-length": String(body.length) };
  const request = { method: "POST", url: "/login", headers } as IncomingMessage;
  const rejection =
    rejectByHeaders(request) ?? (await rejectFields(Buffer.from(body), contentType));
  return rejection && rejection.status;
}

const parts = (boundary: string, count: number) =>
  `${`--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n`.repeat(count)}--${boundary}--\r\n`;

test.each([
  "multipart/form-data; boundary=b",
  'multipart/form-data; a="; boundary=zzz"; boundary=b',
  'multipart/form-data; boundary="\\b"',
  "multipart/form-data;\u00a0boundary=zzz; boundary=b",
  'multipart/form-data; a="\\"; boundary=zzz; b="; boundary=b',
  "multipart/form-data; boundary=zzz, multipart/form-data; boundary=b",
  "application/json; a=b, multipart/form-data; boundary=b",
  "application/x-www-form-urlencoded; a=b, multipart/form-data; boundary=b",
])("refuses 51 parts of %s", async (contentType) => {
  expect(await statusOf(contentType, parts("b", 51))).toBeOneOf([400, 415]);
});

test("refuses 51 parts whose boundary is written in UTF-8", async () => {
  const contentType = "multipart/form-data; boundary=\u00e9";
  expect(await statusOf(contentType, parts("\u00e9", 51))).toBeOneOf([400, 415]);
});

test.each([
  ["Chrome", "----WebKitFormBoundary7MA4YWxkTrZu0gW", ""],
  ["Firefox", "---------------------------974767299852498929531610575", ""],
  ["curl", "------------------------d74496d66958873e", ""],
  ["curl with a charset", "------------------------d74496d66958873e", "; charset=utf-8"],
  ["undici", "----formdata-undici-012345678901", ""],
  ["Python requests", "c0c46a5929c2ce4c935c9cff85bf11d4", ""],
  ["Python's email", '"===============1234567890123456789=="', ""],
  ["OkHttp", "3f1c2a54-7d0e-4a3b-9b6e-0c1d2e3f4a5b", ""],
  ["Apache HttpClient", "-_1aBcDeFgHiJkLmNoPqRsTuVwXyZ0", "; charset=ISO-8859-1"],
  ["Java's HttpURLConnection", "===1469192462391===", ""],
  [".NET", '"9c5b7a3e-0d43-4d1a-8f7a-2f0a8d0e9b11"', ""],
  ["Dart", "dart-http-boundary-+_.aB3dE5gH7jK9mN1pQ3sT5vW7", ""],
])("takes a form of %s", async (_client, boundary, more) => {
  const contentType = `multipart/form-data; boundary=${boundary}${more}`;
  expect(await statusOf(contentType, parts(boundary.replaceAll('"', ""), 50))).toBeNull();
});

test.each([
  "application/json",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
  "application/json; odata.metadata=minimal; profile=https://example.com/schema",
  "application/x-www-form-urlencoded; charset=UTF-8;",
])("takes a body of the type %s", async (contentType) => {
  expect(await statusOf(contentType, "a=1")).toBeNull();
});

test.each([
  ["multipart/form-data;charset=UTF-8;boundary=abc_DEF-123", "abc_DEF-123"],
  ["Multipart/Form-Data; Boundary=b", "b"],
])("takes a form of the type %s", async (contentType, boundary) => {
  expect(await statusOf(contentType, parts(boundary, 1))).toBeNull();
});
