/**
 * Makes campaigns of the rows of a checked file, in one transaction: sets, mass generations, codes, and their events.
 * The ids are drawn before, so that each step is one statement about many rows.
 */
import type { Knex } from "knex";
import { one, query } from "../../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../../db/site.server";
import { toCampaignData } from "../../events/event-data";
import { recordEvents } from "../../events/record-event.server";
import type { Campaign } from "../../promotions/promotion";
import { settings } from "../../settings/settings.server";
import { ImportOutdated, type ImportRun } from "../import-steps.server";

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

/** Columns of `new_campaigns` that its mass generations and codes have, too; their other columns take defaults. */
const termColumns = "name, discount_type, discount_value, is_single_use, is_renewable";

/** Codes of one statement. */
const chunkSize = 10_000;

/** Campaigns whose events are recorded at once. */
const eventsChunk = 1_000;

/** @throws ImportOutdated; the reason of the signal */
export async function importCodes(trx: Knex.Transaction, run: ImportRun): Promise<void> {
  const { importId, userId } = run;
  await drawCampaigns(trx, run);
  await lockTargets(trx);
  await insertSets(trx);
  await query(
    trx,
    `insert into mass_generations (id, num_codes, ${termColumns}, expires_at, set_id, created_by, import_id,
       code_lengths)
     overriding system value
     select generation_id, codes, ${termColumns}, expires_at, set_id, :userId, :importId,
       case when lengths <> '{{12,' || codes || '}}' then cast(lengths as integer[]) end
     from new_campaigns c where generation_id is not null`,
    { userId, importId },
  );
  await insertCodes(trx, run);
  await recordNewCampaigns(trx);
}

/**
 * Fills `new_codes`, in the order in which they are stored, and `new_campaigns`, which are those of the dry run.
 * @throws ImportOutdated: the limit of codes was lowered since, and one of them is too large
 */
async function drawCampaigns(
  trx: Knex.Transaction,
  { importId, maxCodes = settings().maxCodes }: ImportRun,
): Promise<void> {
  await query(
    trx,
    `create temporary table new_codes on commit drop as
     select code, line, terms, part,
       cast(row_number() over (order by terms, part, length(code), line) as integer) as position
     from (${numberedCodesSql}) numbered`,
    { importId, maxCodes },
  );
  await query(
    trx,
    `create temporary table new_campaigns on commit drop as
     select c.terms, c.part, c.codes, c.lengths, r.name, r.discount_type, r.discount_value, r.is_single_use,
       false as is_renewable, ${startOfDaySql("r.last_day + 1")} as expires_at, r.machine_serials, r.group_names,
       nextval(pg_get_serial_sequence('assignment_sets', 'id')) as set_id,
       case when c.codes > 1 then nextval(pg_get_serial_sequence('mass_generations', 'id')) end as generation_id
     from (
       select terms, part, min(first_line) as line, cast(sum(codes) as integer) as codes,
         '{' || string_agg('{' || length || ',' || codes || '}', ',' order by length) || '}' as lengths
       from (
         select terms, part, length(code) as length, min(line) as first_line, count(*) as codes
         from new_codes group by terms, part, length(code)) by_length
       group by terms, part order by min(first_line)) c
     join import_rows r on r.import_id = :importId and r.line = c.line`,
    { importId, timeZone: siteTimeZone() },
  );
  const limit = settings().maxCodes;
  if (await one(trx, "select from new_campaigns where codes > :limit limit 1", { limit }))
    throw new ImportOutdated();
  await trx.raw("create index on new_codes (position)");
  await trx.raw("analyze new_codes");
  await trx.raw("analyze new_campaigns");
}

/**
 * Locks groups and machines against deletion in the order of their ids, as undoing their imports does. Assignments would
 * lock them in the order of the sets.
 */
async function lockTargets(trx: Knex.Transaction): Promise<void> {
  for (const targetsSql of [
    `machine_groups where lower(name) in (
       select lower(named.name) from new_campaigns c cross join unnest(c.group_names) as named (name))`,
    `machines where serial_number in (
       select named.serial from new_campaigns c cross join unnest(c.machine_serials) as named (serial))`,
  ])
    await trx.raw(`select count(*) from (
      select from ${targetsSql} order by id for key share) locked`);
}

async function insertSets(trx: Knex.Transaction): Promise<void> {
  await query(
    trx,
    `insert into assignment_sets (id, is_assigned) overriding system value
     select set_id, machine_serials <> '{}' or group_names <> '{}' from new_campaigns`,
  );
  const targets = await one<{ wanted: string; stored: string }>(
    trx,
    `with wanted as materialized (
       select c.set_id, m.id as machine_id, cast(null as bigint) as group_id
       from new_campaigns c cross join unnest(c.machine_serials) as named (serial)
         left join machines m on m.serial_number = named.serial and not m.is_deleted
       union
       select c.set_id, null, g.id
       from new_campaigns c cross join unnest(c.group_names) as named (name)
         left join machine_groups g on lower(g.name) = lower(named.name)
     ), stored as (
       insert into assignments (set_id, machine_id, group_id)
       select set_id, machine_id, group_id from wanted
       where num_nonnulls(machine_id, group_id) = 1
       order by set_id, machine_id, group_id
       returning 1
     )
     select (select count(*) from wanted) as wanted, (select count(*) from stored) as stored`,
  );
  if (targets!.wanted !== targets!.stored) throw new ImportOutdated();
}

/** The codes of mass generations don't refer to their creator, because PostgreSQL would check the reference of each. */
async function insertCodes(
  trx: Knex.Transaction,
  { importId, rows, userId, onProgress, signal }: ImportRun,
): Promise<void> {
  const counted = await one<{ total: number }>(
    trx,
    "select count(*)::integer as total from new_codes",
  );
  const { total } = counted!;
  if (total !== rows) throw new ImportOutdated();
  for (let done = 0; done < total; done += chunkSize) {
    signal.throwIfAborted();
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `insert into promotions (code, mass_generation_id, ${termColumns}, expires_at, max_uses, set_id,
         created_by, import_id)
       select n.code, c.generation_id, ${termColumns}, c.expires_at,
         case when c.is_single_use then 1 when c.discount_type = 'free_drink' then c.discount_value end,
         c.set_id, case when c.generation_id is null then cast(:userId as bigint) end, :importId
       from new_codes n join new_campaigns c on c.terms = n.terms and c.part = n.part
       where n.position > :done and n.position <= :end
       order by n.position
       on conflict (code) do nothing`,
      { done, end: done + chunkSize, userId, importId },
    );
    if (rowCount !== Math.min(chunkSize, total - done)) throw new ImportOutdated();
    await onProgress(done + rowCount);
  }
}

type NewCampaign = Pick<Campaign, "id" | "name" | "discountType" | "discountValue"> & {
  setId: string;
  code: string | null;
  codes: number;
};

async function recordNewCampaigns(trx: Knex.Transaction): Promise<void> {
  for (let after = "0"; ;) {
    const campaigns = await query<NewCampaign>(
      trx,
      `select c.set_id, coalesce(c.generation_id, p.id) as id, p.code, c.codes, c.name, c.discount_type,
         c.discount_value
       from new_campaigns c left join promotions p on p.set_id = c.set_id and c.generation_id is null
       where c.set_id > :after order by c.set_id limit ${eventsChunk}`,
      { after },
    );
    const events = campaigns.map(({ id, code, codes, ...campaign }) => ({
      type: "campaign.created" as const,
      subject: `${code === null ? "mass_generation" : "promotion"}:${id}`,
      data: { campaign: toCampaignData(campaign, { id, code, numCodes: codes }) },
    }));
    if (events.length > 0) await recordEvents(trx, events);
    if (campaigns.length < eventsChunk) return;
    after = campaigns.at(-1)!.setId;
  }
}
