import { randomBytes } from "node:crypto";
import PDFDocument from "pdfkit";
import { afterEach, describe, expect, test, vi } from "vitest";
import { everyNth, naughtyStrings } from "../../../tests/support/naughty-strings";
import { isSoak, repetitions } from "../../../tests/support/repetitions";
import {
  faults,
  linesOfPage,
  openPdf,
  readLabels,
  scanPage,
} from "../../../tests/support/read-labels";
import { formatCode } from "../../format/promotion";
import { generateCodes } from "../promotions/code";
import { captionOf, labelsTag, type LabelSet } from "./label-set.server";
import { labelFormats, parseLabelOptions } from "./label-options";
import { labelsPdf, pdfLayout } from "./label-files.server";
import { labelsPerSheet } from "./label-sheets";
import { LabelType } from "./label-type.server";

// Many cases in one test, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

type Given = { query?: string; count?: number; name?: string; template?: string };

function setOf({ query = "", count, name = "Summer party", template = "{code}" }: Given): LabelSet {
  const { options } = parseLabelOptions(new URLSearchParams(query), 1);
  const codes = generateCodes(count ?? labelsPerSheet(options.sheet), randomBytes);
  const labels = codes.map((code, index) => ({
    number: index + 1,
    code,
    expiresAt: new Date("2026-12-31T23:00:00Z"),
  }));
  const source = {
    kind: "mass_generation" as const,
    added: [],
    id: "7",
    name,
    numCodes: labels.length,
    discountType: "free_drink" as const,
    discountValue: 1,
    createdAt: new Date("2026-11-21T12:00:00Z"),
  };
  return { source, options, labels, template, timeZone: "Europe/Berlin" };
}

async function pdfOf(set: LabelSet, skipped = 0): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of labelsPdf(set, skipped)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

afterEach(() => expect(faults.splice(0), "what a reader of PDF stumbles over").toEqual([]));

/** Resolution at which full pages are scanned. */
const dpi = repetitions(200, 300);
const codesOf = ({ labels }: LabelSet) => labels.map(({ code }) => code);

describe("every code of a full page is read by an independent reader", () => {
  // The most labels of a sheet, a cut sheet of another size of paper, and one label a page.
  test.each(isSoak ? labelFormats : ["l7651", "57x32"])("%s", async (format) => {
    const set = setOf({ query: `format=${format}&cut=lines` });
    const document = openPdf(await pdfOf(set));
    expect(document.countPages()).toBe(1);
    expect(readLabels(scanPage(document, 0, dpi), set.options.sheet)).toEqual(codesOf(set));
  });

  test.each(isSoak ? ["l7163", "5163", "100x50"] : ["100x50"])("%s, at 150 dpi", async (format) => {
    const set = setOf({ query: `format=${format}` });
    const scan = scanPage(openPdf(await pdfOf(set)), 0, 150);
    expect(readLabels(scan, set.options.sheet)).toEqual(codesOf(set));
  });

  test.each(isSoak ? ["L", "Q", "H"] : ["H"])(
    "with error correction %s and an address",
    async (level) => {
      const template = "https://promo.example/r/{code}";
      const set = setOf({ query: `error_correction=${level}`, template });
      const scan = scanPage(openPdf(await pdfOf(set)), 0, dpi);
      expect(readLabels(scan, set.options.sheet)).toEqual(
        codesOf(set).map((code) => `https://promo.example/r/${code}`),
      );
    },
  );
});

test("the caption formats one date, however many labels have one", () => {
  const set = setOf({ count: 10_000 });
  const reads = vi.spyOn(Date.prototype, "getTime");
  expect(captionOf(set).expiry).toBe("valid until 31.12.2026");
  expect(reads).toHaveBeenCalledTimes(1);
  reads.mockRestore();
});

test("the caption can be read, and copied as text", async () => {
  const set = setOf({ query: "format=l7163", name: "Käse & Bier, 5 € – günstig" });
  const lines = linesOfPage(openPdf(await pdfOf(set)), 0);
  expect(lines.filter((line) => line === "Käse & Bier, 5 € – günstig")).toHaveLength(14);
  expect(lines.filter((line) => line === "1 drink")).toHaveLength(14);
  expect(lines.filter((line) => line === "valid until 31.12.2026")).toHaveLength(14);
  expect(lines).toEqual(expect.arrayContaining(codesOf(set).map(formatCode)));
});

test("parts of the caption can be left out; a code may have an end of its own, or none", async () => {
  const set = setOf({ query: "caption=expiry&caption=code", count: 3 });
  set.labels[1]!.expiresAt = new Date("2027-02-28T23:00:00Z");
  set.labels[2]!.expiresAt = null;
  expect(linesOfPage(openPdf(await pdfOf(set)), 0)).toEqual([
    "valid until 31.12.2026",
    formatCode(set.labels[0]!.code),
    "valid until 28.02.2027",
    formatCode(set.labels[1]!.code),
    formatCode(set.labels[2]!.code),
  ]);
});

test("labels that are used up stay empty, and sheets follow each other", async () => {
  const set = setOf({ query: "first=20", count: 25 });
  const document = openPdf(await pdfOf(set, 19));
  expect(document.countPages()).toBe(3);
  const read = [0, 1, 2].flatMap((page) =>
    readLabels(scanPage(document, page, repetitions(150, 200)), set.options.sheet),
  );
  expect(read).toEqual([...Array(19).fill(null), ...codesOf(set), ...Array(63 - 44).fill(null)]);
});

test("the page has the size of its paper, and asks not to be scaled", async () => {
  for (const [query, width, height] of [
    ["", 210, 297],
    ["format=5160", 215.9, 279.4],
    ["format=single&width=62.5&height=29", 62.5, 29],
  ] as const) {
    const pdf = await pdfOf(setOf({ query, count: 1 }));
    const [, , right, bottom] = openPdf(pdf).loadPage(0).getBounds();
    expect((right * 25.4) / 72).toBeCloseTo(width, 3);
    expect((bottom * 25.4) / 72).toBeCloseTo(height, 3);
    expect(pdf.toString("latin1")).toContain("/PrintScaling /None");
  }
});

test("the same labels give the same bytes and the same tag, others don't", async () => {
  const set = setOf({ count: 60 });
  const again = { ...set, labels: set.labels.map((label) => ({ ...label })) };
  expect((await pdfOf(set)).equals(await pdfOf(again))).toBe(true);
  const tag = labelsTag(set, "pdf 1");
  expect(labelsTag(again, "pdf 1")).toBe(tag);
  again.labels[59]!.expiresAt = null;
  const others = [
    again,
    { ...set, template: "X{code}" },
    { ...set, timeZone: "UTC" },
    { ...set, options: setOf({ query: "cut=crop" }).options },
    { ...set, source: { ...set.source, name: "Winter" } },
  ];
  expect(
    new Set([tag, labelsTag(set, "pdf 2"), ...others.map((one) => labelsTag(one, "pdf 1"))]).size,
  ).toBe(7);
});

const naughty = everyNth(12, naughtyStrings, 6);
const anyNames = [
  ...naughty.map((name) => name.slice(0, 200)),
  "\u0001",
  "نص 12 عربي",
  "夏祭り 🍹",
];

test("no name is a fault: it is laid out, and drawn without one", async () => {
  const document = new PDFDocument({ autoFirstPage: false });
  const type = new LabelType(document);
  for (const [index, name] of anyNames.entries()) {
    const query = `format=${labelFormats[index % labelFormats.length]}`;
    const { lines } = pdfLayout(setOf({ query, count: 1, name }), type);
    document.addPage();
    type.nameOn(document.page);
    for (const line of lines) document.addContent(type.operators(line.text, line));
  }
  document.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of document) chunks.push(chunk as Uint8Array);
  const pages = openPdf(Buffer.concat(chunks));
  for (const [index, name] of anyNames.entries()) {
    expect(linesOfPage(pages, index).at(-1), JSON.stringify(name)).toMatch(/^(\w{4}-){2}\w{4}$/);
  }
});

test("no name is a fault of the file, whose title it is", async () => {
  for (const name of anyNames.filter((_, index) => index % 10 === 0 || index >= naughty.length)) {
    const set = setOf({ count: 1, name });
    const document = openPdf(await pdfOf(set));
    expect(document.getMetaData("info:Title")).toContain("Labels:");
    expect(linesOfPage(document, 0)).toContain(formatCode(set.labels[0]!.code));
  }
});

test("is made as it is read, and no further", async () => {
  const set = setOf({ query: "format=57x32", count: 3_000 });
  let drawn = 0;
  const { labels } = set;
  labels.entries = function* () {
    for (let index = 0; index < labels.length; index++) {
      drawn++;
      yield [index, labels[index]!];
    }
    return undefined;
  };
  const pages = labelsPdf(set, 0);
  expect(((await pages.next()).value as Uint8Array).length).toBeLessThan(80_000);
  expect(drawn).toBeLessThan(300);
  const before = drawn;
  await pages.return(undefined);
  expect(await pages.next()).toEqual({ done: true, value: undefined });
  expect(drawn).toBe(before);
});
