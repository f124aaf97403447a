import type pg from "pg";

export type Redemption = {
  keyHash: Buffer;
  code: string;
  serialNumber: string;
  originalPrice: number;
  redemptionId: string;
};

type PromotionRow = {
  set_id: string;
  id: string;
  discount_value: number;
  is_deleted: boolean;
  is_active: boolean;
  has_ended: boolean;
  max_uses: number | null;
  period_uses: number;
};

/**
 * How a redemption is mostly written: a transaction that locks the promotion's row, looks at it,
 * and then writes, by queries that no connection keeps. It checks and writes what ours does for a
 * percentage that never renews.
 */
export async function selectForUpdate(
  client: pg.PoolClient,
  request: Redemption,
): Promise<boolean> {
  const one = async <Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[],
  ): Promise<Row | undefined> => (await client.query<Row>(text, values)).rows[0];

  await client.query("begin");
  const key = await one<{ integration_id: string }>(
    `select integration_id from api_keys where hash = $1 and expires_at > now()
       and revoked_at is null and 'redeem' = any(scopes)`,
    [request.keyHash],
  );
  const known = await one(
    "select attempt_id as id from redemption_ids where redemption_id = $1 and integration_id = $2",
    [request.redemptionId, key?.integration_id],
  );
  const machine = await one<{ id: string }>(
    "select id from machines where serial_number = $1 and not is_deleted",
    [request.serialNumber],
  );
  const promotion = await one<PromotionRow>(
    `select id, set_id, discount_value, is_deleted, is_active, max_uses, period_uses,
       coalesce(expires_at, 'infinity') <= now() as has_ended
     from promotions where code = $1 for update`,
    [request.code],
  );
  const assigned =
    machine &&
    promotion &&
    (await one(`select 1 as yes from assignments where set_id = $1 and machine_id = $2`, [
      promotion.set_id,
      machine.id,
    ]));
  const isAccepted =
    key &&
    !known &&
    assigned &&
    !promotion.is_deleted &&
    promotion.is_active &&
    !promotion.has_ended &&
    (promotion.max_uses === null || promotion.period_uses < promotion.max_uses);
  if (!isAccepted) {
    await client.query("rollback");
    return false;
  }
  await one(
    `update promotions set period_uses = period_uses + 1, activation_count = activation_count + 1
     where id = $1`,
    [promotion.id],
  );
  const discount = Math.floor((request.originalPrice * promotion.discount_value) / 100 + 0.5);
  const transaction = await one<{ id: string }>(
    `insert into transactions (redemption_id, promotion_id, machine_id, integration_id, type,
       original_price, discount)
     values ($1, $2, $3, $4, 'percentage', $5, $6) returning id`,
    [
      request.redemptionId,
      promotion.id,
      machine.id,
      key.integration_id,
      request.originalPrice,
      discount,
    ],
  );
  await one(
    `insert into redemption_attempts (redemption_id, code, serial_number, original_price,
       promotion_id, machine_id, integration_id, outcome, transaction_id)
     values ($1, $2, $3, $4, $5, $6, $7, 'accepted', $8)`,
    [
      request.redemptionId,
      request.code,
      request.serialNumber,
      request.originalPrice,
      promotion.id,
      machine.id,
      key.integration_id,
      transaction!.id,
    ],
  );
  await one("update machines set last_qr_used_at = now() where id = $1", [machine.id]);
  await client.query("commit");
  return true;
}
