import { one } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import {
  clockBindings,
  clockSql,
  countedConditions,
  hasRenewedSql,
} from "../promotions/promotion-sql.server";
import { readDrinksByMachine } from "./activity.server";
import {
  codeCountsBindings,
  codeCountsSql,
  renewableUsesSql,
  youngCodesSql,
} from "./code-counts.server";
import type { ResultFilter } from "./results.server";
import { readReportSpans } from "./report-spans.server";
import type { Snapshot } from "./summary.server";

export type Liability = {
  /** Free drinks that active codes still give. */
  drinks: number;
  /** Their worth in cents; null if no free drink was redeemed in the last 90 days. */
  value: number | null;
  /** Active codes with a percentage, which may be used again and again. */
  percentageCodes: number;
};

/**
 * Counts what active codes still owe. A drink is worth the mean original price of the free drinks of the last 90 days
 * at the machines that accept its code, else at all machines (RULES D6). Half a cent of the sum is rounded up.
 * @param now replaces the database's clock, in tests
 */
export async function readLiability(
  snapshot: Snapshot,
  { machineIds, generationId }: ResultFilter,
  now: Date | null = null,
): Promise<Liability> {
  const { current } = await readReportSpans(
    snapshot.trx,
    { period: null, ...(await last90Days(snapshot, now)) },
    now,
  );
  const prices = (await readDrinksByMachine(snapshot, current)).filter(({ drinks }) => drinks > 0);
  const drinks = prices.reduce((sum, price) => sum + price.drinks, 0);
  const worth = prices.reduce((sum, price) => sum + price.drinkDiscount, 0);
  const ofSets = [
    generationId && "set_id = (select g.set_id from mass_generations g where g.id = :generationId)",
    machineIds &&
      "set_id in (select e.set_id from effective_machines e where e.machine_id = any(:machineIds))",
  ];
  const ofCodes = [generationId && "p.mass_generation_id = :generationId", machineIds && ofSets[1]];
  const all = (conditions: (string | null | undefined | "")[]) =>
    conditions.map((sql) => sql || "true").join(" and ");
  const row = await one<{ drinks: number; value: number | null; percentageCodes: number }>(
    snapshot.trx,
    `with ${clockSql}, ${youngCodesSql}, open as materialized (
       select set_id, sum(percentage_codes) as percentage_codes, sum(drinks) as drinks
       from (
         select set_id, case discount_type when 'percentage' then codes else 0 end as percentage_codes,
           case discount_type when 'free_drink' then uses else 0 end as drinks
         from ${codeCountsSql} codes
         where is_active and not is_used_up and expires_at > (select at from clock) and set_id <> 0
         union all
         select set_id, -(discount_type = 'percentage' and period_uses >= max_uses)::integer,
           case discount_type when 'free_drink' then -period_uses else 0 end
         from ${renewableUsesSql} renewable where is_active and is_shared
       ) shared
       where set_id in (select s.id from assignment_sets s where s.is_assigned)
         and set_id not in (select g.set_id from mass_generations g where g.starts_at > (select at from clock))
         and ${all(ofSets)}
       group by set_id
       union all
       select p.set_id, count(*) filter (where p.discount_type = 'percentage') as percentage_codes,
         coalesce(sum(p.max_uses - case when ${hasRenewedSql} then 0 else p.period_uses end)
           filter (where p.discount_type = 'free_drink'), 0) as drinks
       from (
         select * from promotions single where single.mass_generation_id is null and not single.is_deleted
         union all
         select code.* from assignment_sets s join promotions code on code.set_id = s.id
         where s.copied_from is not null and code.mass_generation_id is not null
       ) p
       where ${countedConditions.active} and ${all(ofCodes)}
       group by p.set_id
     ), price as materialized (
       select price.* from unnest(cast(:machines as bigint[]), cast(:worths as float8[]), cast(:numbers as float8[]))
         as price (machine_id, worth, number)
         join machines m on m.id = price.machine_id where not m.is_deleted
     ), priced as (
       select accepting.set_id, sum(price.worth) / sum(price.number) as mean
       from (select distinct a.set_id, a.machine_id from assigned_machines a
         where a.set_id in (select set_id from open where drinks > 0)) accepting
         join price on price.machine_id = accepting.machine_id
       group by accepting.set_id
     )
     select coalesce(sum(open.drinks), 0)::float8 as drinks,
       round(cast(sum(open.drinks * coalesce(priced.mean, :mean)) as numeric))::float8 as value,
       coalesce(sum(open.percentage_codes), 0)::float8 as percentage_codes
     from open left join priced on priced.set_id = open.set_id`,
    {
      ...clockBindings(now),
      ...codeCountsBindings(snapshot),
      machineIds,
      generationId,
      machines: prices.map(({ machineId }) => machineId),
      worths: prices.map(({ drinkDiscount }) => drinkDiscount),
      numbers: prices.map((price) => price.drinks),
      mean: drinks > 0 ? worth / drinks : null,
    },
  );
  return { ...row!, value: drinks > 0 ? (row!.value ?? 0) : null };
}

async function last90Days({ trx }: Snapshot, now: Date | null) {
  const row = await one<{ from: string; to: string }>(
    trx,
    `select to_char(today - 89, 'YYYY-MM-DD') as "from", to_char(today, 'YYYY-MM-DD') as "to"
     from (select (coalesce(cast(:now as timestamptz), now()) at time zone :timeZone)::date as today) days`,
    { now, timeZone: siteTimeZone() },
  );
  return row!;
}
