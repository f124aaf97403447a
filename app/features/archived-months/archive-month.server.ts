/**
 * Moves a month of transactions, attempts and events into a file. Redemption ids and all sums stay, so that a machine
 * that asks again is answered, and figures go on. The oldest month goes first.
 */
import { rmSync } from "node:fs";
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { makePartitions } from "../../db/partitions.server";
import { hasSampleData } from "../../db/sample-data.server";
import { siteTimeZone } from "../../db/site.server";
import { EnvironmentError } from "../../env.server";
import { recordAction, systemActor } from "../activity/audit-log.server";
import {
  campaignRedemptions,
  campaignRefusals,
  dailyRedemptions,
  dailyRefusals,
  sourceNames,
  type SummaryPart,
} from "../reports/summary-sql.server";
import {
  assertArchiveOf,
  assertSummedUp,
  findArchived,
  runBriefly,
  withArchiveLock,
} from "./archive-steps.server";
import { isInMonthSql, sumsSql, writeMonth, type ArchivedSums } from "./archived-file.server";
import { lockReferenced, partitionName, partitionsOf, removeRows } from "./month-rows.server";
import { addMonths, isMonth, minMonthsAtHand, monthName, monthOf } from "./month";

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
      await assertArchiveOf(archived, month, file);
      await removeRows(month);
      throw new EnvironmentError(
        `${monthName(month)} was archived before, and what was left of its rows is removed now.`,
      );
    }
    await makePartitions();
    await assertArchivable(month);
    const { sums, sha256, bytes } = await writeMonth(client, month, file);
    let isCommitting = false;
    try {
      await runBriefly(async (trx) => {
        isCommitting = false;
        await detachMonth(trx, sums, sha256);
        isCommitting = true;
      });
    } catch (error) {
      if (isCommitting)
        throw new EnvironmentError(
          `The answer of the database was lost, so ${monthName(month)} may be archived: keep ${file}, and run the command again.`,
        );
      rmSync(file, { force: true });
      throw error;
    }
    await removeRows(month);
    return { ...sums, bytes };
  });
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
  if (await hasSampleData())
    throw new EnvironmentError(
      "Remove the sample data first, as an admin: figures would count its archived redemptions for good.",
    );
  if (oldest === null || monthOf(oldest) > month)
    throw new EnvironmentError(`${name} has neither transactions nor attempts.`);
  if (monthOf(oldest) < month)
    throw new EnvironmentError(
      `The oldest month goes first: archive ${monthName(monthOf(oldest))} before ${name}.`,
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
  for (const { parent, name } of partitions) {
    await trx.raw(`alter table ${parent} detach partition ${name}`);
    // The first partition of a database that is older than its partitions is named by where it ends.
    const detached = partitionName(parent, month);
    if (name !== detached) await trx.raw(`alter table ${name} rename to ${detached}`);
  }
}

/** Inserts what the rows of a month sum up to, of redemptions and of refusals. */
function insertSumsSql(table: string, parts: SummaryPart[], month: string): string {
  const { key } = parts[0]!;
  const columns = parts.flatMap((part) => Object.entries(part.columns));
  const [redemptions, refusals] = parts.map(({ source, rowsSql }) =>
    rowsSql(isInMonthSql(`${sourceNames[source].row}.created_at`, month)),
  );
  const values = columns.map(([name, { empty }]) => `coalesce(${name}, ${empty})`);
  return `insert into ${table} (archived_month, ${[...key, ...columns.map(([name]) => name)].join(", ")})
    select cast(:first as date), ${[...key, ...values].join(", ")}
    from (${redemptions}) redemptions full join (${refusals}) refusals using (${key.join(", ")})`;
}
