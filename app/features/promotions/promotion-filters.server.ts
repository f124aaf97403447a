/** Filters as conditions on rows `p` of promotions; they need `clockSql` in the WITH list. */
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";
import {
  clockBindings,
  clockSql,
  hasEndedSql,
  lastsSql,
  statusConditions,
} from "./promotion-rows.server";
import { startOfDaySql } from "./site-day.server";

export type FilterBindings = Record<string, string | Date | null>;

/**
 * One of the ways to the rows that match: no row is reached without one of them. Codes of mass
 * generations are reached by the ids of their generations, a select.
 */
export type RowSource = { generations: string | null; condition: string };

export type FilterSql = {
  /** One condition, true for exactly the rows that match. */
  sql: string;
  bindings: FilterBindings;
  /** Live and deleted rows have indexes of their own: conditions of which `sql` needs one or both. */
  parts: string[];
  /** `sql` again, taken apart for rows that are few among many. Null where there is one way only. */
  ways: { sources: RowSource[]; rest: string } | null;
};

const partsOf: Record<PromotionFilters["deleted"], string[]> = {
  without: ["not p.is_deleted"],
  with: ["not p.is_deleted", "p.is_deleted"],
  only: ["p.is_deleted"],
};

export function filterSql(filters: PromotionFilters): FilterSql {
  const parts = filters.status
    ? [filters.status === "deleted" ? "p.is_deleted" : "not p.is_deleted"]
    : partsOf[filters.deleted];
  const plain = [...plainConditions(filters), partsOf[filters.deleted].join(" or ")];
  const text = textFilter(filters.text);
  const machine = machineFilter(filters);
  const bindings = { ...plainBindings(filters), ...text?.bindings, ...machine?.bindings };
  const all = (conditions: (string | undefined)[]) =>
    conditions.flatMap((condition) => (condition ? [`(${condition})`] : [])).join(" and ");
  // One of the two leads to the rows, the other is looked at in each.
  const lead = text ?? machine;
  return {
    sql: all([...plain, text?.condition, machine?.condition]),
    bindings,
    parts,
    ways: lead && {
      sources: lead.sources,
      rest: all([...plain, lead === machine ? undefined : machine?.condition]),
    },
  };
}

const never = "false";

function plainConditions(filters: PromotionFilters): string[] {
  const found: string[] = [];
  if (filters.createdAfter) {
    found.push(`p.created_at >= ${startOfDaySql("cast(:createdAfter as date)")}`);
  }
  if (filters.createdBefore) {
    found.push(`p.created_at < ${startOfDaySql("cast(:createdBefore as date) + 1")}`);
  }
  // Like 'new', which is within 7 days.
  if (filters.created) {
    found.push("p.created_at > (select at from clock) - cast(:createdWithin as interval)");
  }
  if (filters.type) {
    found.push(`p.mass_generation_id is ${filters.type === "single" ? "null" : "not null"}`);
  }
  if (filters.status) found.push(statusConditions[filters.status]);
  if (filters.isUsed !== null) found.push(`p.activation_count ${filters.isUsed ? "> 0" : "<= 0"}`);
  if (filters.isReusable !== null) found.push(`${filters.isReusable ? "not " : ""}p.is_single_use`);
  if (filters.isExpired !== null) found.push(filters.isExpired ? hasEndedSql : lastsSql);
  if (filters.isIndefinite !== null) {
    found.push(`p.expires_at is ${filters.isIndefinite ? "null" : "not null"}`);
  }
  // What has no end has not ended: no row needs to be looked at.
  const isOver = filters.isExpired === true || filters.status === "expired";
  if (isOver && filters.isIndefinite === true) found.push(never);
  if (filters.massGenerationId) found.push("p.mass_generation_id = :massGenerationId");
  return found;
}

const intervals = { "7d": "7 days", "30d": "30 days", "2m": "2 months" } as const;

function plainBindings(filters: PromotionFilters): FilterBindings {
  const { timeZone } = clockBindings();
  return {
    timeZone,
    ...(filters.createdAfter && { createdAfter: filters.createdAfter }),
    ...(filters.createdBefore && { createdBefore: filters.createdBefore }),
    ...(filters.created && { createdWithin: intervals[filters.created] }),
    ...(filters.massGenerationId && { massGenerationId: filters.massGenerationId }),
  };
}

type LeadingFilter = { condition: string; sources: RowSource[]; bindings: FilterBindings };

/**
 * Names of mass generations are as many as generations, each for hundreds of codes: they are looked
 * for there. A code can't have its own.
 */
function textFilter(text: string): LeadingFilter | null {
  if (text === "") return null;
  const isShort = isShortNeedle(text);
  const code = codeNeedle(text);
  // What is left of '2 -' is no more than a beginning either.
  const isBeginning = isShort || code.length < 3;
  const byCode = code === "" ? never : "p.code like :codeNeedle";
  const bindings: FilterBindings = {
    ...(code !== "" && { codeNeedle: isBeginning ? `${code}%` : `%${code}%` }),
    ...(!isShort && { nameNeedle: anywhere(text) }),
  };
  if (isShort) {
    return { condition: byCode, sources: [{ generations: null, condition: byCode }], bindings };
  }
  const bySingleName = "p.mass_generation_id is null and p.name ilike :nameNeedle";
  const generations = "select g.id from mass_generations g where g.name ilike :nameNeedle";
  const byGeneration = `p.mass_generation_id in (${generations})`;
  return {
    condition: `(${bySingleName}) or ${byGeneration} or ${byCode}`,
    sources: [
      { generations: null, condition: bySingleName },
      { generations, condition: "true" },
      ...(byCode === never ? [] : [{ generations: null, condition: byCode }]),
    ],
    bindings,
  };
}

/** What of a text can be in a code: upper-cased, without spaces and dashes; '' when nothing can. */
function codeNeedle(text: string): string {
  const needle = text.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  // Tested before it is upper-cased: 'ſ' would become an S.
  return /^[2-9A-HJKMNP-Za-hjkmnp-z]{1,12}$/.test(needle) ? needle.toUpperCase() : "";
}

function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** One machine has both the serial number and the name. */
function machineFilter({ serialNumber, controller }: PromotionFilters): LeadingFilter | null {
  if (serialNumber === "" && controller === "") return null;
  const matches = [
    ...(serialNumber === "" ? [] : ["m.serial_number ilike :serialNeedle"]),
    ...(controller === "" ? [] : ["m.human_name ilike :controllerNeedle"]),
  ].join(" and ");
  const byMachine = `a.machine_id in (select m.id from machines m where ${matches})`;
  const byGroup = `a.group_id in (select member.group_id from machine_group_members member
    join machines m on m.id = member.machine_id where ${matches})`;
  // 'offset 0' keeps it a look at one row; as a way to the rows PostgreSQL may turn it around.
  const own = (assigned: string, fence = "") => `p.has_own_machines and exists (
    select from promotion_assignments a where a.promotion_id = p.id and ${assigned} ${fence})`;
  const generations = `select a.mass_generation_id from mass_generation_assignments a
      where ${byMachine}
    union
    select a.mass_generation_id from mass_generation_assignments a where ${byGroup}`;
  const byGeneration = `not p.has_own_machines and p.mass_generation_id in (${generations})`;
  return {
    condition: `(${own(byMachine, "offset 0")}) or (${own(byGroup, "offset 0")}) or (${byGeneration})`,
    sources: [
      { generations: null, condition: own(byMachine) },
      { generations: null, condition: own(byGroup) },
      { generations, condition: "not p.has_own_machines" },
    ],
    bindings: {
      ...(serialNumber !== "" && { serialNeedle: anywhere(serialNumber) }),
      ...(controller !== "" && { controllerNeedle: anywhere(controller) }),
    },
  };
}

/** A select of the ids of everything that matches, in no order. */
export function matchingIdsSql(filters: PromotionFilters): FilterSql {
  const filter = filterSql(filters);
  return { ...filter, sql: idSelects(filter).join(" union ") };
}

/**
 * How many match, as a whole statement; it stops at `most`. The ways to the rows are taken one
 * after the other, each only when those before it have not come so far.
 */
export function countMatchingSql(filters: PromotionFilters, most: number) {
  const filter = filterSql(filters);
  const names: string[] = [];
  const ways = idSelects(filter, most).map((select, index) => {
    const isEnough = names.map((name) => `(select count(*) from ${name}) >= ${most}`).join(" or ");
    names.push(`way_${index}`);
    return `way_${index} as materialized (
      select id from (${select}) reached where not (${isEnough || "false"}))`;
  });
  const all = names.map((name) => `select id from ${name}`).join(" union ");
  return {
    sql: `with ${clockSql}, ${ways.join(", ")}
      select count(*) as total from (select id from (${all}) reached limit ${most}) counted`,
    bindings: { ...clockBindings(), ...filter.bindings },
  };
}

function idSelects({ sql, ways }: FilterSql, most?: number): string[] {
  const limit = most === undefined ? "" : `limit ${most}`;
  if (!ways) return [`(select p.id from promotions p where ${sql} ${limit})`];
  // Whole generations first: they are the quickest to come to many.
  return [...ways.sources]
    .sort((one, other) => Number(one.generations === null) - Number(other.generations === null))
    .map(({ generations, condition }) =>
      generations === null
        ? `(select p.id from promotions p where (${condition}) and ${ways.rest} ${limit})`
        : `(select p.id from (${generations}) g (generation_id)
            cross join lateral (select p.id from promotions p
              where p.mass_generation_id = g.generation_id and ${condition} and ${ways.rest}) p
            ${limit})`,
    );
}
