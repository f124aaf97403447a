/**
 * Test codes and what was asked for with them, in tables of their own (schema `test_mode`): no statement of the site can
 * read one by mistake.
 */
import { randomBytes } from "node:crypto";
import { db, one, query } from "../../db/connection.server";
import type { Leftovers } from "../../db/sweep.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import { generateCodes } from "../promotions/code";
import type { NewTestCode, TestAttempt, TestCode } from "./test-code";

/** Marks a code for ever, on paper and screens; which codes a key redeems is decided by their table. */
const mark = "TEST";

const columnsSql = `p.id, p.code, p.discount_type, p.discount_value, p.is_single_use, p.name as purpose,
  p.activation_count as uses, p.max_uses, p.created_at`;

/**
 * Creates a test code.
 * @throws DomainError conflict: the idempotency key was used for something else
 */
export async function createTestCode(
  input: NewTestCode,
  options: ActionOptions,
): Promise<TestCode> {
  const created = await runOnce(options, { testCode: input }, async (trx) => {
    const [random] = generateCodes(1, randomBytes);
    const inserted = await one<{ id: string }>(
      trx,
      `insert into test_mode.promotions (code, name, discount_type, discount_value, is_single_use, is_renewable,
         max_uses, period_uses, activation_count, starts_at, expires_at, is_active, is_deleted, deleted_at, set_id,
         created_by)
       select :code, :purpose, :discountType, :discountValue, :isSingleUse, false, new.max_uses, new.uses, new.uses,
         case :purpose when 'not_yet' then now() + interval '1 year' end,
         case :purpose when 'expired' then now() end,
         :purpose <> 'inactive', :purpose = 'deleted', case :purpose when 'deleted' then now() end,
         case :purpose when 'not_assigned' then 0 else 1 end, :userId
       from (select limits.max_uses, case when :purpose = 'used_up' then limits.max_uses else 0 end as uses
         from (select case when :isSingleUse then 1 when :discountType = 'free_drink'
           then cast(:discountValue as integer) end as max_uses) limits) new
       returning id`,
      { ...input, code: mark + random!.slice(mark.length), userId: options.actor.id },
    );
    return inserted!;
  });
  const sql = `select ${columnsSql} from test_mode.promotions p where p.id = :id`;
  return (await one<TestCode>(db(), sql, created))!;
}

export function listTestCodes(limit = 50): Promise<TestCode[]> {
  return query(
    db(),
    `select ${columnsSql} from test_mode.promotions p order by p.id desc limit :limit`,
    { limit },
  );
}

export function listTestAttempts(integrationId: string): Promise<TestAttempt[]> {
  return query(
    db(),
    `select a.id, a.code, a.original_price, a.outcome, t.discount, a.created_at as occurred_at,
       coalesce(t.status = 'rolled_back', false) as is_rolled_back
     from test_mode.redemption_attempts a left join test_mode.transactions t on t.id = a.transaction_id
     where a.integration_id = :integrationId order by a.id desc limit 20`,
    { integrationId },
  );
}

export async function isTestCode(code: string): Promise<boolean> {
  const sql = "select 1 as found from test_mode.promotions p where p.code = :code";
  return (await one(db(), sql, { code })) !== null;
}

/** Attempts of test keys are kept as long as a redemption id has its first answer. */
const isOldSql = "created_at < now() - interval '30 days'";

export const oldTestAttempts: Leftovers[] = [
  { table: "test_mode.redemption_attempts", conditionSql: isOldSql },
  { table: "test_mode.redemption_ids", conditionSql: isOldSql },
  { table: "test_mode.transactions", conditionSql: isOldSql },
  { table: "test_mode.audit_log", conditionSql: isOldSql },
  { table: "test_mode.attempt_counts", conditionSql: "hour < now() - interval '2 days'" },
];
