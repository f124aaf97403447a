/** Filters as conditions on rows `p` of promotions; they need `clockSql` in the WITH list. */
import { startOfDaySql } from "../../../db/site.server";
import { createdIntervals } from "../../../forms/list";
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";
import {
  clockBindings,
  clockSql,
  isExpiredIndexedSql,
  isNotExpiredSql,
  statusConditions,
} from "../promotion-sql.server";

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
  const sources = text && machine ? bothSources(text, machine) : sourcesOf(text ?? machine);
  return {
    sql: all([...plain, text?.condition, machine?.condition]),
    bindings: { ...plainBindings(filters), ...text?.bindings, ...machine?.bindings },
    parts,
    ways: sources && { sources, rest: all(plain) },
  };
}

function all(conditions: (string | undefined)[]): string {
  return conditions.flatMap((condition) => (condition ? [`(${condition})`] : [])).join(" and ");
}

function sourcesOf(filter: LeadingFilter | null): RowSource[] | null {
  if (!filter) return null;
  const { rows, generations, ofGeneration } = filter;
  return [
    ...rows.map((condition) => ({ generations: null, condition })),
    ...(generations === null ? [] : [{ generations, condition: ofGeneration }]),
  ];
}

/** A text leads; of whole generations only those are read that the machine is assigned to as well. */
function bothSources(text: LeadingFilter, machine: LeadingFilter): RowSource[] {
  const byRow = text.rows.map((condition) => ({
    generations: null,
    condition: all([condition, machine.condition]),
  }));
  if (text.generations === null) return byRow;
  const ofGenerations = `p.mass_generation_id in (${text.generations})`;
  return [
    ...byRow,
    ...machine.rows.map((condition) => ({
      generations: null,
      condition: all([condition, ofGenerations]),
    })),
    {
      generations: `(${text.generations}) intersect (${machine.generations})`,
      condition: machine.ofGeneration,
    },
  ];
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
  if (filters.isExpired !== null)
    found.push(filters.isExpired ? isExpiredIndexedSql : isNotExpiredSql);
  if (filters.isIndefinite !== null) {
    found.push(`coalesce(p.expires_at, 'infinity') ${filters.isIndefinite ? "=" : "<"} 'infinity'`);
  }
  // A promotion without an end never expires, so that no row can match.
  const isOver = filters.isExpired === true || filters.status === "expired";
  if (isOver && filters.isIndefinite === true) found.push(never);
  if (filters.massGenerationId) found.push("p.mass_generation_id = :massGenerationId");
  return found;
}

function plainBindings(filters: PromotionFilters): FilterBindings {
  const { timeZone } = clockBindings();
  return {
    timeZone,
    ...(filters.createdAfter && { createdAfter: filters.createdAfter }),
    ...(filters.createdBefore && { createdBefore: filters.createdBefore }),
    ...(filters.created && { createdWithin: createdIntervals[filters.created] }),
    ...(filters.massGenerationId && { massGenerationId: filters.massGenerationId }),
  };
}

/** A filter that few rows pass: they are found by themselves, or by their generations. */
type LeadingFilter = {
  condition: string;
  rows: string[];
  generations: string | null;
  /** Condition that a code must meet to match through its generation. */
  ofGeneration: string;
  bindings: FilterBindings;
};

/**
 * Names of mass generations are as many as generations, each for hundreds of codes: they are looked
 * for there. A code can't have its own.
 */
function textFilter(text: string): LeadingFilter | null {
  if (text === "") return null;
  const isShort = isShortNeedle(text);
  const code = codeNeedle(text);
  // Text such as '2 -' leaves less than three characters, which match only a beginning.
  const isBeginning = isShort || code.length < 3;
  const byCode = code === "" ? never : "p.code like :codeNeedle";
  const bindings: FilterBindings = {
    ...(code !== "" && { codeNeedle: isBeginning ? `${code}%` : `%${code}%` }),
    ...(!isShort && { nameNeedle: anywhere(text) }),
  };
  if (isShort) {
    return { condition: byCode, rows: [byCode], generations: null, ofGeneration: never, bindings };
  }
  const bySingleName = "p.mass_generation_id is null and p.name ilike :nameNeedle";
  const generations = "select g.id from mass_generations g where g.name ilike :nameNeedle";
  const byGeneration = `p.mass_generation_id in (${generations})`;
  return {
    condition: `(${bySingleName}) or ${byGeneration} or ${byCode}`,
    rows: [bySingleName, ...(byCode === never ? [] : [byCode])],
    generations,
    ofGeneration: "true",
    bindings,
  };
}

/** Returns the part of a text that a code can contain: upper case, no spaces or dashes; '' if none. */
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
  const assigned = `select a.set_id from assigned_machines a
    join machines m on m.id = a.machine_id where ${matches}`;
  const generations = `select g.id from mass_generations g
    where g.set_id in (${assigned})`;
  const ownSets = `${assigned}
    and not exists (select from mass_generations g where g.set_id = a.set_id)`;
  return {
    // 'offset 0' keeps it a check of one row, which PostgreSQL can't turn into a way to the rows.
    condition: `exists (${assigned} and a.set_id = p.set_id offset 0)`,
    rows: [`p.set_id in (${ownSets})`],
    generations,
    ofGeneration: "p.set_id = g.set_id",
    bindings: {
      ...(serialNumber !== "" && { serialNeedle: anywhere(serialNumber) }),
      ...(controller !== "" && { controllerNeedle: anywhere(controller) }),
    },
  };
}

/** A select of the ids of everything that matches, in no order. */
export function matchingIdsSql(filters: PromotionFilters): string {
  return idSelects(filterSql(filters)).join(" union ");
}

/**
 * The ids of what matches, at most `most` of them, as a statement that puts them together in
 * `columns`. The ways to the rows are taken one after the other, each only when those before it
 * have not come so far.
 */
export function countMatchingSql(filters: PromotionFilters, most: number) {
  const filter = filterSql(filters);
  const bindings = { ...clockBindings(), ...filter.bindings };
  const selects = idSelects(filter, most);
  if (selects.length === 1) {
    return {
      sql: (columns: string) => `with ${clockSql} select ${columns} from ${selects[0]} counted`,
      bindings,
    };
  }
  const names: string[] = [];
  const ways = selects.map((select, index) => {
    const isEnough = names.map((name) => `(select count(*) from ${name}) >= ${most}`).join(" or ");
    names.push(`way_${index}`);
    return `way_${index} as materialized (
      select id from ${select} reached where not (${isEnough || "false"}))`;
  });
  const all = names.map((name) => `select id from ${name}`).join(" union ");
  return {
    sql: (columns: string) => `with ${clockSql}, ${ways.join(", ")}
      select ${columns} from (select id from (${all}) reached limit ${most}) counted`,
    bindings,
  };
}

function idSelects({ sql, parts, ways }: FilterSql, most?: number): string[] {
  const limit = most === undefined ? "" : `limit ${most}`;
  // Without filters the index of the newest answers it alone.
  if (sql === `(${parts.join()})`) {
    return [`(select p.id from promotions p where ${sql} order by p.created_at desc ${limit})`];
  }
  if (!ways) return [`(select p.id from promotions p where ${sql} ${limit})`];
  // Whole generations first: they are the quickest to come to many.
  return [...ways.sources]
    .sort((one, other) => Number(one.generations === null) - Number(other.generations === null))
    .flatMap(({ generations, condition }) => {
      const matches = `(${condition}) and ${ways.rest}`;
      if (generations === null)
        return [`(select p.id from promotions p where ${matches} ${limit})`];
      return parts.map((part) => {
        const codes = codesOf(generations, { conditions: part });
        return `(select p.id from ${codes} where ${matches} ${limit})`;
      });
    });
}

/**
 * Mass generations `g` with their codes as rows `p`. The fence of 'offset 0' keeps it a walk through
 * each generation: let in, a condition with an index of its own is looked up anew for every one.
 * @param conditions on `p` that the index of a generation's codes can follow, and so its order
 */
export function codesOf(
  generations: string,
  { conditions, order = "" }: { conditions: string; order?: string },
): string {
  return `(select * from mass_generations where id in (${generations})) g cross join lateral (
    select p.* from promotions p where p.mass_generation_id = g.id and ${conditions} ${order} offset 0) p`;
}
