/** Expressions and steps that the statements of redemptions share. */
import pLimit, { type LimitFunction } from "p-limit";
import { savingsPercent, type Transaction } from "../transactions/transaction";
import { canBeIntegrationKey, hashSecret, isTestSecret } from "../sign-in/tokens.server";
import {
  isAheadSql,
  isWithinHoursSql,
  isReplacedSql,
  joinedStatusOnceAssignedSql,
  joinGenerationSql,
} from "../promotions/promotion-sql.server";
import {
  preparedConnections,
  queryPrepared,
  type PreparedStatement,
  type Site,
} from "../../db/connection.server";
import { isConcurrentWrite, violatesConstraint } from "../../db/database-errors.server";
import { retry, runWithRetry } from "../../db/retry.server";
import { reachedCapSql } from "../caps/cap-sql.server";
import { maxFailedLookupsAtMachine } from "../integrations/integration";
import { unavailable } from "../../errors";

export type KeyRefusal =
  /** Unknown, revoked, expired. */
  | { outcome: "bad_key" }
  /** Bound to another machine, or not for redeeming. */
  | { outcome: "wrong_key"; message: string };

/**
 * Joins the key `k`; no row when it can't be used. PostgreSQL leaves a schema that the role may not use out of the search
 * path without a word, so a test key also needs that of test mode to be the current one (RULES X1).
 */
export const joinKeySql = `left join api_keys k on k.hash = :hash and k.integration_id is not null
    and k.revoked_at is null and k.expires_at > now() and k.is_test = (current_schema() = 'test_mode')`;

/** Joins the attempt `a` that used the id `:redemptionId` of the integration of the key `k`, as its id and time. */
export const joinRedemptionIdSql = `left join redemption_ids a
      on a.redemption_id = cast(:redemptionId as text) and a.integration_id = k.integration_id`;

/** The columns of the first attempt; a date of JavaScript would lose the microseconds of its time. */
export const firstAttemptSql = `a.attempt_id, cast(a.created_at as text) as attempted_at`;

export const keyColumnsSql = `k.id as key_id, k.integration_id, k.last_four, k.max_failed_lookups,
    k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_key_stale`;

/** Branches of a verdict about the key `k` at the machine `m`. */
export const keyVerdictsSql = `when k.id is null then 'bad_key'
      when not 'redeem' = any(k.scopes) then 'no_scope'
      when k.machine_id is not null and k.machine_id is distinct from m.id then 'other_machine'`;

/** The discount in cents of a promotion `p` without caps on `:originalPrice`; percentages are rounded half up. */
export const uncappedDiscountSql = `case p.discount_type when 'free_drink' then cast(:originalPrice as integer)
        else (cast(:originalPrice as integer) * p.discount_value + 50) / 100 end`;

/** The same with caps, which cut a percentage to their highest discount. Needs `joinCapsSql`. */
export const discountSql = `case p.discount_type when 'free_drink' then cast(:originalPrice as integer)
        else least(${uncappedDiscountSql}, caps.highest_discount) end`;

/**
 * CTE that stores the key's last use, at most once a minute. It skips a locked row, because the
 * statement that holds it stores the same.
 */
export const touchKeySql = `key_touched as (
    update api_keys k set last_used_at = now() where k.id = (
      select s.id from api_keys s
      where s.id = (select key_id from facts where is_key_stale)
      for no key update skip locked))`;

/**
 * Whether the machine of a row `m` accepts the set of a row `p` of promotions. Each branch of the
 * view is answered by index look-ups, however many machines the set or its groups have.
 */
const acceptedAtMachineSql = `exists (select from effective_machines e
    where e.set_id = p.set_id and e.machine_id = m.id)`;

/**
 * Returns 'accepted' or the first reason against it. It is about a row `p` of promotions, joined by
 * `joinGenerationSql` and `joinCapsSql`, and a row `m` of machines; each may be missing (all null). Needs `clockSql`.
 */
const acceptance = (capReasons: string) => `(case
  when m.id is null or m.is_deleted then 'machine_unknown'
  when p.id is null then 'unknown'
  else coalesce(nullif(${joinedStatusOnceAssignedSql}, 'active'), case
    when ${isReplacedSql} then 'used_up'
    when not ${acceptedAtMachineSql} then 'not_assigned'
    when ${isAheadSql} then 'not_yet'
    when not ${isWithinHoursSql} then 'outside_hours'
    ${capReasons}
    else 'accepted' end) end)`;

/** The cap that a redemption at `:originalPrice` would pass, or null. */
export const reachedCapAtPriceSql = reachedCapSql(discountSql);

/** The same for a code without caps, and otherwise 'capped'. Doesn't need `joinCapsSql`. */
export const uncappedAcceptanceSql = acceptance(
  "when coalesce(p.caps_id, generation.caps_id) is not null then 'capped'",
);

export const acceptanceAtPriceSql =
  acceptance(`when cast(:originalPrice as integer) < caps.lowest_price then 'price_too_low'
  when ${reachedCapAtPriceSql} is not null then 'cap_reached'`);

/** The cap that a redemption of a cent would pass, or null. */
export const reachedCapAtAnyPriceSql = reachedCapSql("1");

/**
 * The same where no price is known. Checking a code uses it, so that the check never promises what the redemption
 * refuses but for its price.
 */
export const acceptanceAtAnyPriceSql = acceptance(
  `when ${reachedCapAtAnyPriceSql} is not null then 'cap_reached'`,
);

// Throttling of guesses (RULES R6), by the database's clock: failed lookups in a minute are counted for the key
// at the machine, and for the key everywhere. A lookup fails when the code does not exist; of a machine that does not
// exist nothing is said about the code. The fragments are for a statement that has `facts` (one row: the key's columns, `verdict`) and
// `:serialNumber`.

const windowMs = 60_000;
const nowMsSql = "(extract(epoch from now()) * 1000)::bigint";

const keyCounterSql = (keyId: string) => `'redeem/key/' || ${keyId}`;
const machineCounterSql = (keyId: string) =>
  `${keyCounterSql(keyId)} || '/' || cast(:serialNumber as text)`;

/**
 * Joins `throttle` to a key `k`: its end in ms since 1970, or null when nothing is throttled, and whether it holds at
 * all machines.
 */
export const joinThrottleSql = `cross join lateral (select max(expire) as until,
        bool_or(key = ${keyCounterSql("k.id")}) as is_everywhere from rate_limits
      where key = any(array[${keyCounterSql("k.id")}, ${machineCounterSql("k.id")}])
        and points >= case key when ${keyCounterSql("k.id")} then k.max_failed_lookups
          else ${maxFailedLookupsAtMachine} end
        and expire > ${nowMsSql}) throttle`;

/** Joins all that a request of a machine names: the key, its throttle, the machine `m`, the promotion `p`. */
export const joinRequestSql = `${joinKeySql}
      ${joinThrottleSql}
      left join machines m on m.serial_number = cast(:serialNumber as text)
      left join promotions p on p.code = cast(:code as text)
      ${joinGenerationSql}`;

const countSql = (
  counter: string,
  source: string,
) => `insert into rate_limits as r (key, points, expire)
    select ${counter}, 1, ${nowMsSql} + ${windowMs}
    from ${source}
    on conflict (key) do update set
      points = case when r.expire <= ${nowMsSql} then 1 else r.points + 1 end,
      expire = case when r.expire <= ${nowMsSql} then excluded.expire else r.expire end
    returning points, expire`;

/**
 * CTEs that count a failed lookup, and `newly_throttled` with the end of a new throttle. A lookup that the
 * throttle at the machine rejects does not count for the key. The lookup that uses the key's limit up is
 * the only one to find its last point, so that each throttle of a key is one line of the audit log.
 */
export const countFailedLookupSql = `failed_at_machine as (
    ${countSql(machineCounterSql("key_id"), "facts where verdict = 'unknown'")}
  ), failed_lookups as (
    ${countSql(
      keyCounterSql("key_id"),
      `facts where exists (
      select from failed_at_machine where points <= ${maxFailedLookupsAtMachine})`,
    )}
  ), newly_throttled as materialized (
    select max(expire) as until, bool_or(is_everywhere) as is_everywhere from (
      select expire, false as is_everywhere from failed_at_machine
        where points > ${maxFailedLookupsAtMachine}
      union all
      select expire, true from failed_lookups, facts where points > max_failed_lookups) exceeded
  ), throttle_logged as (
    insert into audit_log (actor_name, action, subject_type, subject_id, details)
    select 'System', 'integration.key_throttled', 'integration', integration_id,
      jsonb_build_object('key', key_id::text, 'last_four', last_four, 'limit', max_failed_lookups)
    from failed_lookups, facts where points = max_failed_lookups)`;

/** Returns whole seconds, at least one, until a time in ms since 1970. */
export function secondsUntilSql(until: string): string {
  return `greatest(1, ceil((${until} - ${nowMsSql}) / 1000.0))::integer`;
}

/** Lets one statement hold the lock of a code's row while the next waits for it. */
const maxOfRow = 2;
const waitDeadline = () => performance.now() + 3_000;
const turns = new Map<string, LimitFunction>();

const tooManyRequests = () => unavailable("Too many requests at once. Please try again.");

/**
 * Runs statements that lock the same row two at a time. More would all wait for that lock, each with one of
 * the few connections, while redemptions of other codes need them.
 * @param name of the row, or of whose statements take turns
 * @param work gets the time until which it may wait for further turns
 * @throws DomainError unavailable, after waiting for 3 s
 */
export async function withTurn<Result>(
  name: string,
  work: (deadline: number) => Promise<Result>,
  { maxAtOnce = maxOfRow, deadline = waitDeadline() } = {},
): Promise<Result> {
  const limit = turns.get(name) ?? pLimit(maxAtOnce);
  turns.set(name, limit);
  try {
    return await limit(() => {
      if (performance.now() > deadline) throw tooManyRequests();
      return work(deadline);
    });
  } finally {
    if (limit.activeCount + limit.pendingCount === 0) turns.delete(name);
  }
}

/** Returns whose codes a key redeems (RULES X1). */
export const siteOf = (secret: string): Site => (isTestSecret(secret) ? "test" : "real");

/** Whatever the statements of one key wait for, those of others find connections. */
const maxConnectionsOfKey = preparedConnections / 3;

/** Besides concurrent writes, a concurrent redemption that took the last use of a machine's day. */
const isTransient = (error: unknown) =>
  isConcurrentWrite(error) || violatesConstraint(error, "cap_machine_days_max_uses");

const keyRefusals: Record<string, KeyRefusal> = {
  bad_key: { outcome: "bad_key" },
  no_scope: { outcome: "wrong_key", message: "This key may not redeem codes." },
  other_machine: { outcome: "wrong_key", message: "This key belongs to another machine." },
};

type Turns = {
  /** Whose row the statement locks. Its turn is the last to wait for, so that whoever has it also runs. */
  lockedCode?: string | null;
  /** Until when the first attempt waits for its turns. */
  deadline?: number;
};

/**
 * Runs a statement that decides and acts in one. If a concurrent change made it write nothing, it
 * runs again; each attempt means that another statement got through.
 * @param chooseStatement is asked before each attempt, from 0, with the verdict of the one before
 * @param secret of an integration's key, unchecked
 * @returns the row, or the reason against the key
 * @throws DomainError unavailable, after 50 attempts
 */
export async function runWithKey<Row extends { verdict: string; outcome?: never }>(
  chooseStatement: (attempt: number, verdict: string | null) => PreparedStatement,
  secret: string,
  values: Record<string, unknown>,
  { lockedCode = null, deadline = waitDeadline() }: Turns = {},
): Promise<Row | KeyRefusal> {
  if (!canBeIntegrationKey(secret)) return { outcome: "bad_key" };
  const bindings = { ...values, hash: hashSecret(secret) };
  let verdict: string | null = null;
  const attemptOnce = async (attempt: number) => {
    const run = () =>
      queryPrepared<Row>(chooseStatement(attempt, verdict), bindings, siteOf(secret));
    // Whatever is tried again has had its turns.
    const until = attempt === 0 ? deadline : waitDeadline();
    const [row] = await withTurn(
      `key ${secret}`,
      () => (lockedCode === null ? run() : withTurn(lockedCode, run, { deadline: until })),
      { maxAtOnce: maxConnectionsOfKey, deadline: until },
    );
    verdict = row?.verdict ?? null;
    if (!row || ["retry", "capped"].includes(row.verdict)) return retry;
    return keyRefusals[row.verdict] ?? row;
  };
  return runWithRetry(attemptOnce, { maxAttempts: 50, isTransient, exhausted: tooManyRequests });
}

export type StoredTransaction = Pick<
  Transaction,
  "id" | "originalPrice" | "discount" | "occurredAt" | "type" | "status"
> &
  Transaction["machine"] &
  Pick<Transaction["promotion"], "name" | "code"> & { promotionId: string };

export function toTransaction(row: StoredTransaction, redemptionId: string): Transaction {
  const { id, originalPrice, discount, occurredAt, status, type } = row;
  return {
    id,
    redemptionId,
    machine: { serialNumber: row.serialNumber, humanName: row.humanName },
    promotion: { id: row.promotionId, name: row.name, code: row.code },
    originalPrice,
    discount,
    discountedPrice: originalPrice - discount,
    savings: savingsPercent(discount, originalPrice),
    occurredAt,
    status,
    type,
  };
}
