/** Results by promotion, mass generation, machine and machine group in a span of time. */
import { query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { countRefused, type RefusalReason } from "../redemptions/refusal-reason";
import { discountOf, redemptionsOf } from "./activity";
import { readActivityByMachine, sumActivity } from "./activity.server";
import type { ReportSort } from "./report-filters";
import type { ReportSpan } from "./report-spans.server";
import {
  byReason,
  campaignRedemptions,
  campaignRefusals,
  noRefusals,
  rawConditions,
  type ResultFilter,
  sumOfArrays,
  summedReasons,
  type SummaryPart,
  type TimeRange,
} from "./summary-sql.server";
import type { Snapshot } from "./snapshot.server";

export type ResultRow = {
  id: string;
  name: string;
  /** Serial number of a machine, code of a promotion; '' for others. */
  detail: string;
  /** Codes; of a machine those that it accepts now, of a group the most of one of its machines. */
  codes: number;
  /** Uses that the codes have in all; null without a limit, and where it says nothing. */
  uses: number | null;
  redemptions: number;
  /** Cents. */
  discount: number;
  refused: Record<RefusalReason, number>;
  firstUse: Date | null;
  lastUse: Date | null;
  /** Machines without a redemption; of a machine 0 or 1, null for codes. */
  idleMachines: number | null;
};

export type ResultPage = { sort: ReportSort; limit: number; offset: number };

/** Keys that a page is sorted by. Only the rows of the page are joined with the table of their names. */
const keySql: Record<ReportSort["by"], (kind: { table: string; id: string }) => string> = {
  redeemed: () => "redemptions",
  name: ({ table, id }) => `(select lower(p.name) from ${table} p where p.id = ${id})`,
  discount: () => "discount",
  refused: () => "(select sum(n) from unnest(refused) n)",
};

/** The uses that the codes of a mass generation `p` have in all; null without a limit. */
export const generationUsesSql = `case when p.is_renewable then null when p.is_single_use then p.num_codes
    when p.discount_type = 'free_drink' then p.num_codes * p.discount_value end`;

/** Campaigns by their ids in `counted`, of which those of mass generations are negative; with columns of their table `p`. */
const kinds = {
  promotion: {
    table: "promotions",
    id: "counted.campaign_id",
    sign: "> 0",
    detail: "p.code",
    codes: "1",
    uses: "case when not p.is_renewable then p.max_uses end",
  },
  generation: {
    table: "mass_generations",
    id: "-counted.campaign_id",
    sign: "< 0",
    detail: "''",
    codes: "p.num_codes",
    uses: generationUsesSql,
  },
};

const wholeSpan: TimeRange[] = [["from", "to"]];
const aroundMonths: TimeRange[] = [
  ["from", "monthsFrom"],
  ["monthsTo", "to"],
];

type CampaignKind = keyof typeof kinds;
type CampaignRow = Omit<ResultRow, "refused"> & { refused: number[]; total: number };

/** Lists a page of single promotions, or of mass generations, with a redemption or a refusal in the span. */
export async function readCampaignResults(
  snapshot: Snapshot,
  span: ReportSpan,
  kind: CampaignKind,
  filter: ResultFilter,
  page: ResultPage,
): Promise<{ rows: ResultRow[]; total: number }> {
  const { sql, bindings } = campaignResults(snapshot, span, kind, filter, page);
  const rows = await query<CampaignRow>(snapshot.trx, sql, bindings);
  return { rows: rows.map(toResultRow), total: rows[0]?.total ?? 0 };
}

const pageRows = 2_000;

/** Lists all of these, page by page, through a cursor that lasts as long as the snapshot. */
export async function* readAllCampaignResults(
  snapshot: Snapshot,
  span: ReportSpan,
  kind: CampaignKind,
  filter: ResultFilter,
  sort: ReportSort,
): AsyncGenerator<ResultRow[]> {
  const page = { sort, limit: null, offset: 0 };
  const { sql, bindings } = campaignResults(snapshot, span, kind, filter, page);
  // All rows are fetched, so that the first ones need not come fast.
  await query(snapshot.trx, "set local cursor_tuple_fraction = 1");
  await query(snapshot.trx, `declare all_results no scroll cursor for ${sql}`, bindings);
  for (let isFull = true; isFull;) {
    const rows = await query<CampaignRow>(snapshot.trx, `fetch ${pageRows} from all_results`);
    isFull = rows.length === pageRows;
    yield rows.map(toResultRow);
  }
}

function toResultRow({ total: _total, refused, ...row }: CampaignRow): ResultRow {
  return { ...row, refused: byReason(refused) };
}

/** Returns the statement of a page of campaigns. @param page.limit null for all rows */
function campaignResults(
  { summarised, isSummarised }: Snapshot,
  span: ReportSpan,
  kind: CampaignKind,
  filter: ResultFilter,
  { sort, limit, offset }: Omit<ResultPage, "limit"> & { limit: number | null },
) {
  const { table, id, detail, codes, uses } = kinds[kind];
  const direction = sort.isDescending ? "desc" : "asc";
  return {
    sql: `with counted as materialized (
       ${countedSql(kind, filter)}
     ), page as (
       select *, ${keySql[sort.by](kinds[kind])} as key from counted
       order by key ${direction}, abs(campaign_id) desc limit :limit offset :offset
     )
     select p.id, p.name, ${detail} as detail, ${codes} as codes, ${uses} as uses,
       counted.redemptions, counted.discount, counted.refused, counted.first_use, counted.last_use,
       null::integer as idle_machines, (select count(*)::integer from counted) as total
     from page counted join ${table} p on p.id = ${id}
     order by key ${direction}, p.id desc`,
    bindings: {
      timeZone: siteTimeZone(),
      ...span,
      ...filter,
      limit,
      offset,
      lastTransaction: summarised.transactions,
      lastAttempt: summarised.attempts,
      isSummarised: isSummarised && filter.machineIds === null,
    },
  };
}

/**
 * Selects what each campaign with a redemption or a refusal sums up to. Whole months and years come from the summary;
 * with machines, which it doesn't know, all rows are read.
 */
function countedSql(kind: CampaignKind, filter: ResultFilter): string {
  const { sign } = kinds[kind];
  const isChosenSql =
    filter.generationId === null ? "true" : "campaign_id = -cast(:generationId as bigint)";
  const names = ["redemptions", "discount", "first_use", "last_use", "refused"];
  const remainders = filter.machineIds === null ? aroundMonths : null;
  const raw = ({ source, columns, rowsSql }: SummaryPart) =>
    rawConditions(source, filter, wholeSpan, remainders).map(
      (condition) => `select campaign_id,
        ${names.map((name) => (name in columns ? name : "null")).join(", ")}
        from (${rowsSql(condition)}) raw where campaign_id ${sign}`,
    );
  return `select campaign_id, coalesce(sum(redemptions), 0)::integer as redemptions,
         coalesce(sum(discount), 0)::float8 as discount, min(first_use) as first_use,
         max(last_use) as last_use, ${sumOfArrays("refused", summedReasons.length)} as refused
       from (
         select campaign_id, redemptions, discount, first_use, last_use,
           nullif(refused, ${noRefusals}) as refused
         from (
           select * from campaign_activity
           where month >= cast(:firstMonth as date) and month < cast(:endMonth as date)
             and not (month >= cast(:firstYear as date) and month < cast(:endYear as date))
           union all
           select * from campaign_years where year >= cast(:firstYear as date) and year < cast(:endYear as date)
         ) stored
         where campaign_id ${sign} and ${isChosenSql} and :isSummarised
         union all ${[...raw(campaignRedemptions), ...raw(campaignRefusals)].join(" union all ")}
       ) parts group by campaign_id having sum(redemptions) > 0 or count(refused) > 0`;
}

/** Lists machines, idle ones too. Deleted ones are listed if anything happened there. */
export async function readMachineResults(
  snapshot: Snapshot,
  span: ReportSpan,
  filter: ResultFilter,
): Promise<ResultRow[]> {
  const activity = new Map(
    (await readActivityByMachine(snapshot, span, filter)).map((row) => [row.machineId, row]),
  );
  const usedAtSql = (direction: string) => `(select t.created_at from transactions t
    where t.machine_id = m.id and t.status = 'applied' and t.created_at >= :from and t.created_at < :to
    order by t.created_at ${direction}, t.id ${direction} limit 1)`;
  // With a campaign its rows are read at once: a machine may have a million others to pass over.
  const usesSql =
    filter.generationId === null
      ? `cross join lateral (select ${usedAtSql("asc")} as first_use, ${usedAtSql("desc")} as last_use) uses`
      : `left join (select t.machine_id, min(t.created_at) as first_use, max(t.created_at) as last_use
           from transactions t where t.status = 'applied' and ${rawConditions("transactions", filter, wholeSpan, null).join()}
           group by t.machine_id) uses on uses.machine_id = m.id`;
  const machines = await query<
    Pick<ResultRow, "id" | "name" | "detail" | "codes" | "firstUse" | "lastUse"> & {
      isDeleted: boolean;
    }
  >(
    snapshot.trx,
    `select m.id, m.human_name as name, m.serial_number as detail, m.is_deleted,
       coalesce(c.active_promotions, 0) as codes, uses.first_use, uses.last_use
     from machines m left join machine_promotion_counts c on c.machine_id = m.id ${usesSql}
     where (:isAny or m.id = any(:machineIds)) order by m.serial_number`,
    { ...span, ...filter, machineIds: filter.machineIds ?? [], isAny: filter.machineIds === null },
  );
  return machines
    .filter(({ id, isDeleted }) => !isDeleted || activity.has(id))
    .map(({ isDeleted: _isDeleted, ...machine }) => {
      const counted = activity.get(machine.id) ?? sumActivity([]);
      const redemptions = redemptionsOf(counted);
      return {
        ...machine,
        uses: null,
        redemptions,
        discount: discountOf(counted),
        refused: counted.refused,
        idleMachines: redemptions === 0 ? 1 : 0,
      };
    });
}

/** Lists machine groups. A machine that is in several counts in each of them. */
export async function readGroupResults(
  snapshot: Snapshot,
  span: ReportSpan,
  filter: ResultFilter,
): Promise<ResultRow[]> {
  const machines = new Map(
    (await readMachineResults(snapshot, span, filter)).map((row) => [row.id, row]),
  );
  const groups = await query<{ id: string; name: string; members: string[] }>(
    snapshot.trx,
    `select g.id, g.name, coalesce(array_agg(member.machine_id::text)
       filter (where member.machine_id is not null), '{}') as members
     from machine_groups g left join machine_group_members member on member.group_id = g.id
     where :isAny or member.machine_id = any(:machineIds)
     group by g.id order by lower(g.name), g.id`,
    { machineIds: filter.machineIds ?? [], isAny: filter.machineIds === null },
  );
  return groups.flatMap(({ id, name, members }) => {
    const rows = members.flatMap((member) => machines.get(member) ?? []);
    const isListed = filter.machineIds === null || rows.length > 0;
    return isListed ? [{ id, name, detail: "", uses: null, ...sumResults(rows) }] : [];
  });
}

function sumResults(rows: ResultRow[]) {
  const sum = (value: (row: ResultRow) => number) =>
    rows.reduce((total, row) => total + value(row), 0);
  const times = (pick: (row: ResultRow) => Date | null) =>
    rows.flatMap((row) => pick(row) ?? []).sort((one, other) => +one - +other);
  return {
    codes: Math.max(0, ...rows.map(({ codes }) => codes)),
    redemptions: sum(({ redemptions }) => redemptions),
    discount: sum(({ discount }) => discount),
    refused: byReason(summedReasons.map((reason) => sum(({ refused }) => refused[reason]))),
    firstUse: times(({ firstUse }) => firstUse)[0] ?? null,
    lastUse: times(({ lastUse }) => lastUse).at(-1) ?? null,
    idleMachines: sum(({ idleMachines }) => idleMachines ?? 0),
  };
}

const keys: Record<ReportSort["by"], (row: ResultRow) => string | number> = {
  redeemed: ({ redemptions }) => redemptions,
  name: ({ name }) => name.toLowerCase(),
  discount: ({ discount }) => discount,
  refused: ({ refused }) => countRefused(refused),
};

/** Sorts rows of machines and groups, which are thousands at most; equal ones keep their order. */
export function sortResults(rows: ResultRow[], { by, isDescending }: ReportSort): ResultRow[] {
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [keys[by](one), keys[by](other)];
    return a === b ? 0 : a < b ? -direction : direction;
  });
}
