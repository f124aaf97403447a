/**
 * Moves a month of transactions, attempts and events into a file. Redemption ids and all sums stay, so that a machine
 * that asks again is answered, and figures go on. The oldest month goes first.
 */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Knex } from "knex";
import pg from "pg";
import { db, one, query } from "../../db/connection.server";
import { makePartitions } from "../../db/partitions.server";
import { siteTimeZone } from "../../db/site.server";
import { EnvironmentError } from "../../env.server";
import { recordAction, systemActor } from "../activity/audit-log.server";
import {
  campaignRedemptions,
  campaignRefusals,
  dailyRedemptions,
  dailyRefusals,
  summaryVersion,
  type SummaryPart,
} from "../reports/summary-sql.server";
import {
  archivedTables,
  boundsOf,
  isInMonthSql,
  sumsSql,
  writeMonth,
  type ArchivedSums,
} from "./archived-file.server";
import { addMonths, isMonth, minMonthsAtHand, monthName, monthOf } from "./month";

/** The advisory lock of this command: any number that never changes. */
const archiveLock = 7_203_513;

/**
 * Archives a month.
 * @param url of a role that owns the tables, to which `db()` is connected too
 * @param month as YYYY-MM
 * @throws EnvironmentError if the month can't be archived, or the file can't be written
 */
export function archiveMonth(
  url: string,
  month: string,
  file: string,
): Promise<ArchivedSums & { bytes: number }> {
  return withArchiveLock(url, async (client) => {
    if (!isMonth(month))
      throw new EnvironmentError(`"${month}" is no month: write it as 2025-01, for example.`);
    const archived = await findArchived(month);
    if (archived?.isRemoved === false) {
      await removeRows(month);
      throw new EnvironmentError(
        `${monthName(month)} was archived before, and what was left of its rows is removed now.`,
      );
    }
    await makePartitions();
    await assertArchivable(month);
    const { sums, sha256, bytes } = await writeMonth(client, month, file);
    try {
      await runBriefly((trx) => detachMonth(trx, sums, sha256));
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
    await removeRows(month);
    return { ...sums, bytes };
  });
}

/** Runs `work` on a connection while no other process archives. */
export async function withArchiveLock<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "promo-console archive",
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ isMine: boolean }>(
      `select pg_try_advisory_lock(${archiveLock}) as "isMine"`,
    );
    if (!rows[0]!.isMine) throw new EnvironmentError("Another process archives at the moment.");
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const maxAttempts = 100;

/** Runs a transaction that locks tables, again where others hold these. Redemptions that come meanwhile wait behind it. */
export async function runBriefly(work: (trx: Knex.Transaction) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db().transaction(async (trx) => {
        await trx.raw("set local lock_timeout = '300ms'; set local statement_timeout = 0");
        await work(trx);
      });
    } catch (error) {
      const isLocked =
        error instanceof pg.DatabaseError && ["55P03", "40P01"].includes(error.code ?? "");
      if (!isLocked || attempt === maxAttempts) throw error;
      await delay(500);
    }
  }
}

export function findArchived(month: string) {
  return one<{ sha256: string; isRemoved: boolean }>(
    db(),
    "select sha256, is_removed from archived_months where month = cast(:first as date)",
    { first: `${month}-01` },
  );
}

async function assertArchivable(month: string): Promise<void> {
  const name = monthName(month);
  const rows = await one<{ now: Date; oldest: Date | null; isArchived: boolean }>(
    db(),
    `select now() as now, least((select min(created_at) from transactions),
         (select min(created_at) from redemption_attempts)) as oldest,
       exists (select from archived_months where month = cast(:first as date)) as is_archived`,
    { first: `${month}-01` },
  );
  const { now, oldest, isArchived } = rows!;
  if (isArchived) throw new EnvironmentError(`${name} is archived already.`);
  if (addMonths(month, minMonthsAtHand + 1) > monthOf(now))
    throw new EnvironmentError(
      `${name} is too young: ${minMonthsAtHand} full months after it stay in the database.`,
    );
  if (oldest === null || monthOf(oldest) > month)
    throw new EnvironmentError(`${name} has neither transactions nor attempts.`);
  if (monthOf(oldest) < month)
    throw new EnvironmentError(
      `The oldest month goes first: archive ${monthName(monthOf(oldest))} before ${name}.`,
    );
}

/**
 * Locks the summary and what follows the events, so that neither changes meanwhile.
 * @throws EnvironmentError if they lack a row of the month, or of later ones
 */
export async function assertSummedUp(trx: Knex.Transaction): Promise<void> {
  await trx.raw("select from activity_summary for no key update");
  await trx.raw("select from event_log for no key update");
  const state = await one<{ isComplete: boolean }>(
    trx,
    `select s.version = :summaryVersion and s.has_code_counts
       and least(s.last_transaction_id, l.last_transaction_id) >= coalesce((
         select max(id) from transactions where created_at < now() - interval '1 year'), 0)
       and least(s.last_attempt_id, l.last_attempt_id) >= coalesce((
         select max(id) from redemption_attempts where created_at < now() - interval '1 year'), 0) as is_complete
     from activity_summary s, event_log l`,
    { summaryVersion },
  );
  if (!state!.isComplete)
    throw new EnvironmentError(
      "The summary is not complete yet: start Promo Console and try again in a minute, or run npm run summary -- rebuild.",
    );
}

/**
 * Detaching a partition changes the triggers of what it refers to. A redemption locks these tables before those with
 * partitions: in another order each would wait for the other.
 */
async function lockReferenced(trx: Knex.Transaction): Promise<void> {
  const rows = await query<{ name: string }>(
    trx,
    `select distinct confrelid::regclass::text as name from pg_constraint
     where conrelid = 'transactions'::regclass and contype = 'f' order by 1 desc`,
  );
  await trx.raw(
    `lock table ${rows.map(({ name }) => name).join(", ")} in share row exclusive mode`,
  );
}

/** Notes the month with its sums, and detaches its partitions, in one transaction. */
async function detachMonth(
  trx: Knex.Transaction,
  sums: ArchivedSums,
  sha256: string,
): Promise<void> {
  const { month } = sums;
  const first = `${month}-01`;
  await assertSummedUp(trx);
  const now = await one<ArchivedSums>(trx, sumsSql(month));
  if (JSON.stringify(now) !== JSON.stringify(sums))
    throw new EnvironmentError(
      `${monthName(month)} has changed while it was written. Nothing was archived; try again.`,
    );
  await query(
    trx,
    `insert into archived_months (month, transactions, redemptions, discount, attempts, events, sha256)
     values (cast(:first as date), :transactions, :redemptions, :discount, :attempts, :events, :sha256)`,
    { ...sums, first, sha256 },
  );
  const bindings = { first, timeZone: siteTimeZone() };
  await query(
    trx,
    insertSumsSql("archived_daily_activity", [dailyRedemptions, dailyRefusals], month),
    bindings,
  );
  await query(
    trx,
    insertSumsSql("archived_campaign_activity", [campaignRedemptions, campaignRefusals], month),
    bindings,
  );
  await recordAction(trx, systemActor, "site.month_archived", "1", {
    covered: 0,
    details: { ...sums, sha256 },
  });
  const partitions = await partitionsOf(trx, month);
  await lockReferenced(trx);
  for (const { parent, name } of partitions)
    await trx.raw(`alter table ${parent} detach partition ${name}`);
}

/** Inserts what the rows of a month sum up to, of redemptions and of refusals. */
function insertSumsSql(table: string, parts: SummaryPart[], month: string): string {
  const { key } = parts[0]!;
  const columns = parts.flatMap((part) => Object.entries(part.columns));
  const [redemptions, refusals] = parts.map(({ source, rowsSql }) =>
    rowsSql(isInMonthSql(`${source === "transactions" ? "t" : "a"}.created_at`, month)),
  );
  const values = columns.map(([name, { empty }]) => `coalesce(${name}, ${empty})`);
  return `insert into ${table} (archived_month, ${[...key, ...columns.map(([name]) => name)].join(", ")})
    select cast(:first as date), ${[...key, ...values].join(", ")}
    from (${redemptions}) redemptions full join (${refusals}) refusals using (${key.join(", ")})`;
}

type Partition = { parent: string; name: string };

/** Finds the partitions that hold a month and nothing else. */
function partitionsOf(trx: Knex, month: string): Promise<Partition[]> {
  const { from, to } = boundsOf(month);
  return query(
    trx,
    `select parent, name from table_partitions
     where begins = cast(:from as timestamptz) and ends = cast(:to as timestamptz)`,
    { from, to },
  );
}

const batch = 5_000;

/**
 * Drops a table that was a partition. Its references go one by one: each locks the table that it refers to, and together
 * they would wait for redemptions that wait for them.
 */
export async function dropDetached(table: string): Promise<void> {
  const found = await one(
    db(),
    "select 1 as found from pg_class where oid = to_regclass(:table) and not relispartition",
    { table },
  );
  if (!found) return;
  const references = await query<{ name: string }>(
    db(),
    "select conname as name from pg_constraint where conrelid = to_regclass(:table) and contype = 'f'",
    { table },
  );
  for (const { name } of references)
    await runBriefly(async (trx) => {
      await trx.raw(`alter table ${table} drop constraint ${name}`);
    });
  await db().raw(`drop table ${table}`);
}

/** The name of a partition of one month, as `make_partition` makes it. */
export const partitionName = (table: string, month: string) =>
  `${table}_${month.replace("-", "_")}`;

/**
 * Drops the partitions of an archived month, and deletes what a partition of several months has of it: the first one of a database
 * that is older than its partitions, which begins after it then.
 */
export async function removeRows(month: string): Promise<void> {
  for (const { name, time, key } of archivedTables) {
    await dropDetached(partitionName(name, month));
    for (let deleted = batch; deleted === batch;) {
      const rows = await query(
        db(),
        `delete from ${name} where (${key}) in (
           select ${key} from ${name} where ${isInMonthSql(time, month)} limit ${batch}) returning 1`,
      );
      deleted = rows.length;
    }
    await beginAfter(name, time, month);
  }
  await query(
    db(),
    "update archived_months set is_removed = true where month = cast(:first as date)",
    { first: `${month}-01` },
  );
}

async function beginAfter(parent: string, time: string, month: string): Promise<void> {
  const { from, to } = boundsOf(month);
  const partition = await one<{ name: string; ends: string }>(
    db(),
    `select name, cast(ends as text) as ends from table_partitions
     where parent = :parent and begins <= cast(:from as timestamptz) and ends > cast(:to as timestamptz)`,
    { parent, from, to },
  );
  if (!partition) return;
  const { name, ends } = partition;
  const constraint = `${parent}_begins`;
  await runBriefly(async (trx) => {
    await trx.raw(`alter table ${name} drop constraint if exists ${constraint},
      add constraint ${constraint} check (${time} >= '${to}' and ${time} < '${ends}') not valid`);
  });
  await db().transaction(async (trx) => {
    await trx.raw("set local statement_timeout = 0");
    await trx.raw(`alter table ${name} validate constraint ${constraint}`);
  });
  await runBriefly(async (trx) => {
    await lockReferenced(trx);
    await trx.raw(`alter table ${parent} detach partition ${name};
      alter table ${parent} attach partition ${name} for values from ('${to}') to ('${ends}');
      alter table ${name} drop constraint ${constraint}`);
  });
}
