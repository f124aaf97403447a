/**
 * Access paths: how the rows that match filters are reached. Each path ends in the same conditions, so
 * that it decides how long a list takes and never what is in it. The first line that applies:
 *
 * | filter            | index                                                    | bound                            |
 * | ----------------- | -------------------------------------------------------- | -------------------------------- |
 * | none              | that of the order: promotions_created, _name, …          | the rows of the page             |
 * | text, 1–2 letters | promotions_code_search                                   | codes with this beginning        |
 * | text              | promotions_single_name_search, promotions_code_search;   | singles and codes with the text; |
 * |                   | promotions_of_generation of generations with this name   | a page of each generation        |
 * | machine           | that of the order;                                       | 100 of the newest rows;          |
 * |                   | promotions_set of what assigned_machines has;            | codes with a set of their own;   |
 * |                   | promotions_of_generation of generations at the machine   | a page of each generation        |
 * | text and machine  | those of the text, its generations limited to those at   | as for a text                    |
 * |                   | the machine; assignment_sets_copies → promotions_set     | codes with a set of their own    |
 * | not assigned      | that of the order;                                       | `scanLimit` rows;                |
 * |                   | assignment_sets_not_assigned → promotions_set            | codes of the unassigned sets     |
 * | active            | that of the order;                                       | `scanLimit` rows;                |
 * |                   | promotions_of_generation of assigned generations;        | a page of each generation;       |
 * |                   | promotions_set of the other assigned sets                | codes of these sets              |
 * | running           | that of the order; those of active, of generations       | `scanLimit` rows; as for active  |
 * |                   | within their hours                                       |                                  |
 * | a start,          | promotions_of_generation of generations with such a      | a page of each generation;       |
 * | scheduled         | start; promotions_start                                  | codes with such a start          |
 * | any other         | that of the order;                                       | `scanLimit` rows;                |
 * |                   | what the planner chooses (promotions_inactive, …)        | 10,000 rows, sorted              |
 *
 * Every order has an index of live rows. Deleted ones have promotions_deleted alone, because they are few.
 */
import { allOf } from "../../../db/pages.server";
import { generationRowsSql } from "./campaigns.server";
import {
  type AccessPath,
  leadingPaths,
  type LeadingPaths,
  machineFilter,
  scanLimit,
  textFilter,
} from "./leading-filters.server";
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";
import {
  completedSql,
  filterBindings,
  inGroupSql,
  type FilterBindings,
  never,
  plainConditions,
} from "./promotion-filters.server";

export type FilterSql = Pick<LeadingPaths, "paths" | "scanFirst"> & {
  /** One condition, true for exactly the rows that match. */
  sql: string;
  bindings: FilterBindings;
  /** Live and deleted rows have indexes of their own: conditions of which `sql` needs one or both. */
  parts: string[];
  /** Condition on a row `p` of `generationRowsSql`, for lists in which mass generations are rows too. */
  generations?: string;
  /** Condition that rows of a path have to fulfil beside that of the path. */
  residual: string;
};

const partsOf: Record<PromotionFilters["deleted"], string[]> = {
  without: ["not p.is_deleted"],
  with: ["not p.is_deleted", "p.is_deleted"],
  only: ["p.is_deleted"],
};

export function filterSql(filters: PromotionFilters): FilterSql {
  if (filters.view === "campaigns") return campaignFilterSql(filters);
  const text = textFilter(filters);
  const machine = machineFilter(filters);
  const { impliesStatus, ...paths } = leadingPaths(filters, text, machine);
  return {
    ...paths,
    sql: allOf([...ownConditions(filters), text?.condition, machine?.condition]),
    bindings: filterBindings(filters),
    parts: filters.status
      ? [filters.status === "deleted" ? "p.is_deleted" : "not p.is_deleted"]
      : partsOf[filters.deleted],
    residual: allOf(ownConditions(impliesStatus ? { ...filters, status: null } : filters)),
  };
}

/** Writes the conditions of filters but for a text and a machine. */
function ownConditions(filters: PromotionFilters): string[] {
  return [...plainConditions(filters), partsOf[filters.deleted].join(" or ")];
}

/** Singles are found as in the list of all codes; mass generations are few, and each is looked at. */
function campaignFilterSql(filters: PromotionFilters): FilterSql {
  const singles = filterSql({ ...filters, view: null, type: "single" });
  const isMass = filters.type === "mass";
  const { completedAfter, completedBefore, text } = filters;
  const hasCompletedCode =
    (completedAfter || completedBefore) &&
    `exists (select from (select * from promotions c where c.mass_generation_id = p.mass_generation_id) p
      where ${completedSql(filters)})`;
  // A beginning that more codes have is usually that of all codes of a campaign, and so of its first one.
  const hasCode = `(p.mass_generation_id = any(array(select c.mass_generation_id from promotions c
      where c.code like :codePattern and c.mass_generation_id is not null limit ${scanLimit}))
    or exists (select from promotions c where c.id = p.id and c.code like :codePattern))`;
  // The row has the set that decides its status, which can be that of a single code.
  const ofGeneration = (condition: string) =>
    `exists (select from (select g.set_id from mass_generations g where g.id = p.mass_generation_id) p
      where ${condition})`;
  const machine = machineFilter(filters);
  return {
    ...singles,
    sql: allOf([singles.sql, isMass && never]),
    residual: allOf([singles.residual, isMass && never]),
    paths: singles.paths?.filter(({ by }) => by !== "generations") ?? null,
    // The newest singles alone would not be the newest campaigns.
    scanFirst: null,
    generations: allOf([
      ...plainConditions({
        ...filters,
        completedAfter: null,
        completedBefore: null,
        groupId: null,
      }),
      hasCompletedCode,
      partsOf[filters.deleted].join(" or "),
      text !== "" && (isShortNeedle(text) ? hasCode : `p.name ilike :nameNeedle or ${hasCode}`),
      machine && ofGeneration(machine.condition),
      filters.groupId && ofGeneration(inGroupSql),
    ]),
  };
}

/** Rows `p` of promotions, or like them, that are read in an order. */
export type Scan = { rows: string; condition: string; order: string };

/** Limits a scan to the rows of a page, in their order. */
type ScanWindow = {
  afterCursor: string;
  order: string;
  /** The same for mass generations `g`, of which each is as old as its codes. */
  isGenerationAfterCursor: string;
  generationOrder: string;
  /** The most rows of a generation that the page needs. */
  generationLimit: string;
};

/** Whether codes of the generation `g` are younger than it is. */
const hasAddedCodesSql =
  "exists (select from added_codes added where added.mass_generation_id = g.id)";

/** Returns the scans that follow the paths, for live and deleted rows each; without a window, of all rows. */
export function scanPaths(
  { parts, residual }: Pick<FilterSql, "parts" | "residual">,
  paths: AccessPath[],
  window?: ScanWindow,
): Scan[] {
  const afterCursor = window?.afterCursor ?? "true";
  return paths.flatMap((path) =>
    parts.flatMap((part) => {
      const matches = `${part} and ${afterCursor} and (${path.condition}) and ${residual}`;
      return scansOf(path, matches, window);
    }),
  );
}

/**
 * The fence of 'offset 0' or of a limit makes a set or a generation be read by the index of its codes; without it, a
 * condition with an index of its own would be looked up anew for every one.
 */
function scansOf(path: AccessPath, matches: string, window?: ScanWindow): Scan[] {
  const order = window?.order ?? "";
  if (path.by === "rows") return [{ rows: "promotions p", condition: matches, order }];
  if (path.by === "sets") {
    const rows = `(select distinct * from (${path.idsSql}) ids (id)) s cross join lateral (
          select p.* from promotions p where p.set_id = s.id and ${matches} offset 0) p`;
    return [{ rows, condition: "true", order }];
  }
  const codesOf = (generations: string) =>
    `(select * from mass_generations g where ${generations}) g cross join lateral (
          select p.* from promotions p where p.mass_generation_id = g.id and ${matches}
          ${order} ${window?.generationLimit ?? "offset 0"}) p`;
  if (!window) return [{ rows: codesOf(path.generationSql), condition: "true", order }];
  return [
    {
      rows: codesOf(`(${path.generationSql}) and not ${hasAddedCodesSql}`),
      condition: window.isGenerationAfterCursor,
      order: window.generationOrder,
    },
    { rows: codesOf(`(${path.generationSql}) and ${hasAddedCodesSql}`), condition: "true", order },
  ];
}

export function matchingIdsSql(filters: PromotionFilters): string {
  return idSelects(filterSql(filters)).join(" union ");
}

/**
 * Returns a WITH list and a FROM item that holds the ids of what matches, at most `limit` of them. The
 * paths are followed one after the other, each only when those before it have not reached the limit. The
 * first one reaches a row once, so that nothing is compared when it alone has reached the limit.
 */
export function limitedIdsSql(filters: PromotionFilters, limit: number) {
  const selects = idSelects(filterSql(filters), limit);
  if (selects.length === 1) return { paths: [], from: selects[0]! };
  const isFull = (path: number) => `(select is_full from full_${path})`;
  const indexes = selects.map((_, path) => path);
  const paths = selects.flatMap((select, path) => {
    const earlier = indexes.slice(0, path).map(isFull);
    return [
      `path_${path} as materialized (
        select id from ${select} reached where not (${earlier.join(" or ") || never}))`,
      `full_${path} as materialized (select count(*) >= ${limit} as is_full from path_${path})`,
    ];
  });
  const union = indexes.map((path) => `select id from path_${path}`).join(" union ");
  return {
    paths,
    from: `(select id from path_0 where ${isFull(0)} union all
      (select id from (${union}) reached where not ${isFull(0)} limit ${limit}))`,
  };
}

function idSelects({ generations, paths, ...filter }: FilterSql, limit?: number): string[] {
  const limitSql = limit === undefined ? "" : `limit ${limit}`;
  const select = ({ rows, condition, order }: Scan, id = "p.id") =>
    `(select ${id} from ${rows} where ${condition} ${order} ${limitSql})`;
  // Without filters the index of the newest answers it alone.
  const order = filter.sql === allOf(filter.parts) ? "order by p.created_at desc" : "";
  const scans = paths
    ? scanPaths(filter, paths)
    : [{ rows: "promotions p", condition: filter.sql, order }];
  const codes = scans.map((scan) => select(scan));
  if (generations === undefined) return codes;
  // No code has such an id: rows of generations are counted here, and read in their order.
  const generationScan = { rows: generationRowsSql, condition: generations, order: "" };
  return [select(generationScan, "-p.mass_generation_id as id"), ...codes];
}
