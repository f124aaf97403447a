/** The background jobs of imports: the dry run, the import, and its undo. */
import type { Knex } from "knex";
import { isConstraintViolation, isStatementTimeout } from "../../db/database-errors.server";
import { addJob, type JobKind, type SubjectJob } from "../../db/jobs.server";
import { recordWrite } from "../../db/replica.server";
import { vacuumPromotions } from "../../db/vacuum.server";
import { countOf } from "../../format/number";
import type { ImportOutcome } from "./import";
import { ImportOutdated, type ImportRun } from "./import-steps.server";
import { siteToday } from "../../db/site.server";
import { db, one, query } from "../../db/connection.server";
import type { ImportKind } from "./import-kinds";
import { importSteps } from "./kinds/steps.server";

const maxTimeouts = 3;
const longTimeouts = "set local statement_timeout = '10min'; set local lock_timeout = 0";

/** Returns the error of an attempt that timed out. The next attempt reads the number of time-outs in a row from it. */
const timeoutError = (times: number) => `This timed out ${countOf(times, "time")}.`;

const countTimeouts = (error: string | null) =>
  Number(/^This timed out (\d+) /.exec(error ?? "")?.[1] ?? 0);

/**
 * Makes a job that begins again after a restart.
 * @param giveUp ends the import after `maxTimeouts` time-outs in a row
 */
function importJob(
  work: (importId: string, signal: AbortSignal) => Promise<void>,
  giveUp?: (importId: string) => Promise<void>,
): JobKind<SubjectJob> {
  return {
    concurrencyLimit: 1,
    async run({ subject, lastError }, signal) {
      try {
        await work(subject, signal);
        await recordWrite();
        return { state: "done" };
      } catch (cause) {
        if (signal.aborted) return { state: "released" };
        if (!giveUp || !isStatementTimeout(cause)) throw cause;
        const timeouts = countTimeouts(lastError) + 1;
        if (timeouts < maxTimeouts) return { state: "retry", error: timeoutError(timeouts) };
        await giveUp(subject);
        return { state: "done" };
      }
    },
  };
}

export const importJobs = {
  import_check: importJob(checkImport, markTooLarge),
  import_run: importJob(runImport, markTooLarge),
  import_undo: importJob(undoRows),
};

/** Ends the dry run or the import of a file, of which nothing was written. */
async function markTooLarge(importId: string): Promise<void> {
  await db().transaction(async (trx) => {
    await query(
      trx,
      `update import_rows set problem = 'Checking this file takes too long. Divide it into several files'
       where import_id = :importId
         and line = (select min(r.line) from import_rows r where r.import_id = :importId)`,
      { importId },
    );
    await query(
      trx,
      `update imports set state = 'checked', outcome = null, position = 0, wrong_rows = greatest(1, (
         select count(*) from import_rows r where r.import_id = :importId and r.problem is not null))
       where id = :importId and state in ('checking', 'importing')`,
      { importId },
    );
  });
}

type Confirmed = { kind: ImportKind; rows: number; outcome: ImportOutcome; confirmedBy: string };

/** Imports all rows or none. When something changed since the dry run, it is made again. */
export async function runImport(importId: string, signal: AbortSignal): Promise<void> {
  try {
    await importRows(importId, signal);
  } catch (cause) {
    if (!(cause instanceof ImportOutdated) && !isConstraintViolation(cause)) throw cause;
    await db().transaction(async (trx) => {
      await query(
        trx,
        "update imports set state = 'checking', position = 0 where id = :importId and state = 'importing'",
        { importId },
      );
      await addJob(trx, { kind: "import_check", subject: importId });
    });
  }
}

async function importRows(importId: string, signal: AbortSignal): Promise<void> {
  const imported = await db().transaction(async (trx) => {
    await trx.raw(longTimeouts);
    const item = await one<Confirmed>(
      trx,
      "select kind, rows, outcome, confirmed_by from imports where id = :importId and state = 'importing'",
      { importId },
    );
    if (!item) return 0;
    const { kind, rows, confirmedBy, outcome } = item;
    const run: ImportRun = {
      importId,
      rows,
      userId: confirmedBy,
      revives: outcome.revives,
      maxCodes: outcome.maxCodes,
      signal,
      // Seen at once, unlike what the transaction writes.
      async onProgress(position) {
        const sql = "update imports set position = :position where id = :importId";
        await query(db(), sql, { importId, position });
      },
    };
    await importSteps[kind].write(trx, run);
    // After the rows were read: a sweep that began before the confirmation may have deleted some meanwhile.
    const isComplete = await one(
      trx,
      "select from import_rows where import_id = :importId having count(*) = :rows",
      { importId, rows },
    );
    if (!isComplete) throw new ImportOutdated();
    await query(
      trx,
      `update imports set state = 'imported', imported_at = clock_timestamp(), position = rows
       where id = :importId`,
      { importId },
    );
    return kind === "codes" ? rows : 0;
  });
  if (imported === 0) return;
  // Its pages call it done from here on.
  await recordWrite();
  await vacuumPromotions();
}

async function undoRows(importId: string, signal: AbortSignal): Promise<void> {
  const item = await one<{ kind: ImportKind }>(
    db(),
    "select kind from imports where id = :importId and state = 'undoing'",
    { importId },
  );
  if (!item) return;
  const stayed = await importSteps[item.kind].undo(importId, signal);
  await query(
    db(),
    `update imports set state = 'undone', position = rows,
       outcome = outcome || jsonb_build_object('stayed', cast(:stayed as jsonb))
     where id = :importId and state = 'undoing'`,
    { importId, stayed: JSON.stringify(stayed) },
  );
}

/**
 * Replaces serial numbers that differ from those of one machine only in case by that machine's own, in the order of
 * `listOf` (RULES M8). One that was deleted may have come back in another case.
 */
async function useStoredCase(trx: Knex.Transaction, importId: string): Promise<void> {
  await query(
    trx,
    `with corrected as materialized (
       select named.serial, min(m.serial_number) filter (where not m.is_deleted) as stored
       from (select distinct unnest(r.machine_serials) as serial from import_rows r
           where r.import_id = :importId) named
         join machines m on lower(m.serial_number) = lower(named.serial)
       group by named.serial
       having count(*) filter (where not m.is_deleted) = 1 and bool_and(m.serial_number <> named.serial)
     )
     update import_rows r set machine_serials = spelled.serials
     from (
       select line, array_agg(serial order by lower(serial) collate "C", serial collate "C") as serials
       from (
         select r.line, coalesce(c.stored, named.serial) as serial, bool_or(c.stored is not null) as is_corrected
         from import_rows r cross join unnest(r.machine_serials) as named (serial)
           left join corrected c using (serial)
         where r.import_id = :importId and exists (select from corrected)
         group by r.line, coalesce(c.stored, named.serial)) same
       group by line having bool_or(is_corrected)) spelled
     where r.import_id = :importId and r.line = spelled.line`,
    { importId },
  );
}

/** Says of each row that rules find faulty why, all reasons at once. Rows with a faulty cell have that reason alone. */
function judgeSql(rules: readonly string[]): string {
  const faults = rules.map(
    (rule, index) =>
      `select ${index} as rule, line, min(reason) as reason from (${rule}) broken group by line`,
  );
  return `update import_rows r set problem = faulty.reasons
    from (select line, string_agg(reason, '. ' order by rule) as reasons
      from (${faults.join(" union all ")}) faults group by line) faulty
    where r.import_id = :importId and r.line = faulty.line and r.problem is null`;
}

/**
 * The dry run of an import: says for each row whether it can be imported, and stores what all would make (RULES I2).
 * @throws the reason of the signal, when the process stops
 */
export async function checkImport(id: string): Promise<void> {
  // Ends before the dry run begins, because its lock would keep other dry runs waiting.
  await db().transaction(async (trx) => {
    await trx.raw(longTimeouts);
    await trx.raw("analyze import_rows");
  });
  await db().transaction(async (trx) => {
    await trx.raw(longTimeouts);
    const item = await one<{ kind: ImportKind; revivedId: string | null }>(
      trx,
      `select i.kind, (select undone.id from imports undone
         where undone.sha256 = i.sha256 and undone.kind = i.kind and undone.state = 'undone'
         order by undone.id desc limit 1) as revived_id
       from imports i where i.id = :id and i.state = 'checking' for update`,
      { id },
    );
    if (!item) return;
    const { kind, revivedId } = item;
    const { prepare, rules, preview } = importSteps[kind];
    // Files of machines add the serial numbers as they are written.
    if (kind !== "machines") await useStoredCase(trx, id);
    await prepare?.(trx, id);
    const today = await siteToday();
    await query(trx, judgeSql(rules), { importId: id, revivedId, today });
    const counted = await one<{ wrong: number }>(
      trx,
      `select count(*)::integer as wrong from import_rows r
       where r.import_id = :id and r.problem is not null`,
      { id },
    );
    const wrongRows = counted!.wrong;
    const outcome =
      wrongRows > 0
        ? null
        : { ...(await preview(trx, id)), ...(revivedId && { revives: revivedId }) };
    await query(
      trx,
      `update imports set state = 'checked', wrong_rows = :wrongRows, outcome = :outcome, position = 0
       where id = :id`,
      { id, wrongRows, outcome: outcome && JSON.stringify(outcome) },
    );
  });
}
