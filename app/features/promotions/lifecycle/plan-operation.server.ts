/** Plans an action: which codes would change, and why others would not. */
import { type Database, one } from "../../../db/connection.server";
import { invalid } from "../../../errors";
import { type ActionValues, noIds } from "./action-values";
import {
  type BulkCount,
  type BulkOutcome,
  type LifecycleAction,
  maxCodesNamed,
  maxRefusalsShown,
  type Refusals,
  tooManyCodes,
} from "./bulk-actions";
import {
  actionBindings,
  actionContextSql,
  actionRules,
  refusalSql,
  startRefusals,
} from "./lifecycle-actions.server";
import { describeRefusals, type RefusalCode } from "./refusals.server";

export type Operation = {
  action: LifecycleAction;
  values: ActionValues;
  /** Generations that change as a whole, as PostgreSQL writes an array. */
  generationIds: string;
  /** Codes that change, in order, as PostgreSQL writes an array. */
  ids: string;
  /** Outcome so far. */
  outcome: BulkOutcome;
};

/** Judges the codes `:ids`: those without a refusal would change. */
const judgedSql = (action: LifecycleAction, isStarting: boolean) =>
  `select p.id, p.name, p.code, p.mass_generation_id,
     ${refusalSql(action, isStarting ? startRefusals(action) : [])} as refusal
   from promotions p left join mass_generations g on g.id = p.mass_generation_id
   where p.id = any(cast(:ids as bigint[]))`;

/** Selects the codes that change: with one code its whole generation, where the action covers that. */
function coveredSql(action: LifecycleAction): string {
  const { coversGeneration, done } = actionRules[action];
  const [, isDoneSql] = done;
  const changing = "select id, mass_generation_id from judged where refusal is null";
  if (!coversGeneration) return changing;
  return `${changing} and mass_generation_id is null
    union all
    select p.id, p.mass_generation_id from promotions p
    where p.mass_generation_id in (select mass_generation_id from judged where refusal is null)
      and not (${isDoneSql})`;
}

/** Selects generations that a confirmation names in one line each. */
const namedGenerationsSql = `select mass_generation_id as id, count(*)::integer as codes
  from covered where mass_generation_id is not null group by 1 having count(*) > ${maxCodesNamed}`;

const namedSql = `select * from (
    select g.id::text as id, g.name, null as code, codes
    from named_generations join mass_generations g using (id)
    union all
    (select p.id::text, p.name, p.code, null from promotions p
     where p.id in (select c.id from covered c where not exists (
       select from named_generations where id = c.mass_generation_id))
     order by p.id limit ${maxCodesNamed})) lines
  order by codes is null, cast(id as bigint) limit ${maxCodesNamed}`;

const reasonsSql = `select refusal as reason, count(*)::integer as count from judged
  where refusal is not null group by refusal order by 2 desc, 1`;

const shownSql = `select id::text as id, name, code, refusal as reason from judged
  where refusal is not null order by id limit ${maxRefusalsShown}`;

const listSql = (rowsSql: string) => `(select coalesce(json_agg(r), '[]') from (${rowsSql}) r)`;

/** Selects one row, a `PlanRow`. */
const planSql = (action: LifecycleAction, isStarting: boolean) =>
  `with ${actionContextSql},
   judged as materialized (${judgedSql(action, isStarting)}),
   covered as materialized (
     select * from (${coveredSql(action)}) all_codes limit cast(:maxCodes as bigint) + 1),
   named_generations as materialized (${namedGenerationsSql})
   select coalesce(array_agg(id order by id)::text, '${noIds}') as ids,
     coalesce(array_agg(distinct mass_generation_id) filter (where mass_generation_id is not null)
       ::text, '${noIds}') as covered_generation_ids,
     count(*)::integer as codes,
     (count(*) filter (where mass_generation_id is null))::integer as singles,
     count(mass_generation_id)::integer as generation_codes,
     count(distinct mass_generation_id)::integer as generations,
     ${listSql(namedSql)} as named, ${listSql(reasonsSql)} as reasons, ${listSql(shownSql)} as shown
   from covered`;

type PlanRow = BulkCount &
  Refusals<RefusalCode> & {
    named: BulkOutcome["named"];
    ids: string;
    coveredGenerationIds: string;
  };

/**
 * Says which of the codes would change and why the others would not. Locks and writes nothing.
 * @param options.ids as PostgreSQL writes an array
 * @param options.generationIds the generations that change as a whole; those that the action covers, if it names none
 * @param options.maxCodes limits the codes that change; by default a campaign changes whatever its size
 * @param options.isStarting false for a plan that waits for a confirmation
 * @throws DomainError invalid: more than these
 */
export async function planOperation(
  database: Database,
  action: LifecycleAction,
  values: ActionValues,
  {
    ids,
    generationIds,
    maxCodes = null,
    isStarting = true,
  }: { ids: string; generationIds: string; maxCodes?: number | null; isStarting?: boolean },
): Promise<Operation> {
  const row = await one<PlanRow>(database, planSql(action, isStarting), {
    ...actionBindings(values, generationIds),
    ids,
    maxCodes,
  });
  const { ids: changingIds, coveredGenerationIds, named, reasons, shown, ...count } = row!;
  if (maxCodes !== null && count.codes > maxCodes) throw invalid(tooManyCodes(maxCodes));
  const takesCovered = actionRules[action].coversGeneration && generationIds === noIds;
  return {
    action,
    values,
    ids: changingIds,
    outcome: { ...count, named, refusals: describeRefusals({ reasons, shown }) },
    generationIds: takesCovered ? coveredGenerationIds : generationIds,
  };
}
