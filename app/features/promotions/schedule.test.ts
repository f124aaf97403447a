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
    "Fri/Sun 22:00–02:00 (Europe/Berlin)",
  ],
  [
    { hours: [{ days: [5], from: "22:00", to: "02:00" }], except: ["2026-12-25"] },
    "Fri 22:00–24:00, Sat 00:00–02:00, not on 25.12.2026 (Europe/Berlin)",
  ],
  [
    {
      hours: [
        { days: [1], from: "22:00", to: "24:00" },
        { days: [2], from: "00:00", to: "22:00" },
        { days: [3], from: "00:00", to: "04:00" },
        { days: [6], from: "20:00", to: "24:00" },
        { days: [7], from: "00:00", to: "24:00" },
      ],
      except: [],
    },
    "Mon 22:00–24:00, Tue 00:00–22:00, Wed 00:00–04:00, Sat 20:00–24:00, Sun 00:00–24:00 (Europe/Berlin)",
  ],
  [
    { hours: [], except: ["2026-12-25", "2026-12-24", "2026-12-25"] },
    "Always, not on 24.12.2026, 25.12.2026 (Europe/Berlin)",
  ],
])("%j is %s", (schedule, words) => {
  expect(describeSchedule(normalizeSchedule(schedule), zone)).toBe(words);
});

const weekdays = "{[480,1080),[1920,2520),[3360,3960),[4800,5400),[6240,6840)}";

/** A campaign that is closed at a local time. */
function closedAt(localTime: string, changes: object = {}, expiresAt: Date | null = null) {
  const times = { startsAt: null, openMinutes: weekdays, closedOn: null, isOpen: false };
  return { times: { ...times, isAhead: false, localTime, ...changes }, expiresAt };
}

test.each([
  ["later today", closedAt("2026-11-23T07:59:59"), "2026-11-23T08:00"],
  [
    "in the next week",
    closedAt("2026-11-23T17:30:00", { openMinutes: "{[480,1050)}" }),
    "2026-11-30T08:00",
  ],
  [
    "after days that are excepted",
    closedAt("2026-12-31T10:00:00", { openMinutes: null, closedOn: ["2026-12-31", "2027-01-01"] }),
    "2027-01-02T00:00",
  ],
  ["never, with no hour in the week", closedAt("2026-11-23T07:00:00", { openMinutes: "{}" }), null],
  [
    "on its last day",
    closedAt("2026-12-05T12:00:00", {}, new Date("2026-12-07T23:00:00Z")),
    "2026-12-07T08:00",
  ],
  [
    "never, after its end",
    closedAt("2026-12-05T12:00:00", {}, new Date("2026-12-06T23:00:00Z")),
    null,
  ],
  [
    "at a start within its hours",
    closedAt("2026-12-05T12:00:00", { startsAt: "2026-12-14T09:15:00", isAhead: true }),
    "2026-12-14T09:15",
  ],
  [
    "after a start outside its hours",
    closedAt("2026-12-05T12:00:00", { startsAt: "2026-12-12T01:00:00", isAhead: true }),
    "2026-12-14T08:00",
  ],
])("opens %s", (_what, campaign, opening) => {
  expect(nextOpening(campaign, zone)).toBe(opening);
});

test("says that a campaign is outside its hours, and nothing while it is open", () => {
  const closed = closedAt("2026-11-28T18:00:00.123");
  expect(describeClosed(closed, zone)).toBe(
    "Outside its hours. It opens next on 30.11.2026 08:00.",
  );
  const open = closedAt("2026-11-28T18:00:00.123", { isOpen: true });
  expect(describeClosed(open, zone)).toBeNull();
});
