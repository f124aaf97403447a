/** The statements of a redemption. One decides, consumes and records (RULES R1). */
import { prepareStatement } from "../../db/connection.server";
import {
  capColumnsSql,
  countCapsSql,
  isWithinCapsSql,
  joinCapsSql,
  takeFromCapsSql,
} from "../caps/cap-sql.server";
import { clockSql, hasRenewedSql, isConsumableSql } from "../promotions/promotion-sql.server";
import { countAttemptSql, isRecordedSql } from "./attempt-counts.server";
import {
  acceptanceAtPriceSql,
  countFailedLookupSql,
  discountSql,
  firstAttemptSql,
  joinKeySql,
  joinRedemptionIdSql,
  joinRequestSql,
  joinThrottleSql,
  keyColumnsSql,
  keyVerdictsSql,
  reachedCapAtPriceSql,
  secondsUntilSql,
  touchKeySql,
  uncappedAcceptanceSql,
  uncappedDiscountSql,
} from "./redemption-sql.server";
import { refusalReasons } from "./refusal-reason";

const outcomesSql = `('accepted', '${refusalReasons.filter((reason) => reason !== "throttled").join("', '")}')`;

const repetitionSql = `when a.attempt_id is not null then 'repetition'`;

type CapSteps = "none" | "free part" | "all parts";

const capFacts = (caps: CapSteps) =>
  caps === "none"
    ? `${uncappedDiscountSql} as discount, null as cap`
    : `${discountSql} as discount, ${reachedCapAtPriceSql} as cap, ${capColumnsSql}`;

/**
 * Judges, consumes and records in one statement. It is correct under READ COMMITTED because everything
 * depends on the update of the promotion's row:
 * - The update locks the row and checks it again, with the version that a change of the row by a person
 *   moves. If the row no longer fits the decision, nothing is written and the verdict is 'retry'.
 * - A redemption id is unique among those of an integration, for ever: a trigger of the attempts records it.
 *   The second of two concurrent statements fails as a whole and finds the first one's answer when it runs again.
 * - A row is named by one value, `p.id = (select …)`, never joined; an attempt by its redemption id, of
 *   whose few rows the one of the key's integration is taken. Plans are kept for long, and one
 *   that was made while a table was empty would join by reading all of it.
 * - It only inserts into the tables with partitions: reading them would lock each partition.
 * - Locks are taken in one order: caps, promotion, machine, redemption id. PostgreSQL runs the steps that the last
 *   `select` doesn't read after the others, from the last one to the first.
 * - A refusal gets the id of its transaction before that of its attempt: readers of attempts wait for the first.
 *
 * Without the steps for caps, the verdict about a code that has some is 'capped', and nothing is written.
 *
 * `created_at` is the start of the statement. A deletion takes its time under the row's lock, so no
 * transaction is younger than the deletion of its promotion.
 */
const redemption = (name: string, caps: CapSteps) =>
  prepareStatement(
    name,
    [
      "hash",
      "code",
      "serialNumber",
      "originalPrice",
      "redemptionId",
      "timeZone",
      "now",
      ...(caps === "free part" ? ["firstPart"] : []),
    ],
    `with ${clockSql}, facts as materialized (
    select ${keyColumnsSql},
      m.id as machine_id, m.serial_number, m.human_name,
      p.id as promotion_id, p.name, p.code, p.version,
      ${firstAttemptSql},
      throttle.until as throttled_until, throttle.is_everywhere,
      ${capFacts(caps)},
      case
      ${keyVerdictsSql}
      ${repetitionSql}
      when throttle.until is not null then 'throttled'
      else ${caps === "none" ? uncappedAcceptanceSql : acceptanceAtPriceSql} end as verdict
    from (select) one
      ${joinRequestSql}
      ${caps === "none" ? "" : joinCapsSql}
      ${joinRedemptionIdSql}
  ), ${caps === "none" ? "" : `${takeFromCapsSql(caps)},`} consumed as (
    update promotions p set
      activation_count = p.activation_count + 1,
      period_key = case when ${hasRenewedSql} then (select period_key from clock)
        else p.period_key end,
      period_uses = case when ${hasRenewedSql} then 1 else p.period_uses + 1 end
    from facts
    where p.id = (select promotion_id from facts where verdict = 'accepted')
      and p.version = facts.version and ${isConsumableSql}
        ${caps === "none" ? "" : `and ${isWithinCapsSql}`}
    returning p.id, p.period_key, p.discount_type, facts.machine_id, facts.integration_id,
      p.max_uses is not null and p.period_uses = p.max_uses as is_last_use,
      facts.discount
  ), ${caps === "none" ? "" : `${countCapsSql},`} recorded as (
    insert into transactions (redemption_id, promotion_id, machine_id, integration_id, period_key,
      type, original_price, discount, is_last_use, created_at)
    select cast(:redemptionId as text), id, machine_id, integration_id, period_key, discount_type,
      cast(:originalPrice as integer), discount, is_last_use, (select at from clock)
    from consumed
    returning id, machine_id, type, discount
  ), ${countFailedLookupSql}, attempted as (
    insert into redemption_attempts (redemption_id, code, serial_number, original_price,
      promotion_id, machine_id, integration_id, outcome, cap, transaction_id, created_at)
    select cast(:redemptionId as text), cast(:code as text), cast(:serialNumber as text),
      cast(:originalPrice as integer), promotion_id, facts.machine_id, integration_id, verdict,
      case when verdict = 'cap_reached' then cap end, recorded.id, (select at from clock)
    from facts left join recorded on true
    where verdict in ${outcomesSql} and (verdict = 'accepted') = (recorded.id is not null)
      and (select until from newly_throttled) is null
      and case when verdict in ${outcomesSql} then pg_current_xact_id() is not null end
  ), machine_touched as (
    update machines m set last_qr_used_at = greatest(m.last_qr_used_at, (select at from clock))
    where m.id = (select machine_id from recorded)
  ), ${touchKeySql}
  select
    case when verdict = 'accepted' and recorded.id is null then 'retry'
      when newly_throttled.until is not null then 'throttled'
      else verdict end as verdict,
    attempt_id, attempted_at, cap,
    ${secondsUntilSql("coalesce(newly_throttled.until, throttled_until)")} as retry_after,
    coalesce(newly_throttled.is_everywhere, facts.is_everywhere) as is_everywhere,
    recorded.id, facts.serial_number, facts.human_name, facts.promotion_id, facts.name, facts.code,
    recorded.type, recorded.discount, 'applied' as status, clock.at as occurred_at
  from facts cross join clock cross join newly_throttled
    left join recorded on true`,
  );

/** Runs until a code with caps is met: the steps for them cost a tenth of a redemption. */
export const redemptionStatement = redemption("redeem", "none");
export const cappedStatement = redemption("redeem with caps", "free part");
export const waitingStatement = redemption("redeem with caps, waiting", "all parts");

/**
 * The same for text that can't be a code. It is not looked up; the key, the machine and the id are, so that
 * reasons come in the same order. It is logged like a refusal, up to a number an hour and key.
 */
export const noCodeStatement = prepareStatement(
  "redeem without a code",
  ["hash", "code", "serialNumber", "originalPrice", "redemptionId"],
  `with facts as materialized (
    select ${keyColumnsSql}, m.id as machine_id,
      ${firstAttemptSql},
      throttle.until as throttled_until, throttle.is_everywhere,
      case
      ${keyVerdictsSql}
      ${repetitionSql}
      when throttle.until is not null then 'throttled'
      when m.id is null or m.is_deleted then 'machine_unknown'
      else 'unknown' end as verdict
    from (select) one
      ${joinKeySql}
      ${joinThrottleSql}
      left join machines m on m.serial_number = cast(:serialNumber as text)
      ${joinRedemptionIdSql}
  ), ${countFailedLookupSql}, ${countAttemptSql(
    `verdict in ('unknown', 'machine_unknown') and (select until from newly_throttled) is null`,
  )}, attempted as (
    insert into redemption_attempts (redemption_id, code, serial_number, original_price, machine_id,
      integration_id, outcome)
    select cast(:redemptionId as text), cast(:code as text), cast(:serialNumber as text),
      cast(:originalPrice as integer), machine_id, integration_id, verdict
    from facts where ${isRecordedSql}
  ), ${touchKeySql}
  select case when newly_throttled.until is not null then 'throttled' else verdict end as verdict,
    attempt_id, attempted_at,
    ${secondsUntilSql("coalesce(newly_throttled.until, throttled_until)")} as retry_after,
    coalesce(newly_throttled.is_everywhere, facts.is_everywhere) as is_everywhere
  from facts cross join newly_throttled`,
);

/**
 * Reads the first answer to a redemption id. The time of the attempt leads to one partition. Without the attempt, which
 * is archived or deleted, nobody knows what was answered.
 */
export const repetitionStatement = prepareStatement(
  "repeat a redemption",
  ["attemptId", "attemptedAt", "code", "serialNumber", "originalPrice"],
  `select a.outcome as verdict, a.cap,
     a.code = cast(:code as text) and a.serial_number = cast(:serialNumber as text)
       and a.original_price = cast(:originalPrice as integer) as is_same,
     t.id, m.serial_number, m.human_name, t.promotion_id, p.name, p.code, t.type, t.discount, t.status,
     t.created_at as occurred_at
   from redemption_attempts a
     left join transactions t on t.id = a.transaction_id and t.created_at = cast(:attemptedAt as timestamptz)
     left join machines m on m.id = t.machine_id
     left join promotions p on p.id = t.promotion_id
   where a.id = cast(:attemptId as bigint) and a.created_at = cast(:attemptedAt as timestamptz)`,
);
