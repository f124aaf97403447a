import { one } from "../../db/connection.server";
import { nowSql, siteTimeZone } from "../../db/site.server";
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
import { readReportSpans } from "./report-spans.server";
import type { ResultFilter } from "./summary-sql.server";
import type { Snapshot } from "./snapshot.server";

export type Liability = {
  /** Free drinks that active codes still give. */
  drinks: number;
  /** Their worth in cents; null if no free drink was redeemed in the last 90 days. */
  value: number | null;
  /** Active codes with a percentage, which may be used again and again. */
  percentageCodes: number;
};

/** Conditions on the set of a code, and on a code `p`. */
function filterConditions({ machineIds, generationId }: ResultFilter) {
  const isAtMachines = machineIds
    ? "set_id in (select e.set_id from effective_machines e where e.machine_id = any(:machineIds))"
    : "true";
  if (!generationId) return { ofSet: isAtMachines, ofCode: isAtMachines };
  const isOfGeneration =
    "set_id = (select g.set_id from mass_generations g where g.id = :generationId)";
  return {
    ofSet: `${isOfGeneration} and ${isAtMachines}`,
    ofCode: `p.mass_generation_id = :generationId and ${isAtMachines}`,
  };
}

/** Sums up codes with the set of their mass generation, which the summary counts; less what renewable ones have used. */
const sharedSetsSql = (conditionSql: string) => `
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
    and ${conditionSql}
  group by set_id`;

/** Sums up single codes and those with a set of their own, which are read one by one. */
const ownSetsSql = (conditionSql: string) => `
  select p.set_id, count(*) filter (where p.discount_type = 'percentage') as percentage_codes,
    coalesce(sum(p.max_uses - case when ${hasRenewedSql} then 0 else p.period_uses end)
      filter (where p.discount_type = 'free_drink'), 0) as drinks
  from (
    select * from promotions single where single.mass_generation_id is null and not single.is_deleted
    union all
    select code.* from assignment_sets s join promotions code on code.set_id = s.id
    where s.copied_from is not null and code.mass_generation_id is not null
  ) p
  where ${countedConditions.active} and ${conditionSql}
  group by p.set_id`;

/** Selects what the free drinks at each machine were worth together, and their number. */
const pricesSql = `
  select price.* from unnest(cast(:machines as bigint[]), cast(:worths as float8[]), cast(:numbers as float8[]))
    as price (machine_id, worth, number)
    join machines m on m.id = price.machine_id where not m.is_deleted`;

/** Selects the mean price at the machines of each set that owes drinks. */
const meanPricesSql = `
  select accepting.set_id, sum(price.worth) / sum(price.number) as mean
  from (select distinct a.set_id, a.machine_id from assigned_machines a
    where a.set_id in (select set_id from open where drinks > 0)) accepting
    join price on price.machine_id = accepting.machine_id
  group by accepting.set_id`;

function liabilitySql(filter: ResultFilter): string {
  const { ofSet, ofCode } = filterConditions(filter);
  return `with ${clockSql}, ${youngCodesSql},
    open as materialized (${sharedSetsSql(ofSet)} union all ${ownSetsSql(ofCode)}),
    price as materialized (${pricesSql}),
    priced as (${meanPricesSql})
    select coalesce(sum(open.drinks), 0)::float8 as drinks,
      round(cast(sum(open.drinks * coalesce(priced.mean, :mean)) as numeric))::float8 as value,
      coalesce(sum(open.percentage_codes), 0)::float8 as percentage_codes
    from open left join priced on priced.set_id = open.set_id`;
}

/**
 * Counts what active codes still owe. A drink is worth the mean original price of the free drinks of the last 90 days
 * at the machines that accept its code, else at all machines (RULES D6). Half a cent of the sum is rounded up.
 * @param now replaces the database's clock, in tests
 */
export async function readLiability(
  snapshot: Snapshot,
  filter: ResultFilter,
  now: Date | null = null,
): Promise<Liability> {
  const days = { period: null, ...(await last90Days(snapshot, now)) };
  const { current } = await readReportSpans(snapshot.trx, days, now);
  const prices = (await readDrinksByMachine(snapshot, current)).filter(({ drinks }) => drinks > 0);
  const drinks = prices.reduce((sum, price) => sum + price.drinks, 0);
  const worth = prices.reduce((sum, price) => sum + price.drinkDiscount, 0);
  const row = await one<Liability>(snapshot.trx, liabilitySql(filter), {
    ...clockBindings(now),
    ...codeCountsBindings(snapshot),
    ...filter,
    machines: prices.map(({ machineId }) => machineId),
    worths: prices.map(({ drinkDiscount }) => drinkDiscount),
    numbers: prices.map((price) => price.drinks),
    mean: drinks > 0 ? worth / drinks : null,
  });
  return { ...row!, value: drinks > 0 ? (row!.value ?? 0) : null };
}

async function last90Days({ trx }: Snapshot, now: Date | null) {
  const row = await one<{ from: string; to: string }>(
    trx,
    `select to_char(today - 89, 'YYYY-MM-DD') as "from", to_char(today, 'YYYY-MM-DD') as "to"
     from (select (${nowSql} at time zone :timeZone)::date as today) days`,
    { now, timeZone: siteTimeZone() },
  );
  return row!;
}
