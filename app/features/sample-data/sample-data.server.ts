/** The sample data of a new installation, and its removal (RULES A11). */
import type { Knex } from "knex";
import { db, one, query, type Database } from "../../db/connection.server";
import {
  endSampleData,
  hasSampleData,
  isAfterSampleSql,
  isSampleSql,
} from "../../db/sample-data.server";
import { conflict } from "../../errors";
import { recordAction } from "../activity/audit-log.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import { releaseMachines } from "../machines/platform.server";
import { resetSummary } from "../reports/summary.server";

/** A sample that stays, and why. */
export type StayingSample = {
  kind: "code" | "campaign" | "machine";
  /** Record id; of a machine, its serial number. */
  id: string;
  name: string;
  reason: "redeemed" | "changed" | "used";
};

type SampleIds = {
  promotionIds: string[];
  generationIds: string[];
  machineIds: string[];
};

type SampleData = SampleIds & { redemptions: number; staying: StayingSample[] };

/** Returns what a removal would delete, and what would stay; null if the site has no sample data. */
export async function findSampleData(database: Database = db()): Promise<SampleData | null> {
  if (!(await hasSampleData(database))) return null;
  return (await one<SampleData>(database, sampleDataSql))!;
}

/**
 * Deletes the sample data that nobody has changed or redeemed, and reserves its codes for ever. What stays is no sample
 * data from then on, and without a vending platform its machines are those of admins.
 * @returns the number of removed codes, and of what stayed
 * @throws DomainError conflict: it was removed before
 */
export function removeSampleData(
  options: ActionOptions,
): Promise<{ codes: number; staying: number }> {
  return runOnce(options, {}, async (trx) => {
    if (!(await hasSampleData(trx, "for update")))
      throw conflict("The sample data was removed already.");
    // Redemptions that run are waited for; later ones find no code.
    await query(
      trx,
      `select p.id from promotions p where ${isSampleSql("p.created_at")} for update`,
    );
    await query(trx, `select m.id from machines m where ${isSampleSql("m.created_at")} for update`);
    const samples = (await findSampleData(trx))!;
    await deleteSamples(trx, samples);
    await endSampleData(trx);
    await releaseMachines(trx);
    await resetSummary(trx);
    const [codes, staying] = [samples.promotionIds.length, samples.staying.length];
    await recordAction(trx, options.actor, "site.sample_data_removed", "1", {
      covered: codes,
      details: { machines: samples.machineIds.length, staying },
    });
    return { codes, staying };
  });
}

async function deleteSamples(trx: Knex.Transaction, samples: SampleIds): Promise<void> {
  const run = (sql: string) => query(trx, sql, samples);
  const isRemoved = "promotion_id = any(cast(:promotionIds as bigint[]))";
  await run(
    `delete from redemption_attempts
     where ${isSampleSql("created_at")} and (promotion_id is null or ${isRemoved})`,
  );
  await run(`delete from transactions where ${isRemoved}`);
  const sets = await query<{ id: string }>(
    trx,
    `select set_id as id from promotions where id = any(cast(:promotionIds as bigint[]))
     union select set_id from mass_generations where id = any(cast(:generationIds as bigint[]))`,
    samples,
  );
  await run(
    `insert into removed_codes select code from promotions where id = any(cast(:promotionIds as bigint[]))`,
  );
  await run("delete from promotions where id = any(cast(:promotionIds as bigint[]))");
  await run("delete from mass_generations where id = any(cast(:generationIds as bigint[]))");
  await query(trx, "delete from assignment_sets where id = any(cast(:ids as bigint[]))", {
    ids: sets.map(({ id }) => id),
  });
  await run("delete from machines where id = any(cast(:machineIds as bigint[]))");
  await run(
    `update machines m set last_qr_used_at =
       (select max(t.created_at) from transactions t where t.machine_id = m.id)
     where ${isSampleSql("m.created_at")}`,
  );
}

/**
 * Everything that people or machines did since the sample data was made is in the audit log, an attempt at a redemption or,
 * where an import assigned machines, in these assignments or a version. A campaign stays as a whole, and with it the machines of its assignments and redemptions.
 */
const sampleDataSql = `
  with audited as (
    select subject_type as type, subject.id
    from audit_log, unnest(subject_ids || subject_id) as subject (id)
    where ${isAfterSampleSql("created_at")}
    union
    select 'mass_generation', cast(generation ->> 'id' as bigint)
    from audit_log, jsonb_array_elements(details -> 'generations') as generation
    where details -> 'generations' is not null and ${isAfterSampleSql("created_at")}
  ),
  codes as (
    select p.id, p.mass_generation_id, p.name, p.set_id, coalesce(-p.mass_generation_id, p.id) as campaign_id,
      exists (select from transactions t
          where t.promotion_id = p.id and ${isAfterSampleSql("t.created_at")})
        or exists (select from redemption_attempts a where a.promotion_id = p.id
          and a.outcome <> 'accepted' and ${isAfterSampleSql("a.created_at")}) as is_redeemed,
      p.version > 1 or coalesce(g.version > 1, false)
        or exists (select from assignments a where a.set_id = p.set_id and a.import_id is not null)
        or exists (select from audited
        where audited.type = 'promotion' and audited.id = p.id
          or audited.type = 'mass_generation' and audited.id = p.mass_generation_id) as is_changed
    from promotions p left join mass_generations g on g.id = p.mass_generation_id
    where ${isSampleSql("p.created_at")}
  ),
  used_campaigns as (
    select campaign_id, min(name) as name, bool_or(is_redeemed) as is_redeemed
    from codes group by 1 having bool_or(is_redeemed or is_changed)
  ),
  unused_codes as (
    select * from codes where campaign_id not in (select campaign_id from used_campaigns)
  ),
  sample_machines as (
    select m.id, m.serial_number, m.human_name,
      exists (select from audited where audited.type = 'machine' and audited.id = m.id) as is_changed,
      exists (select from redemption_attempts a
          where a.machine_id = m.id and ${isAfterSampleSql("a.created_at")})
        or exists (select from transactions t where t.machine_id = m.id
          and not exists (select from unused_codes c where c.id = t.promotion_id))
        or exists (select from assignments a where a.machine_id = m.id
          and not exists (select from unused_codes c where c.set_id = a.set_id))
        or exists (select from machine_group_members g where g.machine_id = m.id)
        or exists (select from api_keys k where k.machine_id = m.id) as is_used
    from machines m where ${isSampleSql("m.created_at")}
  ),
  staying as (
    select case when campaign_id < 0 then 'campaign' else 'code' end as kind,
      abs(campaign_id)::text as id, name, case when is_redeemed then 'redeemed' else 'changed' end as reason
    from used_campaigns
    union all
    select 'machine', serial_number, human_name, case when is_changed then 'changed' else 'used' end
    from sample_machines where is_changed or is_used
  )
  select
    (select coalesce(array_agg(id), '{}') from unused_codes) as promotion_ids,
    (select coalesce(array_agg(distinct mass_generation_id), '{}') from unused_codes
      where mass_generation_id is not null) as generation_ids,
    (select coalesce(array_agg(id), '{}') from sample_machines where not (is_changed or is_used))
      as machine_ids,
    (select count(*)::integer from transactions t
      where t.promotion_id in (select id from unused_codes)) as redemptions,
    (select coalesce(json_agg(json_build_object('kind', kind, 'id', id, 'name', name, 'reason', reason)
      order by kind, name, id), '[]') from staying) as staying`;
