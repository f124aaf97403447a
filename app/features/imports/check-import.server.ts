/** The dry run of an import: says for each row whether it can be imported, and writes nothing else (RULES I2). */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { settings } from "../settings/settings.server";
import { siteToday } from "../promotions/promotion-sql.server";
import type { ImportKind, ImportOutcome } from "./import";

/** A rule about rows `r` of the import `:importId`: selects the lines that break it, with what is wrong. */
type Rule = string;

/** Unknown and deleted machines are the same to an import. */
const targetRules: readonly Rule[] = [
  `select r.line, 'Not available: machine ' || absent.serial as problem
   from import_rows r cross join lateral (
     select min(named.serial) as serial from unnest(r.machine_serials) as named (serial)
     where not exists (select from machines m where m.serial_number = named.serial and not m.is_deleted)) absent
   where r.import_id = :importId and r.machine_serials <> '{}' and absent.serial is not null`,
  `select r.line, 'Not available: machine group ' || absent.name as problem
   from import_rows r cross join lateral (
     select min(named.name) as name from unnest(r.group_names) as named (name)
     where not exists (select from machine_groups g where lower(g.name) = lower(named.name))) absent
   where r.import_id = :importId and r.group_names <> '{}' and absent.name is not null`,
];

const rules: Record<ImportKind, readonly Rule[]> = {
  codes: [
    `select line, 'The same code stands in line ' || first_line as problem
     from (select r.line, min(r.line) over (partition by r.code) as first_line
       from import_rows r where r.import_id = :importId and r.code is not null) same
     where line > first_line`,
    // Codes that an undone import brought come back with the same file alone.
    `select r.line, case when i.state = 'undone'
         then 'This code came with an import that was undone, and comes back with the same file only'
         else 'This code exists already' end as problem
     from import_rows r join promotions p on p.code = r.code
       left join imports i on i.id = p.import_id
       left join mass_generations g on g.id = p.mass_generation_id
     where r.import_id = :importId
       and not coalesce(p.import_id = :revivedId and (p.is_deleted or g.is_deleted), false)`,
    `select r.line, 'This code was issued before' as problem
     from import_rows r join removed_codes removed on removed.code = r.code
     where r.import_id = :importId`,
    `select r.line, 'Date cannot be in the past' as problem
     from import_rows r where r.import_id = :importId and r.last_day < cast(:today as date)`,
    ...targetRules,
  ],
};

/**
 * Judges all rows, and stores what they would make.
 * @throws the reason of the signal, when the process stops
 */
export async function checkImport(id: string): Promise<void> {
  await db().transaction(async (trx) => {
    await trx.raw("set local statement_timeout = '10min'");
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
    await trx.raw("analyze import_rows");
    for (const rule of rules[kind])
      await query(
        trx,
        `update import_rows r set problem = broken.problem from (${rule}) broken
         where r.import_id = :importId and r.line = broken.line and r.problem is null`,
        { importId: id, revivedId, today: await siteToday() },
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
        : { ...(await previewCodes(trx, id)), ...(revivedId && { revives: revivedId }) };
    await query(
      trx,
      `update imports set state = 'checked', wrong_rows = :wrongRows, outcome = :outcome, position = 0
       where id = :id`,
      { id, wrongRows, outcome: outcome && JSON.stringify(outcome) },
    );
  });
}

/** Terms of a row `r`: those of one campaign are equal. */
const termsSql = `r.name, r.discount_type, r.discount_value, r.is_single_use, coalesce(r.last_day, 'infinity'),
  r.machine_serials, lower(cast(r.group_names as text))`;

/**
 * Selects the codes of an import with the number of their terms, and the part of these codes, of at most `:maxCodes`,
 * that makes a campaign. Archives need the codes of a mass generation in the order of their lengths.
 */
export const numberedCodesSql = `
  select r.line, r.code, dense_rank() over (order by ${termsSql}) as terms,
    (row_number() over (partition by ${termsSql} order by length(r.code), r.line) - 1) / :maxCodes as part
  from import_rows r where r.import_id = :importId`;

/** The number of campaigns that are named before they are imported. */
const maxNamed = 10;

async function previewCodes(trx: Knex.Transaction, importId: string): Promise<ImportOutcome> {
  const row = await one<ImportOutcome>(
    trx,
    `with campaigns as materialized (
       select min(line) as line, count(*)::integer as codes from (${numberedCodesSql}) numbered
       group by terms, part
     )
     select (count(*) filter (where codes > 1))::integer as generations,
       coalesce(sum(codes) filter (where codes > 1), 0)::integer as generation_codes,
       (count(*) filter (where codes = 1))::integer as singles,
       (select coalesce(json_agg(n), '[]') from (
         select r.name, c.codes, r.discount_type as "discountType", r.discount_value as "discountValue"
         from campaigns c join import_rows r on r.import_id = :importId and r.line = c.line
         order by c.line limit ${maxNamed}) n) as named
     from campaigns`,
    { importId, maxCodes: settings().maxCodes },
  );
  return row!;
}
