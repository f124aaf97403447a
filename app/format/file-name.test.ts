import { expect, test } from "vitest";
import { attachment, safeFileName } from "./file-name";

test.each([
  ["Complaint 4718", "Complaint 4718"],
  ['a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j"],
  ["..\\..\\etc/passwd", "etc passwd"],
  [".hidden. ", "hidden"],
  ["bad\u202egnp.exe\0\n", "bad gnp.exe"],
  ["x".repeat(300), "x".repeat(100)],
  ["飲".repeat(100), "飲".repeat(66)],
  ["🥤".repeat(100), "🥤".repeat(50)],
  ["...", ""],
])("%j is saved as %j", (name, saved) => {
  expect(safeFileName(name)).toBe(saved);
});

test("a name beyond ASCII is sent for old and new clients", () => {
  expect(attachment("1.png")).toBe('attachment; filename="1.png"');
  expect(attachment("Café (50%).png")).toBe(
    "attachment; filename=\"Caf_ (50_).png\"; filename*=UTF-8''Caf%C3%A9%20%2850%25%29.png",
  );
});
