/** Filters as SQL conditions on rows `p` of promotions; they need `clockSql` in the WITH list. */
import { allOf, containsPattern } from "../../../db/pages.server";
import { isSinceDaySql, isUntilDaySql, siteTimeZone } from "../../../db/site.server";
import { environment } from "../../../env.server";
import { createdIntervals } from "../../../lists/list";
import { promotionStatuses, type PromotionStatus } from "../promotion";
import { findCode, findCodeEnd, withoutSeparators } from "../../../forms/code-input";
import {
  isOutsideHoursSql,
  isExpiredIndexedSql,
  isNotExpiredSql,
  isUsedUpForGoodSql,
  statusConditions,
} from "../promotion-sql.server";
import { isShortNeedle, type PromotionFilters } from "./promotion-filters";

export const never = "false";

/** Returns the statuses that filters let through, in their order. */
export function statusesOf({ status, deleted }: PromotionFilters): PromotionStatus[] {
  if (status) return [status];
  return promotionStatuses.filter(
    (one) => deleted === "with" || (one === "deleted") === (deleted === "only"),
  );
}

export function withStatus(filters: PromotionFilters, status: PromotionStatus): PromotionFilters {
  return { ...filters, status, deleted: status === "deleted" ? "only" : "without" };
}

const endSql = "coalesce(p.expires_at, 'infinity')";
const isIndefiniteSql = `${endSql} = 'infinity'`;
const endsWithin = (days: number) =>
  `${isNotExpiredSql} and ${endSql} <= (select at from clock) + interval '${days} days'`;

const expirationConditions: Record<NonNullable<PromotionFilters["expires"]>, string> = {
  "7d": endsWithin(7),
  "30d": endsWithin(30),
  ahead: isNotExpiredSql,
  passed: isExpiredIndexedSql,
  none: isIndefiniteSql,
};

const isUsedSql = "p.use_rank > 0";
const isUnusedSql = "p.use_rank <= 0";

const useConditions: Record<NonNullable<PromotionFilters["use"]>, string> = {
  unused: isUnusedSql,
  used: isUsedSql,
  once: "p.is_single_use",
  reusable: "not p.is_single_use",
};

/** Campaigns with a start are few: those of mass generations are read once, and by them their codes. */
function startsWithin(isIn: (startsAt: string) => string): string {
  return `(p.mass_generation_id is null and ${isIn("p.starts_at")} or p.mass_generation_id = any(array(
    select g.id from mass_generations g where ${isIn("g.starts_at")}))) is true`;
}

/** Returns whether a start is within the days of the filters; null without them. */
export function startCondition({ startsAfter, startsBefore }: PromotionFilters) {
  if (!startsAfter && !startsBefore) return null;
  return (startsAt: string) =>
    allOf([
      startsAfter && isSinceDaySql(startsAt, "startsAfter"),
      startsBefore && isUntilDaySql(startsAt, "startsBefore"),
    ]);
}

const isActiveWithinHoursSql = `${statusConditions.active} and not ${isOutsideHoursSql}`;

export const inGroupSql =
  "p.set_id = any(array(select a.set_id from assignments a where a.group_id = :groupId))";

/** Writes the conditions of all filters but those for a text and a machine, which lead to rows by paths of their own. */
export function plainConditions(filters: PromotionFilters): string[] {
  const { type, status, expires, use, isUsed, isReusable, isExpired, isIndefinite, isRunning } =
    filters;
  const isStartIn = startCondition(filters);
  // A promotion without an end never expires, so that no row can match.
  const isContradiction =
    (isExpired === true || status === "expired" || expires === "passed") &&
    (isIndefinite === true || expires === "none");
  return [
    filters.createdAfter && isSinceDaySql("p.created_at", "createdAfter"),
    filters.createdBefore && isUntilDaySql("p.created_at", "createdBefore"),
    // Like 'new', which is within 7 days.
    filters.created && "p.created_at > (select at from clock) - cast(:createdWithin as interval)",
    filters.discountType && "p.discount_type = :discountType",
    expires && expirationConditions[expires],
    use && useConditions[use],
    isStartIn && startsWithin(isStartIn),
    isRunning !== null && (isRunning ? isActiveWithinHoursSql : `not (${isActiveWithinHoursSql})`),
    (filters.completedAfter || filters.completedBefore) && completedSql(filters),
    type && `p.mass_generation_id is ${type === "single" ? "null" : "not null"}`,
    status && statusConditions[status],
    isUsed !== null && (isUsed ? isUsedSql : isUnusedSql),
    isReusable !== null && `${isReusable ? "not " : ""}p.is_single_use`,
    isExpired !== null && (isExpired ? isExpiredIndexedSql : isNotExpiredSql),
    isIndefinite !== null && (isIndefinite ? isIndefiniteSql : `${endSql} < 'infinity'`),
    isContradiction && never,
    filters.massGenerationId && "p.mass_generation_id = :massGenerationId",
    filters.massGeneration &&
      `p.mass_generation_id = any(array(
        select g.id from mass_generations g where g.name ilike :generationNeedle))`,
    filters.groupId && inGroupSql,
  ].filter((condition) => typeof condition === "string");
}

/** A code is completed when its last use was accepted, or else when its expiration passed (RULES D4). */
export function completedSql({ completedAfter, completedBefore }: PromotionFilters): string {
  const isInPeriod = (instant: string) =>
    allOf([
      completedAfter && isSinceDaySql(instant, "completedAfter"),
      completedBefore && isUntilDaySql(instant, "completedBefore"),
    ]);
  // 'offset 0' looks each code's last use up once.
  return `case when ${isUsedUpForGoodSql} then exists (
      select from (select max(t.created_at) as used_at from transactions t
        where t.promotion_id = p.id and t.status = 'applied' offset 0) last_use
      where ${isInPeriod("used_at")})
    else ${isExpiredIndexedSql} and ${isInPeriod("p.expires_at")} end`;
}

/** Selects the machines that all filters for machines let through; null without these filters. */
export function matchingMachinesSql(filters: PromotionFilters): string | null {
  const { machine, serialNumber, controller } = filters;
  const conditions = [
    machine !== "" && "(m.serial_number ilike :machineNeedle or m.human_name ilike :machineNeedle)",
    serialNumber !== "" && "m.serial_number ilike :serialNeedle",
    controller !== "" && "m.human_name ilike :controllerNeedle",
  ].filter(Boolean);
  return conditions.length === 0
    ? null
    : `select m.id from machines m where ${conditions.join(" and ")}`;
}

/** Returns the code in a text, or the part that a code can contain: upper case, no spaces or dashes; '' if none. */
function codeNeedle(text: string): string {
  const code = findCode(text, environment().qrPayload);
  if (code !== null) return code;
  const needle = withoutSeparators(text);
  // Tested before it is upper-cased: 'ſ' would become an S.
  return /^[0-9A-Za-z]{1,32}$/.test(needle) ? needle.toUpperCase() : "";
}

/** Returns the LIKE pattern of the codes that a text finds; null if it can find none. */
export function codePattern({ text, codesBy }: Pick<PromotionFilters, "text" | "codesBy">) {
  if (codesBy === "end") {
    const end = findCodeEnd(text);
    return end === null ? findCode(text, environment().qrPayload) : `%${end}`;
  }
  const code = codeNeedle(text);
  if (code === "") return null;
  // Text such as '2 -' leaves less than three characters, which match only a beginning.
  return isShortNeedle(text) || code.length < 3 ? `${code}%` : `%${code}%`;
}

export type FilterBindings = Record<string, string | Date | null>;

export function filterBindings(filters: PromotionFilters): FilterBindings {
  const { created, text } = filters;
  return {
    timeZone: siteTimeZone(),
    createdAfter: filters.createdAfter,
    createdBefore: filters.createdBefore,
    createdWithin: created && createdIntervals[created],
    massGenerationId: filters.massGenerationId,
    generationNeedle: containsPattern(filters.massGeneration),
    startsAfter: filters.startsAfter,
    startsBefore: filters.startsBefore,
    groupId: filters.groupId,
    machineNeedle: containsPattern(filters.machine),
    discountType: filters.discountType,
    completedAfter: filters.completedAfter,
    completedBefore: filters.completedBefore,
    codePattern: codePattern(filters),
    nameNeedle: containsPattern(text),
    serialNeedle: containsPattern(filters.serialNumber),
    controllerNeedle: containsPattern(filters.controller),
  };
}
