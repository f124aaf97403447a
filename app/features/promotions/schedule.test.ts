import { expect, test } from "vitest";
import { describeClosed, describeSchedule, nextOpening, normalizeSchedule } from "./schedule";

const zone = "Europe/Berlin";
const daily = { from: "08:00", to: "17:30" };

test.each([
  [{ hours: [], except: [] }, "Always"],
  [
    { hours: [{ days: [1, 2, 3, 4, 5], ...daily }], except: ["2026-12-24"] },
    "Mon–Fri 08:00–17:30, not on 24.12.2026 (Europe/Berlin)",
  ],
  [
    { hours: [{ days: [7, 1, 3], ...daily }], except: [] },
    "Mon/Wed/Sun 08:00–17:30 (Europe/Berlin)",
  ],
  [
    { hours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }], except: [] },
    "Daily 00:00–24:00 (Europe/Berlin)",
  ],
  [
    { hours: [{ days: [5, 7], from: "22:00", to: "02:00" }], except: [] },
    "Mon/Sat 00:00–02:00, Fri/Sun 22:00–24:00 (Europe/Berlin)",
  ],
  [
    { hours: [], except: ["2026-12-25", "2026-12-24", "2026-12-25"] },
    "Always, not on 24.12.2026, 25.12.2026 (Europe/Berlin)",
  ],
])("%j is %s", (schedule, words) => {
  expect(describeSchedule(normalizeSchedule(schedule), zone)).toBe(words);
});

const closed = { startsAt: null, closedOn: null, isOpen: false, isAhead: false };

test.each([
  ["later today", "{[480,1050)}", null, "2026-11-23T07:59:59", "2026-11-23T08:00"],
  ["in the next week", "{[480,1050)}", null, "2026-11-23T17:30:00", "2026-11-30T08:00"],
  [
    "after days that are excepted",
    null,
    ["2026-12-31", "2027-01-01"],
    "2026-12-31T10:00:00",
    "2027-01-02T00:00",
  ],
  ["never, with no hour in the week", "{}", null, "2026-11-23T07:00:00", null],
])("opens %s", (_what, openMinutes, closedOn, localTime, opening) => {
  expect(nextOpening({ ...closed, openMinutes, closedOn, localTime })).toBe(opening);
});

test("says that a campaign is outside its hours, and nothing while it is open", () => {
  const times = { ...closed, openMinutes: "{[480,1050)}", localTime: "2026-11-23T18:00:00.123" };
  expect(describeClosed(times)).toBe("Outside its hours. It opens next on 30.11.2026 08:00.");
  expect(describeClosed({ ...times, isOpen: true })).toBeNull();
});
