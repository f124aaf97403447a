import { formatDateTime } from "../../format/date";
import { formatNumber } from "../../format/number";

/** The state of the vending platform; see platform-state.server. */
type State = {
  succeededAt: Date | null;
  age: number | null;
  failure: { sentence: string; at: Date } | null;
  badItems: { count: number; examples: string[] };
  held: { at: Date; missing: number; listed: number } | null;
};

/** The same as sentences; null where there is nothing to say. */
export type PlatformView = {
  failure: string | null;
  badItems: { sentence: string; examples: string[]; more: string | null } | null;
  held: string | null;
};

export function toPlatformView(state: State, timeZone: string): PlatformView {
  return {
    failure: state.failure && describeFailure(state, state.failure, timeZone),
    badItems: state.badItems.count > 0 ? describeBadItems(state.badItems) : null,
    held: state.held && describePendingDeletion(state.held, timeZone),
  };
}

/** '1 machine', '2,000 machines'. */
export function formatMachines(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? "machine" : "machines"}`;
}

function describeFailure(
  { succeededAt, age }: State,
  { sentence, at }: { sentence: string; at: Date },
  timeZone: string,
): string {
  const shown =
    succeededAt && age !== null
      ? `The machines are those of ${formatDateTime(succeededAt, timeZone)}, ${describeAge(age)}.`
      : "Its list has not been read yet.";
  return `${sentence} ${shown} No refresh has worked since ${formatDateTime(at, timeZone)}.`;
}

/** @param seconds since then */
function describeAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 120) return `${minutes} ${minutes === 1 ? "minute" : "minutes"} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} hours ago`;
  return `${formatNumber(Math.floor(hours / 24))} days ago`;
}

function describeBadItems({ count, examples }: State["badItems"]) {
  const rest = count - examples.length;
  return {
    sentence:
      count === 1
        ? "1 item of SmartVend's list can't be taken as it is:"
        : `${formatNumber(count)} items of SmartVend's list can't be taken as they are:`,
    examples,
    more: rest > 0 ? `and ${formatNumber(rest)} more` : null,
  };
}

function describePendingDeletion(
  { at, missing, listed }: NonNullable<State["held"]>,
  timeZone: string,
): string {
  const lists = listed === 0 ? "no machine at all" : `only ${formatMachines(listed)}`;
  const rest =
    missing === 1
      ? "The one that is missing stays as it is."
      : `The ${formatNumber(missing)} that are missing stay as they are.`;
  return `Since ${formatDateTime(at, timeZone)} SmartVend lists ${lists}. ${rest}`;
}
