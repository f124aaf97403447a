/** Answers what a redemption would (RULES R10). */
import { prepareStatement } from "../../db/connection.server";
import { environment } from "../../env.server";
import { findCode } from "../../forms/code-input";
import type { ReachableCap } from "../caps/cap";
import { joinCapsSql } from "../caps/cap-sql.server";
import type { DiscountType } from "../promotions/promotion";
import { clockBindings, clockSql } from "../promotions/promotion-sql.server";
import { savingsPercent } from "../transactions/transaction";
import type { RedemptionCheck } from "./redemption-api";
import {
  acceptanceAtPriceSql,
  countFailedLookupSql,
  discountSql,
  reachedCapAtPriceSql,
  joinRequestSql,
  keyColumnsSql,
  keyVerdictsSql,
  runWithKey,
  secondsUntilSql,
  touchKeySql,
} from "./redemption-sql.server";
import { cacheThrottle, throttledSeconds } from "./throttles.server";
import type { RefusalReason } from "./refusal-reason";

const checkStatement = prepareStatement(
  "check a redemption",
  ["hash", "code", "serialNumber", "originalPrice", "timeZone", "now"],
  `with ${clockSql}, facts as materialized (
    select ${keyColumnsSql}, p.discount_type as type, ${discountSql} as discount, ${reachedCapAtPriceSql} as cap,
      throttle.until as throttled_until, throttle.is_everywhere,
      case
      ${keyVerdictsSql}
      when throttle.until is not null then 'throttled'
      else ${acceptanceAtPriceSql} end as verdict
    from (select) one
      ${joinRequestSql}
      ${joinCapsSql}
  ), ${countFailedLookupSql}, ${touchKeySql}
  select case when newly_throttled.until is not null then 'throttled' else verdict end as verdict,
    ${secondsUntilSql("coalesce(newly_throttled.until, throttled_until)")} as retry_after,
    coalesce(newly_throttled.is_everywhere, facts.is_everywhere) as is_everywhere,
    type, discount, cap
  from facts cross join newly_throttled`,
);

type Decision = {
  verdict: string;
  outcome?: never;
  retryAfter: number | null;
  isEverywhere: boolean | null;
  type: DiscountType;
  discount: number;
  cap: ReachableCap | null;
};

/**
 * Judges as a redemption does, by the same expression, and takes no use. Only what a guess costs is counted: a code
 * that doesn't exist is a failed lookup.
 * @param secret of an integration's key, unchecked
 * @throws DomainError unavailable
 */
export async function checkRedemption(request: RedemptionCheck, secret: string) {
  const { serialNumber, originalPrice } = request;
  const seconds = throttledSeconds(secret, serialNumber);
  if (seconds !== null) return { outcome: "throttled" as const, retryAfterSeconds: seconds };
  const code = findCode(request.code, environment().qrPayload);
  const row = await runWithKey<Decision>(() => checkStatement, secret, {
    code,
    serialNumber,
    originalPrice,
    ...clockBindings(null),
  });
  if (row.outcome) return row;
  if (row.verdict === "throttled") {
    const retryAfterSeconds = row.retryAfter ?? 1;
    cacheThrottle(secret, row.isEverywhere ? null : serialNumber, retryAfterSeconds);
    return { outcome: "throttled" as const, retryAfterSeconds };
  }
  if (row.verdict !== "accepted")
    return {
      outcome: "refused" as const,
      reason: row.verdict as RefusalReason,
      ...(row.verdict === "cap_reached" && { cap: row.cap! }),
    };
  const { type, discount } = row;
  const discountedPrice = originalPrice - discount;
  const savings = savingsPercent(discount, originalPrice);
  return {
    outcome: "accepted" as const,
    terms: { accepted: true, originalPrice, discount, discountedPrice, savings, type },
  };
}
