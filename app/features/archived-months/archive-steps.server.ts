/** Steps that archiving a month and attaching it again have in common. */
import type { Knex } from "knex";
import pg from "pg";
import { connectionTo, db, one, readValue } from "../../db/connection.server";
import { isLockConflict } from "../../db/database-errors.server";
import { acquireMigrationLock } from "../../db/migration-lock.server";
import { runWithRetry } from "../../db/retry.server";
import { EnvironmentError } from "../../env.server";
import { summaryVersion } from "../reports/summary-sql.server";
import { hashOf } from "./archived-file.server";
import { monthName } from "./month";

/** The advisory lock of this command: any number that never changes. */
const archiveLock = 7_203_513;

/** Runs `work` on a connection while no other process archives or migrates. */
export async function withArchiveLock<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connectionTo(url, { name: "promo-console archive" }));
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ isMine: boolean }>(
      `select pg_try_advisory_lock(${archiveLock}) as "isMine"`,
    );
    if (!rows[0]!.isMine) throw new EnvironmentError("Another process archives at the moment.");
    await acquireMigrationLock(client, { isShared: true });
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs a transaction that locks tables, again where others hold these. Redemptions that come meanwhile wait behind it. */
export function runBriefly(work: (trx: Knex.Transaction) => Promise<void>): Promise<void> {
  return runWithRetry(
    () =>
      db().transaction(async (trx) => {
        await trx.raw("set local lock_timeout = '300ms'; set local statement_timeout = 0");
        await work(trx);
      }),
    { maxAttempts: 100, isTransient: isLockConflict, delayMs: 500 },
  );
}

/** Adds a constraint to a table and checks its rows while nobody waits. */
export async function addConstraint(table: string, name: string, definition: string) {
  await runBriefly(async (trx) => {
    await trx.raw(`alter table ${table} drop constraint if exists ${name},
      add constraint ${name} ${definition} not valid`);
  });
  await db().transaction(async (trx) => {
    await trx.raw("set local statement_timeout = 0");
    await trx.raw(`alter table ${table} validate constraint ${name}`);
  });
}

export function findArchived(month: string) {
  return one<{ sha256: string; isRemoved: boolean }>(
    db(),
    "select sha256, is_removed from archived_months where month = cast(:first as date)",
    { first: `${month}-01` },
  );
}

/** @throws EnvironmentError if a file is not the one to which an archived month was written */
export async function assertArchiveOf(archived: { sha256: string }, month: string, file: string) {
  if (archived.sha256 !== (await hashOf(file)))
    throw new EnvironmentError(`${file} is not the archive that was made of ${monthName(month)}.`);
}

/**
 * Locks the summary and what follows the events, so that neither changes meanwhile.
 * @throws EnvironmentError if they lack a row of the month, or of later ones
 */
export async function assertSummedUp(trx: Knex.Transaction): Promise<void> {
  await trx.raw("select from activity_summary for no key update");
  await trx.raw("select from event_log for no key update");
  const isComplete = await readValue<boolean>(
    trx,
    `select s.version = :summaryVersion and s.has_code_counts
       and least(s.last_transaction_id, l.last_transaction_id) >= coalesce((
         select max(id) from transactions where created_at < now() - interval '1 year'), 0)
       and least(s.last_attempt_id, l.last_attempt_id) >= coalesce((
         select max(id) from redemption_attempts where created_at < now() - interval '1 year'), 0)
     from activity_summary s, event_log l`,
    { summaryVersion },
  );
  if (!isComplete)
    throw new EnvironmentError(
      "The summary is not complete yet: start Promo Console and try again in a minute, or run npm run summary -- rebuild.",
    );
}
