/** Rolls a redemption back (RULES R5). */
import { prepareStatement, queryPrepared } from "../../db/connection.server";
import { capsIdOf, giveBackToCapsSql, lockCapsSql } from "../caps/cap-sql.server";
import { clockBindings, clockSql } from "../promotions/promotion-sql.server";
import type { Transaction } from "../transactions/transaction";
import { canBeIntegrationKey, hashSecret } from "../sign-in/tokens.server";
import { findAttempt, noAttemptId } from "./find-attempt.server";
import {
  joinKeySql,
  keyColumnsSql,
  type KeyRefusal,
  runWithKey,
  siteOf,
  type StoredTransaction,
  touchKeySql,
  toTransaction,
  withTurn,
} from "./redemption-sql.server";

type RollbackAnswer =
  | { outcome: "rolled_back"; transaction: Transaction }
  /** The use had come back before. */
  | { outcome: "repeated"; transaction: Transaction }
  /** There is no such redemption and never will be, or it is not this key's to roll back. */
  | { outcome: "not_found" }
  /** It was refused, or is more than 10 minutes ago. */
  | { outcome: "conflict"; message: string }
  | KeyRefusal;

/** The time of the attempt, which is that of its transaction and leads to one partition of each. */
const attemptedAtSql = "cast(:attemptedAt as timestamptz)";

/**
 * Locks the caps and the promotion's row first, as a redemption does: a redemption that arrives twice may wait for
 * this transaction while it holds that row. Of two rollbacks the second then finds the first done.
 * The use comes back only in the month that it was taken from. If the caps changed while it waited, which moves the
 * version and makes new parts, nothing is written and the verdict is 'retry'.
 */
export const rollbackStatement = prepareStatement(
  "roll back",
  ["hash", "attemptId", "attemptedAt", "idempotencyKey", "timeZone", "now"],
  `with ${clockSql}, facts as materialized (
    select ${keyColumnsSql}, t.id as transaction_id, t.promotion_id, t.machine_id,
      t.discount, cast(t.created_at at time zone :timeZone as date) as day,
      ${capsIdOf("t.promotion_id")} as caps_id,
      (select p.version from promotions p where p.id = t.promotion_id) as version,
      case
      when k.id is null then 'bad_key'
      when not 'redeem' = any(k.scopes) then 'no_scope'
      when a.id is null then 'not_found'
      when k.machine_id is not null and a.machine_id is distinct from k.machine_id then 'not_found'
      when t.id is null then 'refused'
      when t.status = 'rolled_back' then
        case when t.rollback_key = cast(:idempotencyKey as text) then 'rolled_back' else 'repeated' end
      when t.created_at < (select at from clock) - interval '10 minutes' then 'too_late'
      else 'applied' end as verdict
    from (select) one
      ${joinKeySql}
      left join redemption_attempts a on a.id = cast(:attemptId as bigint) and a.created_at = ${attemptedAtSql}
        and a.integration_id = k.integration_id
      left join transactions t on t.id = a.transaction_id and t.created_at = ${attemptedAtSql}
  ), ${lockCapsSql}, locked as materialized (
    select p.id from promotions p
    where p.id = (select promotion_id from facts where verdict = 'applied')
      and p.version = (select version from facts)
      and ((select caps_id from facts) is null or exists (select from part_locked))
    for no key update
  ), rolled_back as (
    update transactions t set status = 'rolled_back', rolled_back_at = (select at from clock),
      rollback_key = :idempotencyKey
    from locked where t.id = (select transaction_id from facts) and t.created_at = ${attemptedAtSql}
      and t.status = 'applied'
    returning t.id, t.promotion_id, t.period_key
  ), given_back as (
    update promotions p set
      activation_count = p.activation_count - 1,
      period_uses = p.period_uses - (p.period_key = (select period_key from rolled_back))::integer
    where p.id = (select promotion_id from rolled_back)
  ), ${giveBackToCapsSql}, ${touchKeySql}
  select
    case when verdict <> 'applied' then verdict
      when rolled_back.id is null then 'retry' else 'rolled_back' end as verdict,
    t.id, m.serial_number, m.human_name, p.id as promotion_id, p.name, p.code, t.original_price,
    t.discount, t.created_at as occurred_at, t.type
  from facts left join rolled_back on true
    left join transactions t on t.id = (select transaction_id from facts) and t.created_at = ${attemptedAtSql}
    left join machines m on m.id = (select machine_id from facts)
    left join promotions p on p.id = (select promotion_id from facts)`,
);

/**
 * Uses a redemption id up. It waits for a redemption that has inserted the same id and not committed yet; one that
 * inserts it later fails, runs again and finds it.
 */
const useUpStatement = prepareStatement(
  "use a redemption id up",
  ["hash", "redemptionId"],
  `insert into redemption_ids (redemption_id, integration_id, attempt_id, created_at)
   select cast(:redemptionId as text), k.integration_id, ${noAttemptId}, now()
   from (select) one ${joinKeySql}
   where 'redeem' = any(k.scopes)
   on conflict do nothing`,
);

/** Finds the attempt of a redemption id. Without one, none can come later: the client has given up waiting for it. */
async function findAttemptForGood(redemptionId: string, secret: string) {
  const attempt = await findAttempt(redemptionId, secret);
  if (attempt || !canBeIntegrationKey(secret)) return attempt;
  const values = { hash: hashSecret(secret), redemptionId };
  await queryPrepared(useUpStatement, values, siteOf(secret));
  return findAttempt(redemptionId, secret);
}

const noAttempt = { attemptId: null, attemptedAt: null };

/**
 * Gives the use back once, within 10 minutes by the database's clock (RULES R5). A repetition is told so however late
 * it comes, because the first answer may have been lost.
 * @param secret of a key of the same integration, unchecked
 * @param options.idempotencyKey a repetition with the same one gets the first answer
 * @param options.now only tests pass one
 * @throws DomainError unavailable
 */
export async function rollBack(
  redemptionId: string,
  secret: string,
  { idempotencyKey = null, now = null }: { idempotencyKey?: string | null; now?: Date | null } = {},
): Promise<RollbackAnswer> {
  type Decision = StoredTransaction & { verdict: string; outcome?: never };
  // Which code it is, only the statement finds out; so all rollbacks of a key take turns.
  const row = await withTurn(`rollback ${secret}`, async (deadline) => {
    const attempt = (await findAttemptForGood(redemptionId, secret)) ?? noAttempt;
    const values = { ...clockBindings(now), ...attempt, idempotencyKey };
    return runWithKey<Decision>(() => rollbackStatement, secret, values, { deadline });
  });
  if (row.outcome) return row;
  switch (row.verdict) {
    case "not_found":
      return { outcome: "not_found" };
    case "refused":
      return { outcome: "conflict", message: "This redemption was refused. Nothing was spent." };
    case "too_late":
      return {
        outcome: "conflict",
        message: "This redemption is more than 10 minutes old and can't be rolled back.",
      };
  }
  const transaction = toTransaction({ ...row, status: "rolled_back" }, redemptionId);
  return { outcome: row.verdict === "repeated" ? "repeated" : "rolled_back", transaction };
}
