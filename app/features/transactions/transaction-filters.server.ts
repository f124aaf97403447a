/**
 * Where the transactions that match are found among millions. A machine, a code or the moments lead
 * to them by an index. Nothing else has one, since every index slows down every redemption: what is
 * left is looked at row by row, and so many rows at once.
 */
import { db } from "../../db/connection.server";
import { siteTimeZone, startOfDaySql } from "../../db/site.server";
import { DomainError } from "../../errors";
import { createdIntervals } from "../../forms/list-filters";
import { normaliseCode } from "../../forms/typed-code";
import { machineBySerialSql } from "../machines/find-machine.server";
import type { TransactionFilters } from "./transaction-filters";

type Rows<Row> = { rows: Row[] };
type Bindings = Record<string, string | Date | null>;

/** Where a list, a count or an export reads; `none` where nothing can match. */
export type TransactionSource = {
  kind: "none" | "walked" | "few";
  /** A select of the ids of the promotions that lead to a few transactions. */
  promotions: string;
  /** Answered by the index that is walked. */
  range: string;
  /** Looked at row by row. */
  rest: string;
  /** So many rows are looked at by one statement, and then no further. */
  most: number;
  bindings: Bindings;
};

/**
 * Rows that are looked at, at most. In the order of time they lie side by side; those of one machine
 * or one code lie everywhere.
 */
const maxByTime = 100_000;
const maxByIndex = 20_000;

/** So many transactions are fetched and sorted. */
const fewUses = 20_000;

/** As many as one mass generation may have (rulings 3.7). */
const maxPromotions = 100_000;

/**
 * @param options.now instead of the database's clock, in tests and for the whole of an export
 * @param options.most for tests, whose ways are shorter
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export async function findSource(
  filters: TransactionFilters,
  { now = null, most }: { now?: Date | null; most?: number } = {},
): Promise<TransactionSource> {
  const bindings: Bindings = { now, timeZone: siteTimeZone() };
  const found: TransactionSource = {
    kind: "walked",
    promotions: "",
    range: all(createdConditions(filters, bindings)),
    rest: all(plainConditions(filters, bindings)),
    most: most ?? maxByTime,
    bindings,
  };
  const byIndex = { ...found, most: most ?? maxByIndex };
  const machineId = filters.machine === "" ? null : await findMachine(filters.machine);
  if (machineId === undefined) return { ...found, kind: "none" };
  const promotions = await findPromotions(filters, bindings);
  if (promotions.kind === "none") return { ...found, kind: "none" };

  const ofMachine = machineId === null ? "true" : "t.machine_id = cast(:machineId as bigint)";
  if (machineId !== null) bindings.machineId = machineId;
  switch (promotions.kind) {
    case "any":
      return { ...(machineId === null ? found : byIndex), range: all([found.range, ofMachine]) };
    case "few":
      return {
        ...found,
        kind: "few",
        promotions: promotions.sql,
        rest: all([found.range, found.rest, ofMachine]),
      };
    case "one": {
      // The shorter index of the two leads, as far as that is known.
      const isByMachine = machineId !== null && promotions.uses > fewUses;
      const [lead, other] = isByMachine
        ? [ofMachine, promotions.condition]
        : [promotions.condition, ofMachine];
      return { ...byIndex, range: all([found.range, lead]), rest: all([found.rest, other]) };
    }
    case "many":
      return {
        ...(machineId === null ? found : byIndex),
        range: all([found.range, ofMachine]),
        rest: all([found.rest, promotions.condition]),
      };
  }
}

function all(conditions: string[]): string {
  const asked = conditions.filter((condition) => condition !== "true");
  return asked.length > 0 ? asked.map((condition) => `(${condition})`).join(" and ") : "true";
}

const nowSql = "coalesce(cast(:now as timestamptz), now())";

function createdConditions(filters: TransactionFilters, bindings: Bindings): string[] {
  const found: string[] = [];
  if (filters.createdAfter) {
    bindings.createdAfter = filters.createdAfter;
    found.push(`t.created_at >= ${startOfDaySql("cast(:createdAfter as date)")}`);
  }
  if (filters.createdBefore) {
    bindings.createdBefore = filters.createdBefore;
    found.push(`t.created_at < ${startOfDaySql("cast(:createdBefore as date) + 1")}`);
  }
  if (filters.created) {
    bindings.createdWithin = createdIntervals[filters.created];
    found.push(`t.created_at > ${nowSql} - cast(:createdWithin as interval)`);
  }
  return found;
}

function plainConditions(filters: TransactionFilters, bindings: Bindings): string[] {
  const found: string[] = [];
  if (filters.status) {
    bindings.status = filters.status;
    found.push("t.status = :status");
  }
  if (filters.type) {
    bindings.type = filters.type;
    found.push("t.type = :type");
  }
  if (filters.integrationId) {
    bindings.integrationId = filters.integrationId;
    found.push("t.integration_id = cast(:integrationId as bigint)");
  }
  return found;
}

/** Undefined when there is none. */
async function findMachine(serialNumber: string): Promise<string | undefined> {
  const { rows } = await db().raw<Rows<{ id: string }>>(
    `select m.id from ${machineBySerialSql} m`,
    { serialNumber },
  );
  return rows[0]?.id;
}

type Promotions =
  | { kind: "none" | "any" }
  | { kind: "one"; condition: string; uses: number }
  | { kind: "few"; sql: string }
  | { kind: "many"; condition: string };

/** By a code, by a name, by a mass generation, or by two of them. */
async function findPromotions(
  filters: TransactionFilters,
  bindings: Bindings,
): Promise<Promotions> {
  const { promotion, massGenerationId } = filters;
  if (promotion === "" && massGenerationId === null) return { kind: "any" };
  if (massGenerationId !== null) bindings.massGenerationId = massGenerationId;

  const code = normaliseCode(promotion);
  const one = code === null ? undefined : await findCode(code);
  if (one) {
    bindings.promotionId = one.id;
    if (massGenerationId !== null && one.mass_generation_id !== massGenerationId)
      return { kind: "none" };
    const condition = "t.promotion_id = cast(:promotionId as bigint)";
    return { kind: "one", condition, uses: one.activation_count };
  }

  if (promotion !== "") bindings.nameNeedle = `%${promotion.replace(/[\\%_]/g, "\\$&")}%`;
  const sql = promotionsSql(filters);
  const { rows } = await db().raw<Rows<{ count: number; uses: string }>>(
    `select count(*)::integer as count, coalesce(sum(uses), 0) as uses
     from (${sql} limit ${maxPromotions + 1}) found`,
    bindings,
  );
  const { count, uses } = rows[0]!;
  if (count === 0) return { kind: "none" };
  if (count > maxPromotions && promotion !== "") {
    const sentence = "Too many promotions have this in their name: type more of it";
    throw new DomainError("invalid", sentence, { promotion: sentence });
  }
  // What was rolled back is not among the uses, and is little.
  return count <= maxPromotions && Number(uses) <= fewUses
    ? { kind: "few", sql }
    : { kind: "many", condition: `t.promotion_id in (select id from (${sql}) named)` };
}

type CodeRow = { id: string; mass_generation_id: string | null; activation_count: number };

/** Deleted ones too: their transactions stay. */
async function findCode(code: string): Promise<CodeRow | undefined> {
  const { rows } = await db().raw<Rows<CodeRow>>(
    "select id, mass_generation_id, activation_count from promotions where code = :code",
    { code },
  );
  return rows[0];
}

/** Names of codes of a mass generation are looked for once, at the generation. */
function promotionsSql({ promotion, massGenerationId }: TransactionFilters): string {
  const select = "select p.id, p.activation_count as uses";
  const ofGeneration =
    massGenerationId === null ? "true" : "g.id = cast(:massGenerationId as bigint)";
  const named = promotion === "" ? "true" : "g.name ilike :nameNeedle";
  const byGeneration = `${select} from mass_generations g
    join promotions p on p.mass_generation_id = g.id where ${all([ofGeneration, named])}`;
  if (massGenerationId !== null) return byGeneration;
  return `${byGeneration} union all
    ${select} from promotions p where p.mass_generation_id is null and p.name ilike :nameNeedle`;
}

/** A part of the order, newest first: what is older than the cursor, or newer. */
export type Stretch = { cursor: string | null; isForward: boolean };

/** Rows `t` of transactions with their conditions, for behind a `from`. */
export function rowsSql(
  { kind, promotions, range, rest, most }: TransactionSource,
  { cursor, isForward }: Stretch,
): string {
  const behind =
    cursor === null
      ? "true"
      : `(t.created_at, t.id) ${isForward ? "<" : ">"} (${placeSql}, cast(:cursor as bigint))`;
  if (kind === "few") {
    // 'offset 0' keeps it one step into the index for each promotion.
    return `(${promotions}) led cross join lateral (
        select t.* from transactions t where t.promotion_id = led.id offset 0) t
      where ${all([rest, behind])}`;
  }
  if (rest === "true") return `transactions t where ${all([range, behind])}`;
  return `(select t.* from transactions t where ${all([range, behind])}
      ${orderSql(isForward)} limit ${most}) t
    where ${rest}`;
}

const placeSql =
  "(select place.created_at from transactions place where place.id = cast(:cursor as bigint))";

export function orderSql(isForward: boolean): string {
  const direction = isForward ? "desc" : "asc";
  return `order by t.created_at ${direction}, t.id ${direction}`;
}

/** The last row that is looked at, and one more where there are any behind it. */
export function lastWalkedSql({ range, most }: TransactionSource, { cursor }: Stretch): string {
  const behind =
    cursor === null ? "true" : `(t.created_at, t.id) < (${placeSql}, cast(:cursor as bigint))`;
  return `select t.id, t.created_at from transactions t where ${all([range, behind])}
    ${orderSql(true)} limit 2 offset ${most - 1}`;
}
