/** Reports by mail: their schedules, the form that makes one, and how screens show them. */
import * as z from "zod/mini";
import { emailAddressMessage, isEmailAddress } from "../../format/email-address";
import { choice, numberBetween, rule, text } from "../../forms/fields";
import { editValidator, formValidator } from "../../forms/form-validator";
import { formatDateTime, formatDay } from "../../format/date";
import type { WeekStart } from "../../format/site";
import { capitalized } from "../../format/text";

export const frequencyLabels = { daily: "Daily", weekly: "Weekly", monthly: "Monthly" };
export type Frequency = keyof typeof frequencyLabels;

/** Says when a report comes and which days it is about. */
export function frequencyNote(frequency: Frequency, weekStart: WeekStart): string {
  if (frequency === "daily") return "each day, about the day before";
  if (frequency === "monthly") return "each first day of a month, about the month before";
  return `each ${capitalized(weekStart)}, about the week before`;
}

const maxRecipients = 20;
export const maxSchedules = 50;

export type ScheduleValues = {
  frequency: Frequency;
  recipients: string[];
  /** Hour of the day in the site's time zone, 0 to 23. */
  hour: number;
};

export const defaultHour = 7;

export type ReportSchedule = ScheduleValues & {
  id: string;
  /** Those of the recipients who are disabled users, in lower case: no report is sent to them. */
  disabledRecipients: string[];
  isPaused: boolean;
  version: number;
  nextRunAt: Date;
  /** null: it never ran. */
  lastRunAt: Date | null;
  /** The address of the admin who set it up, if that user still exists. */
  createdBy: string | null;
  /** No report is sent unless its author is active. */
  authorState: "active" | "disabled" | "deleted";
};

export const scheduleIntents = { pause: "pause", resume: "resume", test: "test" } as const;

/** Splits a text at line ends, spaces, commas and semicolons; an address counts once, whatever its capitals. */
export function parseRecipients(text: string): string[] {
  const addresses = new Map<string, string>();
  for (const address of text.split(/[\s,;]+/).filter(Boolean))
    if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  return [...addresses.values()];
}

export function recipientsError(recipients: readonly string[]): string | null {
  if (recipients.length === 0) return emailAddressMessage;
  if (recipients.length > maxRecipients)
    return `No more than ${maxRecipients} addresses can get a report`;
  const wrong = recipients.find((address) => !isEmailAddress(address));
  return wrong === undefined ? null : `"${wrong.slice(0, 100)}" is not an email address`;
}

const scheduleSchema = z.object({
  frequency: choice(frequencyLabels, "Choose how often the report comes"),
  recipients: z.pipe(text, z.transform(parseRecipients)).check(rule(recipientsError)),
  hour: numberBetween("Hour", 0, 23),
});

export const scheduleValidator = formValidator(scheduleSchema);
export const editScheduleValidator = editValidator(scheduleSchema);

export type ScheduleView = ReturnType<typeof toScheduleView>;

/** @param timeZone the site's IANA zone */
export function toScheduleView(schedule: ReportSchedule, timeZone: string) {
  const { id, frequency, recipients, disabledRecipients, nextRunAt, lastRunAt, createdBy } =
    schedule;
  const pause = pauseOf(schedule);
  return {
    id,
    frequency: frequencyLabels[frequency],
    recipients: recipients
      .map((email) =>
        disabledRecipients.includes(email.toLowerCase()) ? `${email} (disabled)` : email,
      )
      .join(", "),
    isPaused: pause !== null,
    next: pause ?? formatDateTime(nextRunAt, timeZone),
    last: lastRunAt ? formatDateTime(lastRunAt, timeZone) : "Never",
    createdBy: createdBy ?? "Somebody who was deleted",
  };
}

/** Says that no report is sent, and why; null for a schedule that runs. */
function pauseOf({ isPaused, authorState }: ReportSchedule): string | null {
  if (isPaused) return "Paused";
  if (authorState === "disabled") return "Paused: its author is disabled";
  return authorState === "deleted" ? "Paused: its author was deleted" : null;
}

export function scheduleFields({ frequency, recipients, hour }: ScheduleValues) {
  return { frequency, recipients: recipients.join("\n"), hour: String(hour) };
}

/** Days of a report, as YYYY-MM-DD: both belong to it. */
export type ReportDays = { firstDay: string; lastDay: string };

/** Writes '21.11.2026', or '16.11.2026 to 22.11.2026'. */
export function describeReportDays({ firstDay, lastDay }: ReportDays): string {
  const last = formatDay(lastDay);
  return firstDay === lastDay ? last : `${formatDay(firstDay)} to ${last}`;
}
