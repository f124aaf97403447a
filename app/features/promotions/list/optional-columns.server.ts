/** Facts of the QR List that are read only for the rows of a page, and only where their columns are chosen. */
import { db, query } from "../../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../../db/site.server";
import { formatDate } from "../../../format/date";
import { formatNumber } from "../../../format/number";
import type { Promotion } from "../promotion";
import { clockBindings, clockSql } from "../promotion-sql.server";
import { optionalColumns } from "./list-columns";

type OptionalColumn = keyof typeof optionalColumns;
type Facts = { [Name in OptionalColumn]?: string };
type Read = (rows: Ids) => Promise<{ id: string; value: string }[]>;

/** The ids of a page's rows. Those in `campaigns` stand for all codes of their mass generations. */
type Ids = { ids: string; campaigns: string };

/** Each code of the rows `r`: the row's own one, or those of its mass generation that were ever used. */
const usedCodesSql = `(
  select p.id from promotions p where p.id = r.id and not r.is_campaign and p.use_rank > 0
  union all
  select p.id from promotions p
  where r.is_campaign and p.mass_generation_id = r.mass_generation_id and p.use_rank > 0) code`;

const rowsSql = `(
  select p.id, p.mass_generation_id, p.set_id, p.created_by, p.id = any(cast(:campaigns as bigint[])) as is_campaign
  from promotions p where p.id = any(cast(:ids as bigint[]))) r`;

const readers: Record<OptionalColumn, Read> = {
  groups: (rows) =>
    read(
      rows,
      `select r.id, string_agg(g.name, ', ' order by lower(g.name), g.id) as value
       from ${rowsSql}
         join assignments a on a.set_id = case when r.is_campaign
           then (select m.set_id from mass_generations m where m.id = r.mass_generation_id) else r.set_id end
         join machine_groups g on g.id = a.group_id
       group by r.id`,
    ),
  createdBy: (rows) =>
    read(
      rows,
      `select r.id, u.email as value from ${rowsSql} join users u on u.id = coalesce(
         (select m.created_by from mass_generations m where m.id = r.mass_generation_id), r.created_by)`,
    ),
  lastRedeemed: async (rows) => {
    // A code that counts uses without a transaction has those in archived months.
    const last = await read<Date | number | null>(
      rows,
      `select r.id, (
         select max(coalesce((select t.created_at from transactions t
           where t.promotion_id = code.id and t.status = 'applied' order by t.created_at desc, t.id desc limit 1),
           '-infinity'))
         from ${usedCodesSql}) as value
       from ${rowsSql}`,
    );
    return last.map(({ id, value }) => ({
      id,
      value:
        value instanceof Date
          ? formatDate(value, siteTimeZone())
          : value === null
            ? "Never"
            : "Archived",
    }));
  },
  /** Today and the six site-local days before, as in the list of machines (RULES M9). */
  redeemedInWeek: async (rows) => {
    const counts = await read<number>(
      rows,
      `select r.id, (
         select count(*)::integer from ${usedCodesSql} join transactions t on t.promotion_id = code.id
           and t.status = 'applied'
           and t.created_at >= ${startOfDaySql("(select cast(local_time as date) - 6 from clock)")}) as value
       from ${rowsSql}`,
    );
    return counts.map(({ id, value }) => ({ id, value: formatNumber(value) }));
  },
};

function read<Value = string>(rows: Ids, sql: string) {
  return query<{ id: string; value: Value }>(db(), `with ${clockSql} ${sql}`, {
    ...clockBindings(),
    ...rows,
  });
}

/** Reads the optional columns that are not hidden, as texts by the ids of the rows. */
export async function readOptionalColumns(
  promotions: readonly Promotion[],
  hidden: readonly string[],
): Promise<Map<string, Facts>> {
  const toArray = (rows: readonly Promotion[]) => `{${rows.map(({ id }) => id).join()}}`;
  const ids = {
    ids: toArray(promotions),
    campaigns: toArray(promotions.filter(({ campaign }) => campaign)),
  };
  const facts = new Map<string, Facts>();
  const chosen = (Object.keys(optionalColumns) as OptionalColumn[]).filter(
    (name) => !hidden.includes(name),
  );
  await Promise.all(
    chosen.map(async (name) => {
      for (const { id, value } of await readers[name](ids))
        facts.set(id, { ...facts.get(id), [name]: value });
    }),
  );
  return facts;
}
