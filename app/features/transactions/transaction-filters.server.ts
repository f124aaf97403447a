/**
 * Finds matching transactions among millions. Machine, promotion and time have an index; other
 * filters have none, because every index slows down every redemption, and are checked row by row up
 * to a limit.
 */
import { isArchivedSql } from "../../db/archived-months.server";
import { db, one, readValue } from "../../db/connection.server";
import { isSinceDaySql, isUntilDaySql, nowSql, siteTimeZone } from "../../db/site.server";
import { environment } from "../../env.server";
import { invalidFields } from "../../errors";
import { createdIntervals } from "../../lists/list";
import { findCode, findCodeEnd } from "../../forms/code-input";
import { allOf, containsPattern } from "../../db/pages.server";
import { machineBySerialSql } from "../machines/machines.server";
import type { TransactionFilters } from "./transaction-filters";

type Bindings = Record<string, string | Date | null>;

/** The access path of a list, a count or an export; `none` if nothing can match. */
export type TransactionSource = {
  kind: "none" | "scan" | "smallResult";
  /** Selects the ids of promotions that have few transactions. */
  promotions: string;
  /** The condition that the index of the scan answers; `residual` is checked row by row. */
  range: string;
  residual: string;
  /** The number of rows that one statement examines at most. */
  scanLimit: number;
  bindings: Bindings;
};

/** Rows in the order of time lie side by side on disk; those of one machine or code don't. */
const timeScanLimit = 100_000;
const indexScanLimit = 20_000;

/** The number of transactions that may be fetched and sorted as a whole. */
const maxSmallResult = 20_000;

/** The time of a redemption id leads to its partition, and there to its row. */
const hasRedemptionIdSql = `t.redemption_id = :redemptionId and t.created_at = any (
  array(select r.created_at from redemption_ids r where r.redemption_id = :redemptionId))`;

/** Whether a machine's redemption with this id was accepted, at whichever integration, or its attempt is archived. */
export async function hasRedemption(redemptionId: string): Promise<boolean> {
  const row = await one(
    db(),
    `select 1 as found from transactions t where ${hasRedemptionIdSql} limit 1`,
    { redemptionId },
  );
  return row !== null || (await archivedAttemptAt(redemptionId)) !== null;
}

/** Returns the time of the first attempt with this id that is archived; null if none is. */
export function archivedAttemptAt(redemptionId: string): Promise<Date | null> {
  return readValue(
    db(),
    `select min(r.created_at) from redemption_ids r
     where r.redemption_id = :redemptionId and ${isArchivedSql("r.created_at")}`,
    { redemptionId },
  );
}

/** The number of promotions whose transactions may be looked up one by one. */
const maxFewPromotions = 100_000;
/** The number of promotions that may have a name: as many as the codes of the largest mass generation. */
const maxNamedPromotions = 1_000_000;

/**
 * @param options.now replaces the database's clock, in tests and for all pages of an export
 * @param options.scanLimit replaces the limits of scans, in tests
 * @param options.maxNamed replaces the limit of promotions with a name, in tests
 * @throws DomainError invalid, `fields.promotion`: too many promotions have such a name
 */
export async function findSource(
  filters: TransactionFilters,
  {
    now = null,
    scanLimit,
    maxNamed = maxNamedPromotions,
  }: { now?: Date | null; scanLimit?: number; maxNamed?: number } = {},
): Promise<TransactionSource> {
  const bindings: Bindings = { now, timeZone: siteTimeZone() };
  const source = { kind: "scan" as const, promotions: "", bindings };
  const range = conditionsOf(filters, bindings, indexedConditions);
  const residual = conditionsOf(filters, bindings, plainConditions);
  const nothing = { ...source, kind: "none" as const, range: "", residual: "", scanLimit: 0 };

  const serialNumber = filters.machine;
  const machine =
    serialNumber !== "" &&
    (await one<{ id: string }>(db(), `select m.id from ${machineBySerialSql} m`, { serialNumber }));
  if (machine === null) return nothing;
  const machineId = machine ? machine.id : null;
  const promotions = await findPromotions(filters, bindings, maxNamed);
  if (promotions.kind === "none") return nothing;
  const isAtMachine = machineId === null ? "true" : "t.machine_id = cast(:machineId as bigint)";
  if (machineId !== null) bindings.machineId = machineId;

  if (promotions.kind === "few") {
    const conditions = allOf([...range, ...residual, isAtMachine]);
    return { ...nothing, kind: "smallResult", promotions: promotions.sql, residual: conditions };
  }
  // Scans the index of which fewer rows are likely to match.
  const isByPromotion =
    promotions.kind === "one" && (machineId === null || promotions.uses <= maxSmallResult);
  const [lead, other] = isByPromotion
    ? [promotions.condition, isAtMachine]
    : [isAtMachine, promotions.condition];
  const isByTime = machineId === null && !isByPromotion;
  return {
    ...source,
    range: allOf([...range, lead]),
    residual: allOf([...residual, other]),
    scanLimit: scanLimit ?? (isByTime ? timeScanLimit : indexScanLimit),
  };
}

type Conditions = Partial<Record<keyof TransactionFilters, string>>;

const indexedConditions: Conditions = {
  redemptionId: hasRedemptionIdSql,
  createdAfter: isSinceDaySql("t.created_at", "createdAfter"),
  createdBefore: isUntilDaySql("t.created_at", "createdBefore"),
  created: `t.created_at > ${nowSql} - cast(:created as interval)`,
};

const plainConditions: Conditions = {
  status: "t.status = :status",
  type: "t.type = :type",
  integrationId: "t.integration_id = cast(:integrationId as bigint)",
};

/** Returns the conditions of the filters that are set, and binds their values. */
function conditionsOf(filters: TransactionFilters, bindings: Bindings, conditions: Conditions) {
  const names = Object.keys(conditions) as (keyof TransactionFilters)[];
  const set = names.filter((name) => filters[name]);
  for (const name of set) bindings[name] = filters[name];
  if (filters.created) bindings.created = createdIntervals[filters.created];
  return set.map((name) => conditions[name]!);
}

type Promotions =
  | { kind: "none" }
  | { kind: "one"; condition: string; uses: number }
  | { kind: "few"; sql: string }
  | { kind: "many"; condition: string };

/** Finds promotions by a code or its end, by a name, by a mass generation, or by two of these. */
async function findPromotions(
  filters: TransactionFilters,
  bindings: Bindings,
  maxNamed: number,
): Promise<Promotions> {
  const { promotion, massGenerationId } = filters;
  if (promotion === "" && massGenerationId === null) return { kind: "many", condition: "true" };
  if (massGenerationId !== null) bindings.massGenerationId = massGenerationId;

  const code = findCode(promotion, environment().qrPayload);
  // Deleted promotions too, because their transactions stay.
  const found =
    code !== null &&
    (await one<{ id: string; massGenerationId: string | null; activationCount: number }>(
      db(),
      "select id, mass_generation_id, activation_count from promotions where code = :code",
      { code },
    ));
  if (found) {
    bindings.promotionId = found.id;
    if (massGenerationId !== null && found.massGenerationId !== massGenerationId)
      return { kind: "none" };
    const condition = "t.promotion_id = cast(:promotionId as bigint)";
    return { kind: "one", condition, uses: found.activationCount };
  }

  if (promotion !== "") bindings.nameNeedle = containsPattern(promotion);
  const end = findCodeEnd(promotion);
  if (end !== null) bindings.codeEnd = `%${end}`;
  const sql = promotionsSql(filters);
  const limit = promotion === "" ? maxFewPromotions : maxNamed;
  const counted = await one<{ count: number; uses: string }>(
    db(),
    `select count(*)::integer as count, coalesce(sum(uses), 0) as uses
     from (${sql} limit ${limit + 1}) found`,
    bindings,
  );
  const { count, uses } = counted!;
  if (count === 0) return { kind: "none" };
  if (count > limit && promotion !== "")
    throw invalidFields({
      promotion: "Too many codes match this name: type more of it",
    });
  // The uses leave out what was rolled back, which is little.
  return count <= maxFewPromotions && Number(uses) <= maxSmallResult
    ? { kind: "few", sql }
    : { kind: "many", condition: `t.promotion_id in (select id from (${sql}) named)` };
}

/** Selects promotions by name or by the end of their code; the codes of a mass generation have its name. */
function promotionsSql({ promotion, massGenerationId }: TransactionFilters): string {
  const select = "select p.id, p.activation_count as uses";
  const ofGeneration =
    massGenerationId === null ? "true" : "g.id = cast(:massGenerationId as bigint)";
  const named = promotion === "" ? "true" : "g.name ilike :nameNeedle";
  const byGeneration = `${select} from mass_generations g
    join promotions p on p.mass_generation_id = g.id where ${allOf([ofGeneration, named])}`;
  const byEnd =
    findCodeEnd(promotion) === null
      ? ""
      : `union ${select} from promotions p where p.code like :codeEnd
          and ${massGenerationId === null ? "true" : "p.mass_generation_id = cast(:massGenerationId as bigint)"}`;
  if (massGenerationId !== null) return `${byGeneration} ${byEnd}`;
  return `${byGeneration} union all
    ${select} from promotions p where p.mass_generation_id is null and p.name ilike :nameNeedle ${byEnd}`;
}

/** Forward is older than the cursor, backward newer; null begins at the newest. */
export type PageWindow = { cursor: string | null; isForward: boolean };

/** Matching transactions `t` with their conditions, to follow a `from`. */
export function rowsSql(
  { kind, promotions, range, residual, scanLimit }: TransactionSource,
  window: PageWindow,
): string {
  const afterCursor = afterCursorSql(window);
  if (kind === "smallResult") {
    // 'offset 0' keeps the planner from turning the index lookup per promotion into a join.
    return `(${promotions}) led cross join lateral (
        select t.* from transactions t where t.promotion_id = led.id offset 0) t
      where ${allOf([residual, afterCursor])}`;
  }
  if (residual === "true") return `transactions t where ${allOf([range, afterCursor])}`;
  return `(select t.* from transactions t where ${allOf([range, afterCursor])}
      ${orderSql(window.isForward)} limit ${scanLimit}) t
    where ${residual}`;
}

function afterCursorSql({ cursor, isForward }: PageWindow): string {
  if (cursor === null) return "true";
  const cursorTimeSql =
    "(select c.created_at from transactions c where c.id = cast(:cursor as bigint))";
  return `(t.created_at, t.id) ${isForward ? "<" : ">"} (${cursorTimeSql}, cast(:cursor as bigint))`;
}

export function orderSql(isForward: boolean): string {
  const direction = isForward ? "desc" : "asc";
  return `order by t.created_at ${direction}, t.id ${direction}`;
}

/** Selects the last row that a scan examines, and the one after it if there is one. */
export function scanEndSql({ range, scanLimit }: TransactionSource, window: PageWindow): string {
  return `select t.id, t.created_at from transactions t where ${allOf([range, afterCursorSql(window)])}
    ${orderSql(window.isForward)} limit 2 offset ${scanLimit - 1}`;
}
