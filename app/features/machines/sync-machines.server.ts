import type { Knex } from "knex";
import {
  platformSyncLock,
  withAdvisoryLock,
  type LockedConnection,
} from "../../db/advisory-lock.server";
import { DomainError } from "../../errors";
import { configuredPlatform } from "../../services/vending-platform/configured-platform.server";
import {
  PlatformError,
  type PlatformListing,
  type VendingPlatform,
} from "../../services/vending-platform/vending-platform";
import { recordAction, type Actor } from "../activity/audit-log.server";

/** More missing machines than this, and more than this share of all, are held back (rulings 4.1). */
const maxMissing = 5;
const maxMissingPercent = 20;

/** After so many failures in a row, automatic attempts are so many seconds apart at least. */
const failuresUntilPause = 5;
const pauseSeconds = 30;

export type SyncOutcome =
  /** The list was read. `held`: so many machines are missing in it that they stay as they are. */
  | { kind: "done"; flagged: number; held: number }
  /** There was no list; nothing has changed. */
  | { kind: "failed"; sentence: string }
  /** Another sync runs at this moment. */
  | { kind: "busy" }
  /** The platform has failed so often that it is given some rest. */
  | { kind: "paused" };

/** An admin's word that the machines of a held list are gone. */
export type Confirmation = { heldId: string; actor: Actor };

export type SyncOptions = {
  platform?: VendingPlatform;
  /** Nobody waits for it: it keeps away from a platform that fails all the time. */
  isAutomatic?: boolean;
  confirmation?: Confirmation;
};

type State = {
  failures_in_row: number;
  is_recent: boolean;
  held_id: string | null;
  held_machine_ids: string[];
};

/**
 * Makes the machines those that the platform lists (rulings 4.1, security F15–F20): new ones are
 * added, names follow, machines that are no longer listed are flagged deleted and come back when
 * they are listed again. Assignments and history stay. Without a list that can be read, nothing
 * changes; with one that is much shorter than before, or has no machine, nothing is flagged until
 * an admin confirms just that. One sync at a time, over all instances; the platform is asked
 * outside any transaction.
 * @throws DomainError conflict, when what is confirmed is no longer what is held
 */
export async function syncMachines({
  platform = configuredPlatform(),
  isAutomatic = false,
  confirmation,
}: SyncOptions = {}): Promise<SyncOutcome> {
  const locked = await withAdvisoryLock(platformSyncLock, async (connection) => {
    const [state] = await connection.query<State>(
      `select failures_in_row, held_id, held_machine_ids,
         attempted_at > now() - make_interval(secs => ?) as is_recent from platform_sync`,
      [pauseSeconds],
    );
    if (isAutomatic && state!.failures_in_row >= failuresUntilPause && state!.is_recent)
      return { kind: "paused" } as const;
    if (confirmation) assertHeld(state!, confirmation);
    return ask(connection, platform, confirmation);
  });
  return locked?.result ?? { kind: "busy" };
}

async function ask(
  connection: LockedConnection,
  platform: VendingPlatform,
  confirmation: Confirmation | undefined,
): Promise<SyncOutcome> {
  let listing: PlatformListing;
  try {
    listing = await platform.listMachines();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    await connection.query(
      `update platform_sync set attempted_at = now(), failing_since = coalesce(failing_since, now()),
         failures_in_row = failures_in_row + 1, failure_reason = ?, failure_status = ?`,
      [error.reason, error.status],
    );
    return { kind: "failed", sentence: error.message };
  }
  return connection.transaction((transaction) => apply(transaction, listing, confirmation));
}

function assertHeld(state: State, confirmation: Confirmation): void {
  if (state.held_id !== confirmation.heldId)
    throw new DomainError(
      "conflict",
      "SmartVend's list has changed since. Look at it again before you confirm it.",
    );
}

async function apply(
  transaction: Knex.Transaction,
  listing: PlatformListing,
  confirmation: Confirmation | undefined,
): Promise<SyncOutcome> {
  const { rows: states } = await transaction.raw<{ rows: State[] }>(
    "select failures_in_row, held_id, held_machine_ids from platform_sync for update",
  );
  const state = states[0]!;
  if (confirmation) assertHeld(state, confirmation);

  // Before the list is taken over: what it adds must not make what it lacks look small.
  const { all, missing } = await findMissing(transaction, listing);
  await applyListing(transaction, listing);

  const heldBefore = new Set(state.held_machine_ids);
  const isTooShort =
    listing.machines.length === 0 ||
    (missing.length > maxMissing && missing.length * 100 > all * maxMissingPercent);
  const gone = confirmation
    ? missing.filter((id) => heldBefore.has(id))
    : isTooShort
      ? []
      : missing;
  const held = confirmation || !isTooShort ? [] : missing;

  await transaction.raw(
    `update machines set is_deleted = true, deleted_at = now(), updated_at = now()
     where id = any(?::bigint[])`,
    [gone],
  );
  if (confirmation && gone.length > 0)
    await recordAction(transaction, {
      actor: confirmation.actor,
      action: "machine.deletion_confirmed",
      subjectType: "machine",
      subjectId: null,
      subjectIds: gone,
      covered: gone.length,
      details: { machines: all, listed: listing.machines.length },
    });
  await keepState(transaction, listing, held, isSameSet(held, heldBefore));
  return { kind: "done", flagged: gone.length, held: held.length };
}

/** The machines that are live here and not in the list, and how many are live in all. */
async function findMissing(
  transaction: Knex.Transaction,
  { machines, unclear }: PlatformListing,
): Promise<{ all: number; missing: string[] }> {
  const { rows } = await transaction.raw<{ rows: { all: number; missing: string[] }[] }>(
    `select count(*)::integer as "all",
       coalesce(array_agg(m.id order by m.id) filter (where listed.serial_number is null), '{}')
         as missing
     from machines m
     left join unnest(?::text[]) as listed (serial_number) using (serial_number)
     where not m.is_deleted`,
    [[...machines.map(({ serialNumber }) => serialNumber), ...unclear]],
  );
  return rows[0]!;
}

/** Writes only what differs. */
async function applyListing(
  transaction: Knex.Transaction,
  { machines }: PlatformListing,
): Promise<void> {
  const bindings = {
    serials: machines.map(({ serialNumber }) => serialNumber),
    names: machines.map(({ humanName }) => humanName),
    seen: machines.map(({ lastSeen }) => lastSeen?.toISOString() ?? null),
  };
  const listed = `unnest(:serials::text[], :names::text[], :seen::timestamptz[])
    as listed (serial_number, human_name, last_seen_at)`;
  await transaction.raw(
    `update machines m
     set human_name = listed.human_name, is_deleted = false, deleted_at = null,
       last_seen_at = coalesce(listed.last_seen_at, m.last_seen_at), updated_at = now()
     from ${listed}
     where m.serial_number = listed.serial_number
       and (m.is_deleted or m.human_name <> listed.human_name
         or m.last_seen_at is distinct from coalesce(listed.last_seen_at, m.last_seen_at))`,
    bindings,
  );
  await transaction.raw(
    `insert into machines (serial_number, human_name, last_seen_at)
     select * from ${listed}
     where not exists (select from machines m where m.serial_number = listed.serial_number)`,
    bindings,
  );
}

async function keepState(
  transaction: Knex.Transaction,
  { machines, badItems }: PlatformListing,
  held: string[],
  isHeldAsBefore: boolean,
): Promise<void> {
  await transaction.raw(
    `update platform_sync set attempted_at = now(), succeeded_at = now(), failing_since = null,
       failures_in_row = 0, failure_reason = null, failure_status = null,
       bad_items = :badItems, bad_item_examples = :examples::text[],
       held_id = case when :isHeld then
         case when :isHeldAsBefore then held_id else gen_random_uuid() end end,
       held_at = case when :isHeld then coalesce(held_at, now()) end,
       held_listed = case when :isHeld then :listed::integer end,
       held_machine_ids = :held::bigint[]`,
    {
      badItems: badItems.count,
      examples: badItems.examples,
      isHeld: held.length > 0,
      isHeldAsBefore,
      listed: machines.length,
      held,
    },
  );
}

function isSameSet(one: readonly string[], other: ReadonlySet<string>): boolean {
  return one.length === other.size && one.every((id) => other.has(id));
}
