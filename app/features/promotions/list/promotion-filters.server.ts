/** Filters as conditions on rows `p` of promotions; they need `clockSql` in the WITH list. */
import { startOfDaySql } from "../../../db/site.server";
import { environment } from "../../../env.server";
import { createdIntervals } from "../../../lists/list";
import { findCode } from "../../../forms/typed-code";
import {
  clockBindings,
  clockSql,
  isExpiredIndexedSql,
  hasUsesLeftSql,
  isNotExpiredSql,
  isUsableSql,
  isUsedUpForGoodSql,
  statusConditions,
} from "../promotion-sql.server";
import type { PromotionSelection } from "../lifecycle/bulk-actions";
import { containsPattern } from "../../../db/pages.server";
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";

export type FilterBindings = Record<string, string | Date | null>;

/** Rows that an order is followed for before rows that match are looked for in other ways. */
export const scanLimit = 10_000;

/**
 * One way to rows that match: by an index that the planner chooses, or through the codes of sets
 * (`of` selects their ids) or of mass generations (`of` is a condition on the row `g`).
 */
export type AccessPath =
  { by: "rows"; condition: string } | { by: "sets" | "generations"; of: string; condition: string };

export type FilterSql = {
  /** One condition, true for exactly the rows that match. */
  sql: string;
  bindings: FilterBindings;
  /** Live and deleted rows have indexes of their own: conditions of which `sql` needs one or both. */
  parts: string[];
  /** Condition on a row `p` of `generationRowsSql`, for lists in which mass generations are rows too. */
  generations?: string;
  /** Every row that matches is reached by one of the paths and fulfils `residual`. */
  paths: AccessPath[] | null;
  residual: string;
  /** Number of the newest rows that are worth checking before the paths are followed. */
  scanFirst: number;
};

const partsOf: Record<PromotionFilters["deleted"], string[]> = {
  without: ["not p.is_deleted"],
  with: ["not p.is_deleted", "p.is_deleted"],
  only: ["p.is_deleted"],
};

/**
 * Mass generations `g` as rows `p` like those of promotions, for orders, for the conditions of
 * filters and for `storedStatusSql`. The id is that of the first code. A generation is as good as its
 * best code: active while one is, expired when all are; the numbers of uses are 0 or 1.
 */
export const generationRowsSql = `(
  select (select min(p.id) from promotions p where p.mass_generation_id = g.id) as id,
    g.id as mass_generation_id, g.name, cast(null as text) as code, g.discount_type,
    g.discount_value, g.is_single_use, g.is_deleted, g.set_id, g.created_at,
    g.is_active and ${hasCodeSql("p.is_active")} as is_active,
    nullif(greatest(coalesce(g.expires_at, 'infinity'), (
      select max(coalesce(p.expires_at, 'infinity')) from promotions p
      where p.mass_generation_id = g.id and p.has_own_expiration)), 'infinity') as expires_at,
    false as is_renewable, 0 as period_key, 1 as max_uses,
    case when ${hasCodeSql(hasUsesLeftSql)} then 0 else 1 end as period_uses,
    case when ${hasCodeSql("p.activation_count > 0")} then 1 else 0 end as activation_count
  from mass_generations g) p`;

function hasCodeSql(condition: string): string {
  return `exists (select from promotions p where p.mass_generation_id = g.id and ${condition})`;
}

/** Singles are found as in the list of all codes; mass generations are few, and each is looked at. */
function campaignFilterSql(filters: PromotionFilters): FilterSql {
  const singles = filterSql({ ...filters, view: null, type: "single" });
  const isMass = filters.type === "mass";
  const { completedAfter, completedBefore, ...others } = filters;
  const isCompleted =
    (completedAfter || completedBefore) &&
    `exists (select from (select * from promotions c where c.mass_generation_id = p.mass_generation_id) p
      where ${completedSql(filters)})`;
  const text = generationTextSql(filters.text);
  const machine = machineFilter(filters);
  return {
    ...singles,
    sql: all([singles.sql, isMass && never]),
    residual: all([singles.residual, isMass && never]),
    bindings: { ...singles.bindings, ...text?.bindings },
    paths: singles.paths?.filter(({ by }) => by !== "generations") ?? null,
    // The newest singles alone would not be the newest campaigns.
    scanFirst: 0,
    generations: all([
      ...plainConditions({ ...others, completedAfter: null, completedBefore: null }),
      isCompleted,
      partsOf[filters.deleted].join(" or "),
      text?.condition,
      machine?.condition,
    ]),
  };
}

/** A mass generation matches by its name, or by the whole code of one of its codes. */
function generationTextSql(text: string) {
  if (text === "") return null;
  const byCode = `p.mass_generation_id = (
    select c.mass_generation_id from promotions c where c.code = :wholeCode)`;
  return {
    condition: isShortNeedle(text) ? byCode : `p.name ilike :nameNeedle or ${byCode}`,
    bindings: { wholeCode: codeNeedle(text) },
  };
}

export function filterSql(filters: PromotionFilters): FilterSql {
  if (filters.view === "campaigns") return campaignFilterSql(filters);
  const parts = filters.status
    ? [filters.status === "deleted" ? "p.is_deleted" : "not p.is_deleted"]
    : partsOf[filters.deleted];
  const plain = [...plainConditions(filters), partsOf[filters.deleted].join(" or ")];
  const text = textFilter(filters.text);
  const machine = machineFilter(filters);
  const common = {
    sql: all([...plain, text?.condition, machine?.condition]),
    bindings: { ...plainBindings(filters), ...text?.bindings, ...machine?.bindings },
    parts,
  };
  const leading = text && machine ? bothPaths(text, machine) : (text ?? machine)?.paths;
  if (leading) {
    // A machine may accept most codes, and then the newest ones do.
    return { ...common, paths: leading, residual: all(plain), scanFirst: machine ? 100 : 0 };
  }
  // Codes of few sets. Their own expiration comes first in the index of the codes of a set.
  const isBySet = filters.status === "not_assigned";
  const residual = plainConditions({ ...filters, status: isBySet ? null : filters.status });
  return {
    ...common,
    paths: isBySet
      ? [
          {
            by: "sets",
            of: "select id from assignment_sets where not is_assigned",
            condition: isUsableSql,
          },
        ]
      : null,
    residual: all([...residual, partsOf[filters.deleted].join(" or ")]),
    scanFirst: scanLimit,
  };
}

function all(conditions: (string | false | null | undefined)[]): string {
  return conditions.flatMap((condition) => (condition ? [`(${condition})`] : [])).join(" and ");
}

/** A text leads; of whole generations only those are read that the machine is assigned to as well. */
function bothPaths(text: TextFilter, machine: MachineFilter): AccessPath[] {
  const byRow = text.paths.flatMap((path): AccessPath[] =>
    path.by === "rows" ? [{ ...path, condition: all([path.condition, machine.condition]) }] : [],
  );
  if (text.generations === null) return byRow;
  return [
    ...byRow,
    {
      by: "sets",
      of: `select s.id from assignment_sets s
        where s.copied_from in (select g.set_id from mass_generations g where ${text.generations})
          and ${machine.hasMachineSql("s.id")}`,
      condition: "true",
    },
    {
      by: "generations",
      of: all([text.generations, machine.hasMachineSql("g.set_id")]),
      condition: sharesSetSql,
    },
  ];
}

const never = "false";

function plainConditions(filters: PromotionFilters): string[] {
  const { type, status, isUsed, isReusable, isExpired, isIndefinite } = filters;
  // A promotion without an end never expires, so that no row can match.
  const isContradiction = (isExpired === true || status === "expired") && isIndefinite === true;
  return [
    filters.createdAfter && `p.created_at >= ${startOfDaySql("cast(:createdAfter as date)")}`,
    filters.createdBefore && `p.created_at < ${startOfDaySql("cast(:createdBefore as date) + 1")}`,
    // Like 'new', which is within 7 days.
    filters.created && "p.created_at > (select at from clock) - cast(:createdWithin as interval)",
    filters.discountType && "p.discount_type = :discountType",
    filters.expires &&
      `${isNotExpiredSql} and coalesce(p.expires_at, 'infinity') <= (select at from clock) + interval '7 days'`,
    (filters.completedAfter || filters.completedBefore) && completedSql(filters),
    type && `p.mass_generation_id is ${type === "single" ? "null" : "not null"}`,
    status && statusConditions[status],
    isUsed !== null && `p.activation_count ${isUsed ? "> 0" : "<= 0"}`,
    isReusable !== null && `${isReusable ? "not " : ""}p.is_single_use`,
    isExpired !== null && (isExpired ? isExpiredIndexedSql : isNotExpiredSql),
    isIndefinite !== null &&
      `coalesce(p.expires_at, 'infinity') ${isIndefinite ? "=" : "<"} 'infinity'`,
    isContradiction && never,
    filters.massGenerationId && "p.mass_generation_id = :massGenerationId",
  ].filter((condition) => typeof condition === "string");
}

/** A code is completed when its last use was accepted, or else when its expiration passed (RULES D4). */
function completedSql({ completedAfter, completedBefore }: PromotionFilters): string {
  const isInPeriod = (instant: string) =>
    all([
      completedAfter && `${instant} >= ${startOfDaySql("cast(:completedAfter as date)")}`,
      completedBefore && `${instant} < ${startOfDaySql("cast(:completedBefore as date) + 1")}`,
    ]);
  // 'offset 0' looks each code's last use up once.
  return `case when ${isUsedUpForGoodSql} then exists (
      select from (select max(t.created_at) as used_at from transactions t
        where t.promotion_id = p.id and t.status = 'applied' offset 0) last_use
      where ${isInPeriod("used_at")})
    else ${isExpiredIndexedSql} and ${isInPeriod("p.expires_at")} end`;
}

function plainBindings({ created, ...filters }: PromotionFilters): FilterBindings {
  return {
    timeZone: clockBindings().timeZone,
    createdAfter: filters.createdAfter,
    createdBefore: filters.createdBefore,
    createdWithin: created && createdIntervals[created],
    massGenerationId: filters.massGenerationId,
    discountType: filters.discountType,
    completedAfter: filters.completedAfter,
    completedBefore: filters.completedBefore,
  };
}

/** A filter that few rows pass, and the paths to them. */
type LeadingFilter = { condition: string; paths: AccessPath[]; bindings: FilterBindings };
type TextFilter = LeadingFilter & {
  /** Condition on a generation `g`; null where no generation can match. */
  generations: string | null;
};
type MachineFilter = LeadingFilter & { hasMachineSql: (setId: string) => string };

/** Whether the code `p` has the set of its generation `g`. */
const sharesSetSql = "p.set_id = g.set_id";

/**
 * Names of mass generations are as many as generations, each for hundreds of codes: they are looked
 * for there. A code can't have its own.
 */
function textFilter(text: string): TextFilter | null {
  if (text === "") return null;
  const isShort = isShortNeedle(text);
  const code = codeNeedle(text);
  // Text such as '2 -' leaves less than three characters, which match only a beginning.
  const isBeginning = isShort || code.length < 3;
  const byCode = code === "" ? never : "p.code like :codeNeedle";
  const bindings = {
    codeNeedle: isBeginning ? `${code}%` : `%${code}%`,
    nameNeedle: containsPattern(text),
  };
  const codePath: AccessPath = { by: "rows", condition: byCode };
  if (isShort) return { condition: byCode, paths: [codePath], generations: null, bindings };
  const bySingleName = "p.mass_generation_id is null and p.name ilike :nameNeedle";
  const generations = "g.name ilike :nameNeedle";
  const byGeneration = `p.mass_generation_id in (
    select g.id from mass_generations g where ${generations})`;
  return {
    condition: `(${bySingleName}) or ${byGeneration} or ${byCode}`,
    paths: [
      { by: "rows", condition: bySingleName },
      ...(byCode === never ? [] : [codePath]),
      { by: "generations", of: generations, condition: "true" },
    ],
    generations,
    bindings,
  };
}

/** Returns the code in a text, or the part that a code can contain: upper case, no spaces or dashes; '' if none. */
function codeNeedle(text: string): string {
  const code = findCode(text, environment().qrPayload);
  if (code !== null) return code;
  const needle = text.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  // Tested before it is upper-cased: 'ſ' would become an S.
  return /^[2-9A-HJKMNP-Za-hjkmnp-z]{1,12}$/.test(needle) ? needle.toUpperCase() : "";
}

/** One machine has both the serial number and the name. */
function machineFilter({ serialNumber, controller }: PromotionFilters): MachineFilter | null {
  if (serialNumber === "" && controller === "") return null;
  const matches = [
    serialNumber !== "" && "m.serial_number ilike :serialNeedle",
    controller !== "" && "m.human_name ilike :controllerNeedle",
  ]
    .filter(Boolean)
    .join(" and ");
  const machines = `select m.id from machines m where ${matches}`;
  // 'offset 0' keeps it a check of one set, and 'is true' one look-up in a hash table of machines.
  const hasMachineSql = (setId: string) => `exists (select from assigned_machines a
    where a.set_id = ${setId} and (a.machine_id in (${machines})) is true offset 0)`;
  return {
    condition: hasMachineSql("p.set_id"),
    paths: [
      {
        by: "sets",
        of: `select a.set_id from assigned_machines a where a.machine_id = any(array(${machines}))
          and not exists (select from mass_generations g where g.set_id = a.set_id)`,
        condition: "true",
      },
      { by: "generations", of: hasMachineSql("g.set_id"), condition: sharesSetSql },
    ],
    hasMachineSql,
    bindings: {
      serialNeedle: containsPattern(serialNumber),
      controllerNeedle: containsPattern(controller),
    },
  };
}

/** Returns a statement that counts all that match. Beyond the cap of lists it takes longer than a page. */
export function countAllSql(filters: PromotionFilters) {
  return {
    sql: `with ${clockSql} select count(*)::integer as total from (${matchingIdsSql(filters)}) matching`,
    bindings: { ...clockBindings(), ...filterSql(filters).bindings },
  };
}

export function matchingIdsSql(filters: PromotionFilters): string {
  return idSelects(filterSql(filters)).join(" union ");
}

/**
 * Returns a statement that puts the ids of what matches together in `columns`, at most `limit` of
 * them. The paths are followed one after the other, each only when those before it have not reached
 * the limit.
 */
export function countMatchingSql(filters: PromotionFilters, limit: number) {
  const filter = filterSql(filters);
  const bindings = { ...clockBindings(), ...filter.bindings };
  const selects = idSelects(filter, limit);
  if (selects.length === 1) {
    return {
      sql: (columns: string) => `with ${clockSql} select ${columns} from ${selects[0]} counted`,
      bindings,
    };
  }
  const names: string[] = [];
  const paths = selects.map((select, index) => {
    const isEnough = names.map((name) => `(select count(*) from ${name}) >= ${limit}`).join(" or ");
    names.push(`path_${index}`);
    return `path_${index} as materialized (
      select id from ${select} reached where not (${isEnough || "false"}))`;
  });
  const union = names.map((name) => `select id from ${name}`).join(" union ");
  return {
    sql: (columns: string) => `with ${clockSql}, ${paths.join(", ")}
      select ${columns} from (select id from (${union}) reached limit ${limit}) counted`,
    bindings,
  };
}

function idSelects({ generations, ...filter }: FilterSql, limit?: number): string[] {
  const selects = idSelectsOfCodes(filter, limit);
  if (generations === undefined) return selects;
  const limitSql = limit === undefined ? "" : `limit ${limit}`;
  // No code has such an id: rows of generations are counted here, and read in their order.
  const rows = `select -p.mass_generation_id as id from ${generationRowsSql}`;
  return [`(${rows} where ${generations} ${limitSql})`, ...selects];
}

function idSelectsOfCodes({ sql, parts, paths, residual }: FilterSql, limit?: number): string[] {
  const limitSql = limit === undefined ? "" : `limit ${limit}`;
  const select = (rows: string, condition: string, order = "") =>
    `(select p.id from ${rows} where ${condition} ${order} ${limitSql})`;
  // Without filters the index of the newest answers it alone.
  if (sql === `(${parts.join()})`)
    return [select("promotions p", sql, "order by p.created_at desc")];
  if (!paths) return [select("promotions p", sql)];
  // Whole generations reach the limit soonest.
  return [...paths]
    .sort((one, other) => Number(other.by === "generations") - Number(one.by === "generations"))
    .flatMap((path) => {
      const matches = all([path.condition, residual]);
      if (path.by === "rows") return [select("promotions p", matches)];
      if (path.by === "sets") return [select(codesOfSets(path.of, matches), "true")];
      return parts.map((part) => select(codesOf(path.of, { conditions: part }), matches));
    });
}

/**
 * Selects mass generations `g` with their codes as rows `p`. The fence of 'offset 0' makes it read
 * each generation in the order of its index; without it, a condition with an index of its own would
 * be looked up anew for every generation.
 * @param generations condition on `g`
 * @param options.conditions on `p` that the index of a generation's codes can follow
 */
export function codesOf(
  generations: string,
  { conditions, order = "" }: { conditions: string; order?: string },
): string {
  return `(select * from mass_generations g where ${generations}) g cross join lateral (
    select p.* from promotions p where p.mass_generation_id = g.id and ${conditions} ${order} offset 0) p`;
}

/** Selects the codes of sets as rows `p`, set by set. */
export function codesOfSets(sets: string, conditions: string): string {
  return `(select distinct * from (${sets}) ids (id)) s cross join lateral (
    select p.* from promotions p where p.set_id = s.id and ${conditions} offset 0) p`;
}

/**
 * A selection as a condition on the row `p` of promotions; needs `clockSql`. `parts` are the kinds
 * of rows that it can hold, each with indexes of its own.
 */
export function selectionSql(selection: PromotionSelection) {
  if (selection.kind === "matching") {
    const { sql, bindings, parts, generations } = filterSql(selection.filters);
    if (generations === undefined) return { sql, bindings, parts };
    const chosen = `select p.mass_generation_id from ${generationRowsSql} where ${generations}`;
    return {
      sql: "true",
      bindings,
      parts: parts.flatMap((part) => [
        `${part} and ${sql}`,
        `${part} and p.mass_generation_id = any(array(${chosen}))`,
      ]),
    };
  }
  const { ids, generations = [] } = selection;
  return {
    sql: `(p.id = any(cast(:ticked as bigint[]))
      or p.mass_generation_id = any(cast(:generations as bigint[])))`,
    bindings: { ticked: ids, generations },
    parts: ["not p.is_deleted", "p.is_deleted"],
  };
}
