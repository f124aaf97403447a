import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainDate } from "../../forms/explain-date";
import { formatDateInput, parseDateInput } from "../../forms/date-input";
import {
  autoSlashes,
  completeDateInput,
  formatExpiry,
  lastDay,
  parseApiDate,
  toApiDate,
  dateError,
} from "./expiry-date";
import { anyText, property } from "../../../tests/support/property";

const anyDate = fc
  .date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

describe("typed dates", () => {
  test.each([
    ["31/12/2026", "2026-12-31"],
    ["31/12/26", "2026-12-31"],
    ["1/2/2027", "2027-02-01"],
    ["1.2.27", "2027-02-01"],
    ["01-02-2027", "2027-02-01"],
    ["1 2 2027", "2027-02-01"],
    [" 1. 2. 2027 ", "2027-02-01"],
    ["31122026", "2026-12-31"],
    ["311226", "2026-12-31"],
    ["2026-12-31", "2026-12-31"],
    ["2026 12 31", "2026-12-31"],
    [" 2026-1-2 ", "2026-01-02"],
    ["20/26/1231", "2026-12-31"],
    ["29/02/2028", "2028-02-29"],
    ["29/02/2000", "2000-02-29"],
  ])("%s is %s", (input, date) => {
    expect(parseDateInput(input)).toBe(date);
  });

  test.each([
    "31/02/26",
    "29/02/25",
    "29/02/1900",
    "00/00/0000",
    "10/10/99999",
    "31/04/2027",
    "1/13/2027",
    "01/01/0000",
    "2026-02-30",
    "20/13/2025",
    "31/12",
    "31/12/2",
    "31/12/202",
    "31//12/2026",
    "311/2/2026",
    "٣١/١٢/٢٠٢٦",
    "31⁄12⁄2026",
    "31/12/2026\0",
    "1e1/12/2026",
    "+1/12/2026",
    "today",
    "NaN",
    "31/12/2026".padStart(100_000, " "),
    "3".repeat(100_000),
  ])("%j is no date", (input) => {
    expect(parseDateInput(input)).toBeNull();
  });

  test.each([
    ["31/02/2027", "31/02/2027 doesn't exist: Feb 2027 has 28 days"],
    ["29.2.27", "29/2/2027 doesn't exist: Feb 2027 has 28 days"],
    ["2027-04-31", "31/04/2027 doesn't exist: Apr 2027 has 30 days"],
    ["1/13/2027", "Enter it as DD/MM/YYYY"],
    ["00/03/2027", "00/03/2027 doesn't exist: Mar 2027 has 31 days"],
    ["31/12", "Enter it as DD/MM/YYYY"],
    ["tomorrow", "Enter it as DD/MM/YYYY"],
    ["01/01/0000", "Enter it as DD/MM/YYYY"],
  ])("of %j is said what is wrong", (input, reason) => {
    expect(explainDate(input)).toBe(`Invalid date. ${reason}`);
  });

  test("a day that no calendar has is named in the format that is asked for", () => {
    const message = "Invalid date. 2027-02-31 doesn't exist: Feb 2027 has 28 days";
    expect(explainDate("2027-02-31", "YYYY-MM-DD")).toBe(message);
  });

  property([anyDate])("every date survives being shown and typed", (date) => {
    expect(parseDateInput(formatDateInput(date))).toBe(date);
    expect(parseApiDate(toApiDate(date))).toBe(date);
  });

  property([anyText(), anyDate])("hostile text never throws", (text, today) => {
    expect(dateError(text, today) ?? "").toMatch(
      /^($|Invalid date\. |Date cannot be in the past$)/,
    );
    expect(typeof completeDateInput(text)).toBe("string");
  });

  test("a date may be today, not before, and may be missing", () => {
    expect(dateError("21/11/2026", "2026-11-21")).toBeNull();
    expect(dateError("20/11/2026", "2026-11-21")).toBe("Date cannot be in the past");
    expect(dateError("31/02/2027", "2026-11-21")).toMatch(/^Invalid date/);
    expect(dateError("  ", "2026-11-21")).toBeNull();
  });

  test("leaving the field completes a short year and keeps what is no date", () => {
    expect(completeDateInput("31/12/26")).toBe("31/12/2026");
    expect(completeDateInput("1/2/27")).toBe("01/02/2027");
    expect(completeDateInput("31/02/26")).toBe("31/02/26");
    expect(completeDateInput("31/1")).toBe("31/1");
  });
});

test.each([
  "2026-12-31",
  "2026-12-31T23:59:59Z",
  "2026-12-31T00:00:00",
  "2026-02-30T23:59:59",
  "31/12/2026",
  "0000-01-01T23:59:59",
  "12026-01-01T23:59:59",
  "",
])("the API refuses %j", (text) => {
  expect(parseApiDate(text)).toBeNull();
});

test("the last valid day is the one before the exclusive end", () => {
  const end = new Date("2026-12-31T23:00:00Z");
  expect(lastDay(end, "Europe/Berlin")).toBe("2026-12-31");
  expect(formatExpiry(end, "Europe/Berlin")).toBe("31.12.2026 23:59 (Europe/Berlin)");
});

describe("automatic slashes", () => {
  function type(text: string, keys: string): string {
    for (const key of keys) text = autoSlashes(text, text + key, text.length + 1).text;
    return text;
  }
  function backspace(text: string): string {
    const next = text.slice(0, -1);
    return autoSlashes(text, next, next.length).text;
  }

  test.each([
    ["3", "3"],
    ["31", "31/"],
    ["311", "31/1"],
    ["3112", "31/12/"],
    ["31122026", "31/12/2026"],
    ["311220269", "31/12/2026"],
    ["31/12/2026", "31/12/2026"],
    ["1/2/2027", "01/02/2027"],
    ["1.2.27", "01/02/27"],
    ["a3b1", "31/"],
    ["2026-12-31", "20/26/1231"],
    ["/", ""],
  ])("typing %s gives %s", (keys, text) => {
    expect(type("", keys)).toBe(text);
  });

  test.each([
    ["31122026", "31/12/2026"],
    ["31.12.2026", "31/12/2026"],
    ["1/2/2027", "01/02/2027"],
    [" 31/12/2026 ", "31/12/2026"],
    ["2026-12-31", "31/12/2026"],
  ])("pasting %j gives %s", (pasted, text) => {
    expect(autoSlashes("", pasted, pasted.length)).toEqual({ text, caret: text.length });
  });

  test("Backspace is not fought", () => {
    expect(backspace("31/")).toBe("31");
    expect(backspace("31")).toBe("3");
    expect(backspace("31/12/2")).toBe("31/12/");
  });

  test("an edit in the middle keeps the other parts and the caret", () => {
    expect(autoSlashes("31/12/2026", "1/12/2026", 0)).toEqual({ text: "1/12/2026", caret: 0 });
    expect(autoSlashes("1/12/2026", "21/12/2026", 1)).toEqual({ text: "21/12/2026", caret: 1 });
    expect(autoSlashes("31/12", "3112", 2)).toEqual({ text: "31/12/", caret: 2 });
  });

  property([fc.string(), fc.string(), fc.nat({ max: 40 })])(
    "the text stays a date in the making, the caret inside it",
    (previous, next, caret) => {
      const result = autoSlashes(previous, next, Math.min(caret, next.length));
      expect(result.text).toMatch(/^[\d/]{0,10}$/);
      expect(result.text.replace(/\D/g, "").length).toBeLessThanOrEqual(8);
      expect(result.caret).toBeGreaterThanOrEqual(0);
      expect(result.caret).toBeLessThanOrEqual(result.text.length);
    },
  );

  property([anyDate])("Backspace empties every date, one character at a time", (date) => {
    for (let text = formatDateInput(date); text !== "";) {
      const shorter = backspace(text);
      expect(shorter.length).toBe(text.length - 1);
      text = shorter;
    }
  });

  property([anyDate])("typing the digits of a date gives the date", (date) => {
    const input = formatDateInput(date);
    expect(type("", input.replaceAll("/", ""))).toBe(input);
    expect(type("", input)).toBe(input);
  });
});
