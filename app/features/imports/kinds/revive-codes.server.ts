/** Brings back the codes of an import that was undone, with the same file (RULES I4). */
import type { Knex } from "knex";
import { query } from "../../../db/connection.server";
import { ImportOutdated, type ImportRun } from "../import-steps.server";

const chunkSize = 10_000;

/** @throws ImportOutdated: the codes are not those of the file any more */
export async function reviveCodes(
  trx: Knex.Transaction,
  { importId, onProgress, signal }: ImportRun,
  undoneId: string,
): Promise<void> {
  await query(
    trx,
    `update mass_generations set is_deleted = false, deleted_at = null, import_id = :importId,
       version = version + 1
     where import_id = :undoneId`,
    { importId, undoneId },
  );
  for (let done = 0; ;) {
    signal.throwIfAborted();
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `update promotions set is_deleted = false, deleted_at = null, import_id = :importId,
         version = version + 1, updated_at = now()
       where id in (select id from promotions where import_id = :undoneId order by id limit ${chunkSize})`,
      { importId, undoneId },
    );
    done += rowCount;
    await onProgress(done);
    if (rowCount < chunkSize) break;
  }
  const left = await query(
    trx,
    `select line from import_rows r where r.import_id = :importId and not exists (
       select from promotions p where p.code = r.code and p.import_id = :importId) limit 1`,
    { importId },
  );
  if (left.length > 0) throw new ImportOutdated();
}
