import { db, one, probeDb } from "../../db/connection.server";
import { formatDateTime } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";
import {
  failureMessage,
  type PlatformFailure,
} from "../../services/vending-platform/vending-platform";
import { platformKind } from "./platform.server";

type PlatformState = Awaited<ReturnType<typeof readPlatformState>>;

type StateRow = {
  /** When the last successful attempt ended; null: none yet. */
  succeededAt: Date | null;
  /** Seconds since then, by the database's clock. */
  age: number | null;
  /** When the first attempt since the last success failed; the reason is that of the last one. */
  failingSince: Date | null;
  failureReason: PlatformFailure | null;
  failureStatus: number | null;
  /** Items of the last list that could not be read. */
  badItems: { count: number; examples: string[] };
  /** Set if that list waits for an admin because it lacks many machines. */
  heldAt: Date | null;
  listed: number | null;
  missing: number;
};

export async function readPlatformState() {
  const row = await one<StateRow>(
    db(),
    `select succeeded_at, failing_since, failure_reason, failure_status,
       json_build_object('count', bad_items, 'examples', bad_item_examples) as bad_items,
       held_at, held_listed as listed, cardinality(held_machine_ids) as missing,
       greatest(0, extract(epoch from now() - succeeded_at))::float8 as age
     from platform_sync`,
    {},
    { isPrepared: true },
  );
  const { failingSince, failureReason, failureStatus, heldAt, listed, missing, ...state } = row!;
  return {
    ...state,
    failure:
      failingSince && failureReason
        ? { message: failureMessage(failureReason, failureStatus), since: failingSince }
        : null,
    held: heldAt && listed !== null ? { since: heldAt, missing, listed } : null,
  };
}

/** Returns the seconds since the last successful sync, infinitely many before the first; null without a platform. */
export async function readSyncAge(): Promise<number | null> {
  const row = await one<{ age: number | null }>(
    probeDb(),
    "select extract(epoch from now() - succeeded_at)::float8 as age from platform_sync",
  );
  return row?.age ?? ((await platformKind(probeDb())) === "none" ? null : Infinity);
}

/** The state as messages; null where there is nothing to say. */
export type PlatformView = ReturnType<typeof toPlatformView>;

export function toPlatformView(state: PlatformState, timeZone: string) {
  return {
    failure: state.failure && describeFailure(state, state.failure, timeZone),
    badItems: state.badItems.count > 0 ? describeBadItems(state.badItems) : null,
    held: state.held && describePendingDeletion(state.held, timeZone),
  };
}

function describeFailure(
  { succeededAt, age }: PlatformState,
  { message, since }: NonNullable<PlatformState["failure"]>,
  timeZone: string,
): string {
  const machines =
    succeededAt && age !== null
      ? `The machines shown are from ${formatDateTime(succeededAt, timeZone)}, ${describeAge(age)}.`
      : "Its list has not been read yet.";
  return `${message} ${machines} No refresh has succeeded since ${formatDateTime(since, timeZone)}.`;
}

function describeAge(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 120) return `${countOf(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} hours ago`;
  return `${formatNumber(Math.floor(hours / 24))} days ago`;
}

function describeBadItems({ count, examples }: PlatformState["badItems"]) {
  const rest = count - examples.length;
  return {
    message:
      count === 1
        ? "1 item in SmartVend's list is not valid:"
        : `${formatNumber(count)} items in SmartVend's list are not valid:`,
    examples,
    more: rest > 0 ? `and ${formatNumber(rest)} more` : null,
  };
}

function describePendingDeletion(
  { since, missing, listed }: NonNullable<PlatformState["held"]>,
  timeZone: string,
): string {
  const lists = listed === 0 ? "no machine at all" : `only ${countOf(listed, "machine")}`;
  const rest =
    missing === 1
      ? "The missing machine is not changed."
      : `The ${formatNumber(missing)} missing machines are not changed.`;
  return `Since ${formatDateTime(since, timeZone)} SmartVend lists ${lists}. ${rest}`;
}

type HeldList = {
  /** Identifies exactly this set of missing machines. */
  id: string;
  listed: number;
  /** The number of machines that are not deleted here, and how many of them the list lacks. */
  all: number;
  missing: number;
  machines: { serialNumber: string; humanName: string }[];
};

const maxMachinesListed = 20;

export async function readHeldList(): Promise<HeldList | null> {
  return one(
    db(),
    `select held_id as id, held_listed as listed,
       cardinality(held_machine_ids) as missing,
       (select count(*)::integer from machines where not is_deleted) as "all",
       (select coalesce(json_agg(json_build_object(
            'serialNumber', serial_number, 'humanName', human_name) order by serial_number), '[]')
        from (select * from machines where id = any(held_machine_ids)
          order by serial_number limit ${maxMachinesListed}) m) as machines
     from platform_sync where held_id is not null`,
  );
}
