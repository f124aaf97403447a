import type { Knex } from "knex";
import { db, one } from "../../db/connection.server";
import { runAsJob } from "../../db/job-runner.server";
import { countAttempt } from "../../db/rate-limits.server";
import { conflict } from "../../errors";
import {
  PlatformError,
  type PlatformListing,
  type VendingPlatform,
} from "../../services/vending-platform/vending-platform";
import { type Actor, recordAction } from "../activity/audit-log.server";
import { findStoredResult, withIdempotency } from "../activity/idempotency.server";
import { currentPlatform, releaseMachines } from "./platform.server";

/** A list that lacks more machines than both of these waits for an admin. */
const maxMissing = 5;
const maxMissingPercent = 20;

/** The job that asks the platform, by itself and for whoever waits for it. */
export const syncJob = { kind: "machine_sync", everySeconds: 300 };

/** After this many failures in a row, automatic attempts are at least this many seconds apart. */
const failuresUntilPause = 5;
const pauseSeconds = 30;

export type SyncOutcome =
  /** The list was read; `held` machines are missing in it but stay until an admin confirms. */
  | { kind: "done"; flagged: number; held: number }
  /** There was no list, so nothing has changed. */
  | { kind: "failed"; message: string }
  | { kind: "busy" }
  /** There is no platform. */
  | { kind: "none" }
  /** The platform has failed too often to be asked again now. */
  | { kind: "paused" };

/** Confirms that the machines which a held list lacks are gone. */
export type Confirmation = { heldId: string; actor: Actor };

export type SyncOptions = {
  platform?: VendingPlatform;
  /** Set for syncs that no user waits for: they pause when the platform keeps failing. */
  isAutomatic?: boolean;
  /** Set for a sync that the job runs, which has the lease. */
  isLeased?: boolean;
  confirmation?: Confirmation;
};

type State = {
  failuresInRow: number;
  isRecent: boolean;
  heldId: string | null;
  heldMachineIds: string[];
};

/**
 * Updates the machines to what the platform lists: adds new ones, updates names, flags machines
 * that are no longer listed as deleted, and brings them back when they are listed again.
 * Assignments and history stay. Without a readable list nothing changes; with one that is empty or
 * much shorter than before, nothing is flagged until an admin confirms exactly that list. One sync
 * runs at a time, over all instances, and asks the platform outside of any transaction.
 * @throws DomainError conflict: the list that is confirmed is no longer the one that waits
 */
export async function syncMachines(options: SyncOptions = {}): Promise<SyncOutcome> {
  if (options.isLeased) return syncOnce(options);
  const leased = await runAsJob(syncJob.kind, syncJob.everySeconds, () => syncOnce(options));
  return leased?.result ?? { kind: "busy" };
}

async function syncOnce({
  isAutomatic = false,
  confirmation,
  ...options
}: SyncOptions): Promise<SyncOutcome> {
  const platform = options.platform ?? (await currentPlatform());
  if (platform === null) {
    await releaseMachines();
    return { kind: "none" };
  }
  const state = await readState(db());
  if (isAutomatic && state.failuresInRow >= failuresUntilPause && state.isRecent)
    return { kind: "paused" };
  if (confirmation) {
    const confirmed = await findConfirmed(confirmation);
    if (confirmed) return confirmed;
    assertHeld(state, confirmation);
  }
  return fetchAndApply(platform, confirmation);
}

async function readState(database: Knex, lock: "for update" | "" = ""): Promise<State> {
  const state = await one<State>(
    database,
    `select failures_in_row, held_id, held_machine_ids,
       attempted_at > now() - make_interval(secs => :pauseSeconds) as is_recent
     from platform_sync ${lock}`,
    { pauseSeconds },
  );
  return state!;
}

async function fetchAndApply(
  platform: VendingPlatform,
  confirmation: Confirmation | undefined,
): Promise<SyncOutcome> {
  let listing: PlatformListing;
  try {
    listing = await platform.listMachines();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { reason, status } = error;
    await db().raw(
      `update platform_sync set attempted_at = now(),
         failing_since = coalesce(failing_since, now()),
         failures_in_row = failures_in_row + 1,
         failure_reason = :reason, failure_status = :status`,
      { reason, status },
    );
    return { kind: "failed", message: error.message };
  }
  return db().transaction((trx) => apply(trx, listing, confirmation));
}

/** The id of a held list is also the key under which its confirmation runs once. */
const confirmationKey = ({ heldId, actor }: Confirmation) => ({
  userId: actor.id,
  key: `held-${heldId}`,
});

/** Returns what the same confirmation came to when it was sent before, or null. */
async function findConfirmed(confirmation: Confirmation): Promise<SyncOutcome | null> {
  const { userId, key } = confirmationKey(confirmation);
  if (!/^held-[\da-f-]{36}$/.test(key)) return null;
  const earlier = await findStoredResult<{ flagged: number }>(userId, key);
  return earlier && { kind: "done", flagged: earlier.flagged ?? 0, held: 0 };
}

function assertHeld(state: State, confirmation: Confirmation): void {
  if (state.heldId !== confirmation.heldId)
    throw conflict("SmartVend's list has changed. Review it again before you confirm.");
}

async function apply(
  trx: Knex.Transaction,
  listing: PlatformListing,
  confirmation: Confirmation | undefined,
): Promise<SyncOutcome> {
  const state = await readState(trx, "for update");
  if (confirmation) assertHeld(state, confirmation);

  // Counted before the list is applied: its new machines must not make the missing share smaller.
  const { all, missing, manual } = await findMissing(trx, listing);
  await applyListing(trx, listing);

  const heldBefore = new Set(state.heldMachineIds);
  const isTooShort =
    listing.machines.length === 0 ||
    (missing.length > maxMissing && missing.length * 100 > all * maxMissingPercent);
  const questionable = new Set(isTooShort ? missing : manual);
  const gone = missing.filter((id) => (confirmation ? heldBefore.has(id) : !questionable.has(id)));
  const held = confirmation ? [] : [...questionable];

  await trx.raw(
    `update machines set is_deleted = true, deleted_at = now(), updated_at = now()
     where id = any(?::bigint[])`,
    [gone],
  );
  if (confirmation)
    await withIdempotency(trx, { ...confirmationKey(confirmation), input: {} }, async () => ({
      flagged: gone.length,
    }));
  if (confirmation && gone.length > 0)
    await recordAction(trx, confirmation.actor, "machine.deletion_confirmed", gone, {
      details: { machines: all, listed: listing.machines.length },
    });
  const isHeldAsBefore = held.length === heldBefore.size && held.every((id) => heldBefore.has(id));
  await trx.raw(
    `update platform_sync set attempted_at = now(), succeeded_at = now(), failing_since = null,
       failures_in_row = 0, failure_reason = null, failure_status = null,
       bad_items = :badItems, bad_item_examples = :examples::text[],
       held_id = case when :isHeld then
         case when :isHeldAsBefore then held_id else gen_random_uuid() end end,
       held_at = case when :isHeld then coalesce(held_at, now()) end,
       held_listed = case when :isHeld then :listed::integer end,
       held_machine_ids = :held::bigint[]`,
    {
      badItems: listing.badItems.count,
      examples: listing.badItems.examples,
      isHeld: held.length > 0,
      isHeldAsBefore,
      listed: listing.machines.length,
      held,
    },
  );
  return { kind: "done", flagged: gone.length, held: held.length };
}

/** Finds the machines that the list lacks, with those that admins added, and counts all that are not deleted here. */
async function findMissing(trx: Knex.Transaction, { machines, unclear }: PlatformListing) {
  const found = await one<{ all: number; missing: string[]; manual: string[] }>(
    trx,
    `select count(*)::integer as "all",
       coalesce(array_agg(m.id order by m.id) filter (where listed.serial_number is null), '{}')
         as missing,
       coalesce(array_agg(m.id order by m.id)
         filter (where listed.serial_number is null and m.is_manual), '{}') as manual
     from machines m
     left join unnest(?::text[]) as listed (serial_number) using (serial_number)
     where not m.is_deleted`,
    [[...machines.map(({ serialNumber }) => serialNumber), ...unclear]],
  );
  return found!;
}

/** Writes only the rows that differ. */
async function applyListing(trx: Knex.Transaction, { machines }: PlatformListing): Promise<void> {
  const bindings = {
    serials: machines.map(({ serialNumber }) => serialNumber),
    names: machines.map(({ humanName }) => humanName),
    seen: machines.map(({ lastSeen }) => lastSeen?.toISOString() ?? null),
  };
  const listed = `unnest(:serials::text[], :names::text[], :seen::timestamptz[])
    as listed (serial_number, human_name, last_seen_at)`;
  await trx.raw(
    `update machines m
     set human_name = listed.human_name, is_deleted = false, deleted_at = null, is_manual = false,
       last_seen_at = coalesce(listed.last_seen_at, m.last_seen_at), updated_at = now()
     from ${listed}
     where m.serial_number = listed.serial_number
       and (m.is_deleted or m.is_manual or m.human_name <> listed.human_name
         or m.last_seen_at is distinct from coalesce(listed.last_seen_at, m.last_seen_at))`,
    bindings,
  );
  await trx.raw(
    `insert into machines (serial_number, human_name, last_seen_at)
     select * from ${listed}
     where not exists (select from machines m where m.serial_number = listed.serial_number)`,
    bindings,
  );
}

/**
 * Consumes the refresh that a user has every 30 s, on all screens and instances together.
 * @returns 0 if it was available, otherwise the seconds to wait
 */
export async function consumeRefreshQuota(userId: string): Promise<number> {
  const limit = { key: `machines-refresh:${userId}`, attempts: 1, windowMs: 30_000 };
  const [counted] = await countAttempt(db(), [limit]);
  return counted!.isExceeded ? Math.ceil(counted!.msLeft / 1_000) : 0;
}
