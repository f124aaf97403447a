import { db, one } from "../../db/connection.server";
import {
  failureMessage,
  type PlatformFailure,
} from "../../services/vending-platform/vending-platform";

/** The state of the vending platform and of the list that the machines come from. */
type PlatformState = {
  /** When the last successful attempt ended, and the last one of all; null: none yet. */
  succeededAt: Date | null;
  attemptedAt: Date | null;
  /** Seconds since the last successful attempt, by the database's clock. */
  age: number | null;
  /** Why the last attempt failed, and when the first one since the last success did. */
  failure: { sentence: string; at: Date } | null;
  /** Items of the last list that could not be read. */
  badItems: { count: number; examples: string[] };
  /** Set if that list waits for an admin because it lacks many machines. */
  held: { at: Date; missing: number; listed: number } | null;
};

export async function readPlatformState(): Promise<PlatformState> {
  const row = (await one<
    Pick<PlatformState, "succeededAt" | "attemptedAt" | "age"> & {
      failingSince: Date | null;
      failureReason: PlatformFailure | null;
      failureStatus: number | null;
      badItems: number;
      badItemExamples: string[];
      heldAt: Date | null;
      heldListed: number | null;
      missing: number;
    }
  >(
    db(),
    `select succeeded_at, attempted_at, failing_since, failure_reason, failure_status, bad_items,
       bad_item_examples, held_at, held_listed, cardinality(held_machine_ids) as missing,
       greatest(0, extract(epoch from now() - succeeded_at))::float8 as age
     from platform_sync`,
  ))!;
  const { succeededAt, attemptedAt, age, failureReason, failingSince, heldAt, heldListed } = row;
  return {
    succeededAt,
    attemptedAt,
    age,
    failure:
      failingSince && failureReason
        ? { sentence: failureMessage(failureReason, row.failureStatus), at: failingSince }
        : null,
    badItems: { count: row.badItems, examples: row.badItemExamples },
    held:
      heldAt && heldListed !== null
        ? { at: heldAt, missing: row.missing, listed: heldListed }
        : null,
  };
}

/** A list that waits for an admin. */
export type HeldList = {
  /** Identifies exactly this set of missing machines. */
  id: string;
  at: Date;
  listed: number;
  /** The number of machines that are not deleted here, and how many of them the list lacks. */
  all: number;
  missing: number;
  /** The first missing machines, by serial number. */
  machines: { serialNumber: string; humanName: string }[];
};

const maxMachinesListed = 20;

/** Returns the list that waits for an admin, or null if there is none. */
export async function readHeldList(): Promise<HeldList | null> {
  return one(
    db(),
    `select held_id as id, held_at as at, held_listed as listed,
       cardinality(held_machine_ids) as missing,
       (select count(*)::integer from machines where not is_deleted) as "all",
       (select coalesce(json_agg(json_build_object(
            'serialNumber', serial_number, 'humanName', human_name) order by serial_number), '[]')
        from (select * from machines where id = any(held_machine_ids)
          order by serial_number limit ${maxMachinesListed}) m) as machines
     from platform_sync where held_id is not null`,
  );
}
