import { expect, it } from "vitest";
import { bearerOf, isOwnPath, safeRedirectPath } from "./guards.server";

// Django's `test_bad_urls`, tests/utils_tests/test_http.py (BSD-3-Clause), and some of our own.
const bad = [
  "http://example.com",
  "http:///example.com",
  "https://example.com",
  "ftp://example.com",
  "\\\\example.com",
  "\\\\\\example.com",
  "/\\\\/example.com",
  "\\\\//example.com",
  "/\\/example.com",
  "\\/example.com",
  "/\\example.com",
  "http:/\\//example.com",
  "http:\\/example.com",
  "http:/\\example.com",
  'javascript:alert("XSS")',
  "\njavascript:alert(x)",
  "java\nscript:alert(x)",
  "\x08//example.com",
  "http://otherserver\\@example.com",
  "http:\\\\testserver\\@example.com",
  "http://testserver\\me:pass@example.com",
  "http://testserver\\@example.com",
  "http:\\\\testserver\\confirm\\me@example.com",
  "http:999999999",
  "ftp:9999999999",
  "\n",
  "http://[2001:cdba:0000:0000:0000:0000:3257:9652/",
  "http://2001:cdba:0000:0000:0000:0000:3257:9652]/",
  "///example.com",
  "//example.com",
  "/\t/example.com",
  "/.//example.com",
  "/..//example.com",
  "/a/..//example.com",
  "/%5c\\example.com",
  "/ok\r\nSet-Cookie: a=b",
  "example.com",
  "?next=/x",
  "",
  undefined,
  null,
  {},
  ["/x"],
  "/" + "a".repeat(5_000),
  "/€",
];

it.each(bad)("refuses %j", (value) => {
  expect(safeRedirectPath(value, "/fallback")).toBe("/fallback");
});

it.each([
  "/",
  "/app/qr-list",
  "/app/qr-list?page=2&after=x%2Fy#flash",
  "/view/?param=http://example.com",
])("keeps %j", (value) => {
  expect(safeRedirectPath(value, "/fallback")).toBe(value);
});

it("takes an address for one of this site, however long it is", () => {
  expect(isOwnPath(`/app/qr-list?text=${"a".repeat(5_000)}`)).toBe(true);
  expect(isOwnPath("//example.com")).toBe(false);
});

it.each(["Bearer vqk_1", "bearer vqk_1", "Bearer  vqk_1"])("reads the key of '%s'", (header) => {
  expect(bearerOf(header)).toBe("vqk_1");
});

it.each(["Bearer", "Bearer ", "Basic vqk_1", "vqk_1", "Bearer vqk_1 x"])(
  "reads no key of '%s'",
  (header) => {
    expect(bearerOf(header)).toBe("");
  },
);
