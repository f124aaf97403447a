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
  const moved = { redemption_id: redemptionId };
  const created_at = ago(age);
  await db().transaction(async (trx) => {
    await trx("transactions").where(moved).update({ created_at });
    // An attempt that moves into the partition of another month records its id once more.
    const [id] = await trx("redemption_ids").where(moved).delete().returning("*");
    await trx("redemption_attempts").where(moved).update({ created_at });
    await trx("redemption_ids").where(moved).delete();
    await trx("redemption_ids").insert({ ...id, created_at });
  });
  await db().raw(
    `update machines m set last_qr_used_at =
       (select max(t.created_at) from transactions t where t.machine_id = m.id)`,
  );
}
