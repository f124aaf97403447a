/** Redeems a code at a machine. One statement decides, consumes and records (RULES R1). */
import { randomInt } from "node:crypto";
import { prepareStatement, queryPrepared } from "../../db/connection.server";
import { environment } from "../../env.server";
import { findCode } from "../../forms/typed-code";
import type { ReachableCap } from "../caps/cap";
import {
  capColumnsSql,
  countCapsSql,
  isWithinCapsSql,
  joinCapsSql,
  maxParts,
  takeFromCapsSql,
} from "../caps/cap-sql.server";
import type { Transaction } from "../transactions/transaction";
import {
  clockBindings,
  clockSql,
  hasRenewedSql,
  isConsumableSql,
} from "../promotions/promotion-sql.server";
import {
  acceptanceAtPriceSql,
  firstAttemptSql,
  joinRedemptionIdSql,
  joinKeySql,
  joinRequestSql,
  discountSql,
  reachedCapAtPriceSql,
  uncappedAcceptanceSql,
  uncappedDiscountSql,
  keyColumnsSql,
  keyVerdictsSql,
  touchKeySql,
  type KeyRefusal,
  countFailedLookupSql,
  joinThrottleSql,
  secondsUntilSql,
  toTransaction,
  type StoredTransaction,
  runWithKey,
  siteOf,
  withTurn,
} from "./redemption-sql.server";
import {
  countAttemptSql,
  isRecordedSql,
  recordThrottled,
  toPrintable,
} from "./attempt-counts.server";
import type { RedemptionRequest } from "./redemption-api";
import { cacheThrottle, throttledSeconds, wasAttempted } from "./throttles.server";
import { refusalReasons, type RefusalReason } from "./refusal-reason";

type Refusal = {
  outcome: "refused";
  reason: RefusalReason;
  /** The cap that was reached, if that is the reason. */
  cap?: ReachableCap;
};

type RedemptionAnswer =
  | { outcome: "applied"; transaction: Transaction }
  | Refusal
  /** The integration used the id before, with another body. */
  | { outcome: "conflict" }
  /** The integration used the id before, and what was answered is archived, or deleted with old refusals. */
  | { outcome: "archived" }
  /** It was accepted and has been rolled back since. */
  | { outcome: "rolled_back" }
  | { outcome: "throttled"; retryAfterSeconds: number }
  | KeyRefusal;

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
 * - The update locks the row and checks it again, with the version that every change by a person
 *   moves. If the row no longer fits the decision, nothing is written and the verdict is 'retry'.
 * - A redemption id is unique among those of an integration, for ever: a trigger of the attempts records it.
 *   The second of two concurrent statements fails as a whole and finds the first one's answer when it runs again.
 * - A row is named by one value, `p.id = (select …)`, never joined; an attempt by its redemption id, of
 *   whose few rows the one of the key's integration is taken. Plans are kept for long, and one
 *   that was made while a table was empty would join by reading all of it.
 * - It only inserts into the tables with partitions: reading them would lock each partition.
 * - Locks are taken in one order: caps, promotion, redemption id, machine.
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
      ...["hash", "code", "serialNumber", "originalPrice", "redemptionId", "timeZone", "now"],
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

/** Attempts that take from a part of the caps that nobody has locked; those after them wait for all parts. */
const maxHastyAttempts = 2;

/** Set for good, so that a code with caps needs a second statement once in the life of the process. */
let hasMetCaps = false;

/** @param verdict that of the attempt before */
function chooseStatement(attempt: number, verdict: string | null) {
  hasMetCaps ||= verdict === "capped";
  if (!hasMetCaps) return redemptionStatement;
  return attempt < maxHastyAttempts ? cappedStatement : waitingStatement;
}

/**
 * The same for text that can't be a code. It is not looked up; the key, the machine and the id are, so that
 * reasons come in the same order. It is logged like a refusal, up to a number an hour and key.
 */
const noCodeStatement = prepareStatement(
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
const repetitionStatement = prepareStatement(
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

type Decision = Omit<StoredTransaction, "originalPrice"> & {
  verdict: string;
  outcome?: never;
  /** The attempt that used the redemption id before. */
  attemptId: string | null;
  attemptedAt: string | null;
  cap: ReachableCap | null;
  retryAfter: number | null;
  /** Whether a throttle holds for the key at all machines. */
  isEverywhere: boolean | null;
};

/**
 * Takes a use or returns the reason against it, and logs the attempt. The same id with the same body
 * gets the first answer again, however late, unless the redemption was rolled back since: a late retry
 * must not vend.
 * @param secret of an integration's key, unchecked
 * @param now only tests pass one
 * @throws DomainError unavailable
 */
export async function redeem(
  request: RedemptionRequest,
  secret: string,
  now: Date | null = null,
): Promise<RedemptionAnswer> {
  const parsed = findCode(request.code, environment().qrPayload);
  const code = parsed ?? toPrintable(request.code);
  const row = await (parsed === null
    ? runWithKey<Decision>(() => noCodeStatement, secret, { ...request, code })
    : withTurn(code, () =>
        runWithKey<Decision>(chooseStatement, secret, {
          ...request,
          ...clockBindings(now),
          ...{ code, firstPart: randomInt(maxParts) },
        }),
      ));
  if (row.outcome) return row;
  if (row.verdict === "throttled") {
    recordThrottled(secret, { ...request, code });
    const retryAfterSeconds = row.retryAfter ?? 1;
    cacheThrottle(secret, row.isEverywhere ? null : request.serialNumber, retryAfterSeconds);
    return { outcome: "throttled", retryAfterSeconds };
  }
  if (row.verdict !== "repetition") return toAnswer(row, request);
  const { attemptId, attemptedAt } = row;
  const [first] = await queryPrepared<FirstAnswer>(
    repetitionStatement,
    { ...request, code, attemptId, attemptedAt },
    siteOf(secret),
  );
  if (!first) return { outcome: "archived" };
  return first.isSame ? toAnswer(first, request) : { outcome: "conflict" };
}

type FirstAnswer = Omit<StoredTransaction, "originalPrice"> &
  Pick<Decision, "verdict" | "cap"> & { isSame: boolean };

/** @param row says 'accepted' or the reason against it */
function toAnswer(
  row: Omit<FirstAnswer, "isSame">,
  { originalPrice, redemptionId }: RedemptionRequest,
): RedemptionAnswer {
  if (row.verdict !== "accepted") {
    const reason = row.verdict as RefusalReason;
    return { outcome: "refused", reason, ...(reason === "cap_reached" && { cap: row.cap! }) };
  }
  if (row.status === "rolled_back") return { outcome: "rolled_back" };
  const transaction = toTransaction({ ...row, originalPrice }, redemptionId);
  return { outcome: "applied", transaction };
}

/**
 * Rejects a redemption of a key that was throttled a moment ago, at a fraction of the cost of its statement. A
 * repetition goes on to its first answer (RULES R3).
 * @returns null if it is to be redeemed
 * @throws DomainError unavailable
 */
export async function answerThrottled(request: RedemptionRequest, secret: string) {
  const retryAfterSeconds = throttledSeconds(secret, request.serialNumber);
  if (retryAfterSeconds === null || (await wasAttempted(request.redemptionId, secret))) return null;
  const code = findCode(request.code, environment().qrPayload) ?? toPrintable(request.code);
  recordThrottled(secret, { ...request, code });
  return { retryAfterSeconds };
}
