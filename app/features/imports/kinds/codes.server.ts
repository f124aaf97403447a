/** Imports of printed codes: rows with equal terms are a campaign. */
import type { Knex } from "knex";
import { db, one, query } from "../../../db/connection.server";
import { siteToday } from "../../../db/site.server";
import { formatCodes, formatDiscount } from "../../../format/promotion";
import { paths } from "../../../paths";
import type { Promotion } from "../../promotions/promotion";
import { settings } from "../../settings/settings.server";
import { maxNamed, type Imported, type ImportOutcome } from "../import";
import {
  countUndoable,
  ImportOutdated,
  maxImportedShown,
  readPreview,
  type ImportSteps,
} from "../import-steps.server";
import { readCodeRow } from "./code-row";
import { importCodes, numberedCodesSql } from "./import-codes.server";
import { groupRule, machineRule } from "./target-rules";
import { hideImported, reviveCodes, undoCodes } from "./undo-codes.server";

export const codeSteps: ImportSteps = {
  readRow: readCodeRow,
  rules: [
    `select line, 'The same code stands in line ' || first_line as reason
     from (select r.line, min(r.line) over (partition by r.code) as first_line
       from import_rows r where r.import_id = :importId and r.code is not null) same
     where line > first_line`,
    // Codes that an undone import hid come back with the same file alone, beside single codes that stayed.
    `select r.line, case when i.state = 'undone' and (p.is_deleted or g.is_deleted)
           and (g.id is null or g.import_id = i.id)
         then 'This code belongs to an undone import. Only the same file restores it'
         else 'This code exists already' end as reason
     from import_rows r join promotions p on p.code = r.code
       left join imports i on i.id = p.import_id
       left join mass_generations g on g.id = p.mass_generation_id
     where r.import_id = :importId and not coalesce(p.import_id = :revivedId
       and (g.id is null or g.import_id = :revivedId) and (p.is_deleted or g.is_deleted or g.id is null), false)`,
    `select r.line, 'This code was issued before' as reason
     from import_rows r join removed_codes removed on removed.code = r.code
     where r.import_id = :importId`,
    `select r.line, 'Date cannot be in the past' as reason
     from import_rows r where r.import_id = :importId and r.last_day < cast(:today as date)`,
    machineRule,
    groupRule,
  ],
  preview: previewCodes,
  async write(trx, run) {
    await requireFutureDates(trx, run.importId);
    await (run.revives ? reviveCodes(trx, run, run.revives) : importCodes(trx, run));
  },
  // The codes of a mass generation include those that were added later (RULES P8).
  countUndoable: countUndoable(
    `select json_build_object('mass_generations', count(*), 'codes', coalesce(sum(num_codes), 0),
       'single_codes', (select count(*) from promotions
         where import_id = :importId and mass_generation_id is null and not is_deleted)) as counts
     from mass_generations where import_id = :importId and not is_deleted`,
  ),
  startUndo: hideImported,
  undo: undoCodes,
  readImported: readImportedCampaigns,
};

/** @throws ImportOutdated: a date has passed since the dry run; a second admin may decide days after it */
async function requireFutureDates(trx: Knex.Transaction, importId: string): Promise<void> {
  const ended = await one(
    trx,
    `select from import_rows where import_id = :importId and last_day < cast(:today as date) limit 1`,
    { importId, today: await siteToday() },
  );
  if (ended) throw new ImportOutdated();
}

type NamedCampaign = Pick<Promotion, "name" | "discountType" | "discountValue"> & { codes: number };

async function previewCodes(trx: Knex.Transaction, importId: string): Promise<ImportOutcome> {
  const { maxCodes } = settings();
  const preview = await readPreview<NamedCampaign>(
    trx,
    `with campaigns as materialized (
       select min(line) as line, count(*)::integer as codes from (${numberedCodesSql}) numbered
       group by terms, part
     )
     select json_build_object(
         'mass_generations', count(*) filter (where codes > 1),
         'codes', coalesce(sum(codes) filter (where codes > 1), 0),
         'single_codes', count(*) filter (where codes = 1)) as counts,
       (select coalesce(json_agg(n), '[]') from (
         select r.name, c.codes, r.discount_type as "discountType", r.discount_value as "discountValue"
         from campaigns c join import_rows r on r.import_id = :importId and r.line = c.line
         order by c.line limit ${maxNamed}) n) as named
     from campaigns`,
    { importId, maxCodes },
    ({ name, codes, discountType, discountValue }) => ({
      name,
      note: `${formatCodes(codes)}, ${formatDiscount(discountType, discountValue)}`,
    }),
  );
  return { ...preview, maxCodes };
}

async function readImportedCampaigns(importId: string): Promise<Imported[]> {
  const rows = await query<{ id: string; name: string; codes: number; isSingle: boolean }>(
    db(),
    `(select id, name, num_codes as codes, false as is_single from mass_generations
      where import_id = :importId order by id limit ${maxImportedShown + 1})
     union all
     (select id, name, 1, true from promotions
      where import_id = :importId and mass_generation_id is null order by id limit ${maxImportedShown + 1})
     limit ${maxImportedShown + 1}`,
    { importId },
  );
  return rows.map(({ id, name, codes, isSingle }) => ({
    name,
    note: formatCodes(codes),
    to: isSingle ? paths.promotion(id) : paths.generation(id),
  }));
}
