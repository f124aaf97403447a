import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import { ago } from "./rows";

type Row = { promotion_id: string; machine_id: string } & Record<string, unknown>;

/** A row of `transactions`, applied unless it says otherwise; say only what matters to the test. */
export async function insertTransaction(row: Row): Promise<string> {
  const [transaction] = await db()("transactions")
    .insert({
      redemption_id: randomUUID(),
      type: "percentage",
      original_price: 200,
      discount: 50,
      rolled_back_at: row.status === "rolled_back" ? (row.created_at ?? new Date()) : null,
      ...row,
    })
    .returning<{ id: string }[]>("id");
  await recordRedemptionIds();
  return transaction!.id;
}

/** Records the redemption ids of transactions that were inserted without an attempt, by which lists find them. */
export async function recordRedemptionIds(): Promise<void> {
  await db().raw(
    `insert into redemption_ids select redemption_id, integration_id, 0, created_at from transactions
     on conflict do nothing`,
  );
}

/** Inserts refused attempts, at a machine or at one that nobody knows. */
export async function insertRefusals(count: number, row: Record<string, unknown>, at = "1 minute") {
  const attempts = Array.from({ length: count }, () => ({
    redemption_id: randomUUID(),
    code: "K7QM2XWPD4HT",
    serial_number: "VM-1",
    original_price: 250,
    outcome: "unknown",
    created_at: ago(at),
    ...row,
  }));
  await db()("redemption_attempts").insert(attempts);
}

/** Moves a redemption and the use of its machine into the past. */
export async function moveRedemption(redemptionId: string, age: string): Promise<void> {
  await db().raw(
    `with moved as (
       update transactions set created_at = now() - cast(:age as interval)
       where redemption_id = :redemptionId returning redemption_id, machine_id, created_at
     ), known as (
       update redemption_ids r set created_at = moved.created_at from moved
       where r.redemption_id = moved.redemption_id
     )
     update redemption_attempts a set created_at = moved.created_at from moved
     where a.redemption_id = moved.redemption_id`,
    { redemptionId, age },
  );
  await db().raw(
    `update machines m set last_qr_used_at =
       (select max(t.created_at) from transactions t where t.machine_id = m.id)`,
  );
}
