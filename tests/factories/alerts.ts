import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";
import { insertRedeemable } from "./redemptions";
import { recordRedemptionIds } from "./transactions";
import { ago, rowById } from "./rows";

export type AlertRow = { subject: string; message: string; clearedAt: Date | null };

export const alertRows = (kind: string, subject: string) =>
  db()("alerts")
    .where({ kind, subject })
    .orderBy("id")
    .select<AlertRow[]>("*", "cleared_at as clearedAt");

export async function insertFailedMail(row: Record<string, unknown> = {}): Promise<string> {
  const [mail] = await db()("outbox")
    .insert({
      dedup_key: randomUUID(),
      message_id: randomUUID(),
      template: "test",
      data: { askedBy: "a" },
      recipient: `${randomUUID()}@example.com`,
      state: "failed",
      finished_at: ago("0"),
      last_error: "550 No such user",
      give_up_at: ago("0"),
      ...row,
    })
    .returning<{ id: string }[]>("id");
  return mail!.id;
}

/** Inserts redemptions of a code at a machine of its own. */
export async function insertRedemptions(count: number, at: string, machineId: string) {
  const { id } = await insertRedeemable();
  await db().raw(
    `insert into transactions
       (redemption_id, promotion_id, machine_id, type, original_price, discount, created_at)
     select gen_random_uuid(), :id, :machineId, 'percentage', 200, 50, now() - cast(:at as interval)
     from generate_series(1, cast(:count as integer))`,
    { id, machineId, at, count },
  );
  await recordRedemptionIds();
  await rowById("machines", machineId).update({ last_qr_used_at: ago(at) });
  return id;
}

/** Inserts what was asked with an ended key. */
export async function insertRefusedUse(keyId: string, requests = 3): Promise<void> {
  await db()("refused_key_requests").insert({
    hour: db().raw("date_trunc('hour', now())"),
    key_id: keyId,
    address: "10.0.0.1",
    requests,
    last_at: ago("0"),
  });
}
