import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { charactersOfPage, openPdf } from "../../../tests/support/read-labels";
import { figures, LabelType, measuringType, withoutInvisible } from "./label-type.server";

const type = measuringType();

test.each([
  ["Käse & Bier, 5 € – „günstig“", 0],
  ["Żółć Ωμέγα Лето Կիրակի ქართული", 0],
  ["שלום مرحبا", 0],
  ["Winter ☕ ★ 😀", 0],
  ["夏祭り", 3],
  ["Drinks 🍹🍺", 2],
  // One picture, though seven characters of Unicode.
  ["👨‍👩‍👧‍👦", 1],
])("%s: %i characters can't be printed", (text, replaced) => {
  const printed = type.printable(text);
  expect(printed.replaced).toBe(replaced);
  expect(printed.text.replaceAll("□", "").length > 0 || replaced > 0).toBe(true);
  expect([...printed.text].filter((character) => character === "□")).toHaveLength(replaced);
});

test("invisible characters are not printed, and do not turn the text", () => {
  expect(withoutInvisible("a\u0001b\u202ec\u2066d\nu\u0308\ue000")).toBe(
    "abcd ü".replace("ü", "u\u0308").normalize("NFC"),
  );
});

test("letters are measured, not guessed", () => {
  expect(type.measure("WWWW", "bold")).toBeGreaterThan(2 * type.measure("iiii", "bold"));
  expect(type.measure("Summer", "bold")).toBeGreaterThan(type.measure("Summer", "regular"));
  const widths = ["WWWW-MMMM-2345", "2222-3333-4444"].map((code) => type.measure(code, "code"));
  expect(widths[0]).toBeCloseTo(widths[1]!, 9);
});

test("two directions in one line stand where readers look for them", async () => {
  const document = new PDFDocument({ margin: 0, size: [400, 100] });
  const own = new LabelType(document);
  own.nameOn(document.page);
  document.addContent(own.operators("אבג (12) ab", { face: "bold", size: 20, x: 10, y: 50 }));
  document.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of document) chunks.push(chunk as Uint8Array);
  const drawn = charactersOfPage(openPdf(Buffer.concat(chunks)), 0).sort((a, b) => a.x - b.x);
  expect(
    drawn
      .map(({ character }) => character)
      .join("")
      .replace(/\s/g, ""),
  ).toBe("ab(12)גבא");
  expect(drawn[0]!.x).toBeCloseTo(10, 1);
});

test("figures never have an exponent", () => {
  expect(figures(1e-7, -0.0000001, 12.3456789, 200)).toBe("0 0 12.34568 200");
});
