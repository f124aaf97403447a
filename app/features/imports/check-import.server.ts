/** The dry run of an import: says for each row whether it can be imported, and writes nothing else (RULES I2). */
import { siteToday } from "../../db/site.server";
import { db, one, query } from "../../db/connection.server";
import type { ImportKind } from "./import-kinds";
import { importSteps } from "./kinds/steps.server";

const longTimeouts = "set local statement_timeout = '10min'; set local lock_timeout = 0";

/**
 * Judges all rows, and stores what they would make.
 * @throws the reason of the signal, when the process stops
 */
export async function checkImport(id: string): Promise<void> {
  await analyzeRows();
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
    await prepare?.(trx, id);
    const today = await siteToday();
    for (const rule of rules)
      await query(
        trx,
        `update import_rows r set problem = broken.reason from (${rule}) broken
         where r.import_id = :importId and r.line = broken.line and r.problem is null`,
        { importId: id, revivedId, today },
      );
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

/** Ends before the dry run begins, because its lock would keep other dry runs waiting. */
async function analyzeRows(): Promise<void> {
  await db().transaction(async (trx) => {
    await trx.raw(longTimeouts);
    await trx.raw("analyze import_rows");
  });
}
