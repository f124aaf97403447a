/** The times in which a campaign can be redeemed: its start and its weekly hours, in local times of the site (RULES T5). */
import { formatDay } from "../../format/date";
import { lastDay } from "./expiry-date";

/** A window of the hours: days from 1, Monday, to 7; times are HH:MM, and `to` may be 24:00. */
export type Hours = { days: number[]; from: string; to: string };

/** Without hours it holds all week; `except` are days on which it doesn't, YYYY-MM-DD. */
export type Schedule = { hours: Hours[]; except: string[] };

/** The times that forms and the API set. */
export type CampaignTimes = {
  /** YYYY-MM-DDTHH:MM; null has begun. */
  startsAt: string | null;
  /** null is always open. */
  schedule: Schedule | null;
};

/** The same as the database returns it; null where a campaign has neither. */
export type StoredTimes = {
  /** YYYY-MM-DDTHH:MM:SS */
  startsAt: string | null;
  /** Minutes of the week, from Monday 00:00, as PostgreSQL writes a multirange. */
  openMinutes: string | null;
  closedOn: string[] | null;
  /** Whether it is within its hours, at the time of the query. */
  isOpen: boolean;
  /** Whether its start lies ahead of that time; local times can't tell in the hour that comes twice. */
  isAhead: boolean;
  /** The time of the query, as `startsAt` is written. */
  localTime: string;
} | null;

/** When a campaign can be redeemed, and until when. */
type Dated = { times: StoredTimes; expiresAt: Date | null };

export const noTimes: CampaignTimes = { startsAt: null, schedule: null };

/**
 * Limits the windows of a week without gaps or overlaps. Rows are no measure: those that are read back may be more than
 * were entered.
 */
export const maxWindows = 140;
/** Windows are split at each midnight within the week. */
export const maxRows = maxWindows + 6;
export const maxClosedDays = 100;

const minutesOfDay = 1_440;
const minutesOfWeek = 7 * minutesOfDay;

type Range = [from: number, to: number];

function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function toTime(minutes: number): string {
  const pad = (number: number) => String(number).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Returns the ranges of the week in order, without gaps or overlaps; a window over midnight goes on the next day. */
function toRanges(hours: readonly Hours[]): Range[] {
  const ranges = hours.flatMap(({ days, from, to }) =>
    days.flatMap((day): Range[] => {
      const midnight = (day - 1) * minutesOfDay;
      const [first, end] = [toMinutes(from), toMinutes(to)];
      if (first < end) return [[midnight + first, midnight + end]];
      const next = (midnight + minutesOfDay) % minutesOfWeek;
      return [
        [midnight + first, midnight + minutesOfDay],
        [next, next + end],
      ];
    }),
  );
  const merged: Range[] = [];
  for (const [from, to] of ranges.sort((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (from < to) merged.push([from, to]);
  }
  return merged;
}

export const hasTooManyWindows = (hours: readonly Hours[]) => toRanges(hours).length > maxWindows;

/** Writes hours as PostgreSQL reads a multirange; null without any. */
export function toOpenMinutes(hours: readonly Hours[]): string | null {
  if (hours.length === 0) return null;
  return `{${toRanges(hours)
    .map(([from, to]) => `[${from},${to})`)
    .join()}}`;
}

/** A part of one day, which is 1 to 7 from Monday, in minutes from its beginning. */
type OpeningWindow = { day: number; from: number; to: number };

/** Splits ranges at midnight: the windows of one day each, in order. */
function windowsOf(openMinutes: string): OpeningWindow[] {
  return [...openMinutes.matchAll(/\[(\d+),(\d+)\)/g)].flatMap(([, start, end]) => {
    const windows = [];
    for (let from = Number(start); from < Number(end);) {
      const midnight = from - (from % minutesOfDay);
      const to = Math.min(Number(end), midnight + minutesOfDay);
      windows.push({ day: midnight / minutesOfDay + 1, from: from - midnight, to: to - midnight });
      from = to;
    }
    return windows;
  });
}

/**
 * Returns the hours with the days of equal windows together. A window over midnight, less than a day long, is one of its
 * first day, unless days are left out: these take the part that is theirs.
 */
function toHours(openMinutes: string, { hasExceptions }: { hasExceptions: boolean }): Hours[] {
  const windows = windowsOf(openMinutes);
  const restAfterMidnight = ({ day, from, to }: OpeningWindow) =>
    to === minutesOfDay && !hasExceptions
      ? windows.find((next) => next.day === (day % 7) + 1 && next.from === 0 && next.to < from)
      : undefined;
  const rests = new Set(windows.map(restAfterMidnight));
  const byTimes = new Map<string, Hours>();
  for (const window of windows) {
    if (rests.has(window)) continue;
    const from = toTime(window.from);
    const to = toTime((restAfterMidnight(window) ?? window).to);
    const hours = byTimes.get(from + to) ?? { days: [], from, to };
    hours.days.push(window.day);
    byTimes.set(from + to, hours);
  }
  return [...byTimes.values()];
}

export function toCampaignTimes(times: StoredTimes): CampaignTimes {
  const { startsAt = null, openMinutes = null, closedOn = null } = times ?? {};
  const hasExceptions = closedOn !== null && closedOn.length > 0;
  return {
    startsAt: startsAt && startsAt.slice(0, 16),
    schedule:
      openMinutes || closedOn
        ? {
            hours: openMinutes ? toHours(openMinutes, { hasExceptions }) : [],
            except: closedOn ?? [],
          }
        : null,
  };
}

/** Returns hours as they are read from the database: overlaps joined, in order. */
export function normalizeSchedule(schedule: Schedule | null): Schedule | null {
  if (schedule === null) return null;
  const openMinutes = toOpenMinutes(schedule.hours);
  const except = [...new Set(schedule.except)].sort();
  if (openMinutes === null && except.length === 0) return null;
  return {
    hours: openMinutes === null ? [] : toHours(openMinutes, { hasExceptions: except.length > 0 }),
    except,
  };
}

export const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Writes days of the week: 'Mon–Fri', 'Mon/Wed', 'Daily'. @param names from Monday on */
export function describeWeekdays(
  days: readonly number[],
  names: readonly string[] = dayNames,
  daily = "Daily",
): string {
  if (days.length === 7) return daily;
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && run.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number | undefined) => names[day! - 1];
  return runs
    .map((run) => (run.length > 1 ? `${name(run[0])}–${name(run.at(-1))}` : name(run[0])))
    .join("/");
}

/** Writes hours without their zone: 'Mon–Fri 08:00–17:30, Sat 10:00–14:00'; null always. */
export function describeHours(schedule: Schedule | null): string | null {
  const windows = (schedule?.hours ?? []).map(
    ({ days, from, to }) => `${describeWeekdays(days)} ${from}–${to}`,
  );
  return windows.join(", ") || null;
}

/** Writes a schedule in words: 'Mon–Fri 08:00–17:30, not on 24.12.2026 (Europe/Berlin)'. */
export function describeSchedule(schedule: Schedule | null, timeZone: string): string {
  if (schedule === null) return "Always";
  const days = schedule.except.map(formatDay).join(", ");
  return `${describeHours(schedule) ?? "Always"}${days && `, not on ${days}`} (${timeZone})`;
}

/** Writes a local time: '01.12.2026 08:00'. */
export function formatLocalTime(local: string): string {
  return `${formatDay(local.slice(0, 10))} ${local.slice(11, 16)}`;
}

export function describeStart(times: { startsAt: string | null } | null, timeZone: string): string {
  return times?.startsAt ? `${formatLocalTime(times.startsAt)} (${timeZone})` : "None";
}

/** Longest time for which the next opening is looked for. */
const maxDaysAhead = 366;

/**
 * Returns the next local time at which a campaign is open that is closed or has not started, YYYY-MM-DDTHH:MM; null if
 * that is not within a year, or after its end.
 */
export function nextOpening({ times, expiresAt }: Dated, timeZone: string): string | null {
  if (!times) return null;
  const { openMinutes, closedOn, localTime, startsAt, isAhead } = times;
  const windows = windowsOf(openMinutes ?? `[0,${minutesOfWeek})`);
  const end = expiresAt && lastDay(expiresAt, timeZone);
  const first = (isAhead && startsAt) || localTime;
  const firstDay = Date.parse(`${first.slice(0, 10)}T00:00Z`);
  for (let ahead = 0; ahead <= maxDaysAhead; ahead++) {
    const date = new Date(firstDay + ahead * minutesOfDay * 60_000);
    const day = date.toISOString().slice(0, 10);
    if (end !== null && day > end) return null;
    const window = windows.find(
      (each) => each.day === (date.getUTCDay() || 7) && `${day}T${toTime(each.to)}` > first,
    );
    if (!window || closedOn?.includes(day)) continue;
    const opening = `${day}T${toTime(window.from)}`;
    return opening > first ? opening : first.slice(0, 16);
  }
  return null;
}

/** Says that a campaign is outside its hours, and when it opens; null while it is open. */
export function describeClosed(campaign: Dated, timeZone: string): string | null {
  if (!campaign.times || campaign.times.isOpen) return null;
  const opening = nextOpening(campaign, timeZone);
  return `Outside its hours.${opening ? ` It opens next on ${formatLocalTime(opening)}.` : ""}`;
}
