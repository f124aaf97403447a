import { describe, expect, test } from "vitest";
import { DomainError } from "../../../errors";
import { readTimes, toTimesInput } from "./times-form.server";
import type { TimesInput } from "./times-form";

const empty: TimesInput = {
  starts_at: "",
  hours_days: [],
  hours_from: ["", "", ""],
  hours_to: ["", "", ""],
  closed_on: "",
};
const read = (input: Partial<TimesInput>) => readTimes({ ...empty, ...input });

function errorsOf(input: Partial<TimesInput>) {
  try {
    read(input);
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
  return {};
}

test.each([
  ["", null],
  ["24/12/2026", "2026-12-24T00:00"],
  ["24.12.2026 8:05", "2026-12-24T08:05"],
  ["24.12.2026 08.05", "2026-12-24T08:05"],
  ["24 12 26", "2026-12-24T00:00"],
  [" 2026-12-24T23:59 ", "2026-12-24T23:59"],
])("reads the start %j as %s", (starts_at, startsAt) => {
  expect(read({ starts_at })).toEqual({ startsAt, schedule: null });
});

test.each(["31/02/2026", "24/12/2026 24:00", "24/12/2026 8:61", "soon"])(
  "rejects the start %j with one message",
  (starts_at) => {
    expect(Object.keys(errorsOf({ starts_at }))).toEqual(["starts_at"]);
  },
);

test.each(["24/12/2026 8 am", "24.12.2026 08:00:00", "2026-12-24T8h", "24/12/2026 24:00"])(
  "says of the start %j that its hour is wrong, not its day",
  (starts_at) => {
    expect(errorsOf({ starts_at })).toEqual({ starts_at: "Enter the hour of the start as HH:MM" });
  },
);

const row = { hours_days: ["1-1", "1-7"], hours_from: ["", "8", ""], hours_to: ["", "24:00", ""] };

test("reads rows that are filled and leaves empty ones out, and writes them back as they were", () => {
  const times = read({ ...row, closed_on: "24/12/2026; 25.12.2026" });
  expect(times.schedule).toEqual({
    hours: [{ days: [1, 7], from: "08:00", to: "24:00" }],
    except: ["2026-12-24", "2026-12-25"],
  });
  expect(readTimes(toTimesInput(times))).toEqual(times);
});

describe("a message about hours names the row", () => {
  test.each([
    [{ hours_days: [] }, "choose at least one day"],
    [{ hours_from: ["", "", ""] }, "enter the time from as HH:MM"],
    [{ hours_from: ["", "24:00", ""] }, "enter the time from as HH:MM"],
    [{ hours_to: ["", "25:00", ""] }, "enter the time to as HH:MM, at most 24:00"],
    [{ hours_to: ["", "8:00", ""] }, "the times are the same. A whole day is from 00:00 to 24:00"],
  ])("%j", (values, message) => {
    expect(errorsOf({ ...row, ...values })).toEqual({ hours_from: `Row 2: ${message}` });
  });
});

test("names the day that is wrong", () => {
  expect(errorsOf({ closed_on: "24/12/2026, 30/02/2027" }).closed_on).toMatch(/^30\/02\/2027: /);
});

// An expression that backtracks takes minutes for 1 MB.
test("very long values are judged within the time of a test", () => {
  for (const part of ["T", ",", " ,", "1 ", "1:", ";", "\n", "24/12/2026,"]) {
    const long = `1${part.repeat(1_000_000 / part.length)}x`;
    for (const field of ["starts_at", "closed_on"])
      expect(errorsOf({ [field]: long })).toHaveProperty(field);
    expect(errorsOf({ ...row, hours_from: ["", long, ""] })).toHaveProperty("hours_from");
  }
});

// Looking for the ticks of each row among all takes minutes for so many.
test("more rows than any form has are judged within the time of a test", () => {
  const times = Array.from({ length: 100_000 }, () => "08:00");
  const hours_days = times.map((_, row) => `${row}-1`);
  const { hours_from } = errorsOf({ hours_days, hours_from: times, hours_to: times });
  expect(hours_from).toBe("Row 1: the times are the same. A whole day is from 00:00 to 24:00");
});
