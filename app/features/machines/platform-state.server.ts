import { db } from "../../db/connection.server";
import {
  failureMessage,
  type PlatformFailure,
} from "../../services/vending-platform/vending-platform";

/** What is known of the vending platform and of the list that the machines come from. */
export type PlatformState = {
  /** The end of the last attempt that worked, and of the last one at all; null: none yet. */
  succeededAt: Date | null;
  attemptedAt: Date | null;
  /** How long ago the last attempt worked, in seconds of the database's clock. */
  age: number | null;
  /** Why the last attempt failed, and since when each one has. */
  failure: { sentence: string; at: Date } | null;
  /** Of the last list that could be read. */
  badItems: { count: number; examples: string[] };
  /** That list is much shorter than the one before: since when, and by how much. */
  held: { at: Date; missing: number; listed: number } | null;
};

type StateRow = {
  succeeded_at: Date | null;
  attempted_at: Date | null;
  age: number | null;
  failing_since: Date | null;
  failure_reason: PlatformFailure | null;
  failure_status: number | null;
  bad_items: number;
  bad_item_examples: string[];
  held_at: Date | null;
  held_listed: number | null;
  missing: number;
};

export async function readPlatformState(): Promise<PlatformState> {
  const { rows } = await db().raw<{ rows: StateRow[] }>(
    `select succeeded_at, attempted_at, failing_since, failure_reason, failure_status, bad_items,
       bad_item_examples, held_at, held_listed, cardinality(held_machine_ids) as missing,
       greatest(0, extract(epoch from now() - succeeded_at))::float8 as age
     from platform_sync`,
  );
  const row = rows[0]!;
  return {
    succeededAt: row.succeeded_at,
    attemptedAt: row.attempted_at,
    age: row.age,
    failure:
      row.failing_since && row.failure_reason
        ? {
            sentence: failureMessage(row.failure_reason, row.failure_status),
            at: row.failing_since,
          }
        : null,
    badItems: { count: row.bad_items, examples: row.bad_item_examples },
    held:
      row.held_at && row.held_listed !== null
        ? { at: row.held_at, missing: row.missing, listed: row.held_listed }
        : null,
  };
}

/** A list that waits for an admin. */
export type HeldList = {
  /** Names exactly this set of missing machines. */
  id: string;
  at: Date;
  listed: number;
  /** How many machines are live here, and how many of them the list lacks. */
  all: number;
  missing: number;
  /** The first of the missing ones, by serial number. */
  machines: { serialNumber: string; humanName: string }[];
};

const maxMachinesListed = 20;

/** @returns null when no list is held back */
export async function readHeldList(): Promise<HeldList | null> {
  const { rows } = await db().raw<{ rows: (Omit<HeldList, "machines"> & { ids: string[] })[] }>(
    `select held_id as id, held_at as at, held_listed as listed, held_machine_ids as ids,
       cardinality(held_machine_ids) as missing,
       (select count(*)::integer from machines where not is_deleted) as "all"
     from platform_sync where held_id is not null`,
  );
  const [held] = rows;
  if (!held) return null;
  const { ids, ...list } = held;
  const { rows: machines } = await db().raw<{ rows: HeldList["machines"] }>(
    `select serial_number as "serialNumber", human_name as "humanName"
     from machines where id = any(?::bigint[]) order by serial_number limit ?`,
    [ids, maxMachinesListed],
  );
  return { ...list, machines };
}
