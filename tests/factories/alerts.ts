import { randomUUID } from "node:crypto";
import { db } from "../../app/db/connection.server";

export type AlertRow = { subject: string; message: string; clearedAt: Date | null };

export const alertRows = (kind: string, subject: string) =>
  db()("alerts")
    .where({ kind, subject })
    .orderBy("id")
    .select<AlertRow[]>("*", "cleared_at as clearedAt");

export const ago = (interval: string) => db().raw("now() - cast(? as interval)", [interval]);

export async function insertFailedMail(row: Record<string, unknown> = {}): Promise<string> {
  const [mail] = await db()("outbox")
    .insert({
      ...{ dedup_key: randomUUID(), message_id: randomUUID(), template: "test" },
      ...{ data: { askedBy: "a" }, recipient: `${randomUUID()}@example.com`, state: "failed" },
      ...{ finished_at: ago("0"), last_error: "550 No such user", give_up_at: ago("0"), ...row },
    })
    .returning<{ id: string }[]>("id");
  return mail!.id;
}
