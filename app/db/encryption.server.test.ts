import { expect, test } from "vitest";
import { decrypt, encrypt } from "./encryption.server";

test("decrypts what it has encrypted for the same purpose and owner only", () => {
  const encrypted = encrypt("secret €", "key", "7");
  expect(decrypt(encrypted, "key", "7")).toBe("secret €");
  expect(decrypt(encrypted, "key", "8")).toBeNull();
  expect(decrypt(encrypted, "link", "7")).toBeNull();
  expect(encrypted.includes("secret")).toBe(false);
});

test("never gives the same bytes twice, and notices a changed one", () => {
  const encrypted = encrypt("secret", "key", "7");
  expect(encrypt("secret", "key", "7").equals(encrypted)).toBe(false);
  encrypted[encrypted.length - 1]! ^= 1;
  expect(decrypt(encrypted, "key", "7")).toBeNull();
  expect(decrypt(Buffer.alloc(3), "key", "7")).toBeNull();
});
