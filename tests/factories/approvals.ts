import { db } from "../../app/db/connection.server";

/** A request for a single code that a user made. @returns its id */
export async function insertApproval(
  userId: string,
  row: Record<string, unknown> = {},
): Promise<string> {
  const input = {
    ...{ name: "Asked for", discountType: "percentage", discountValue: 5 },
    ...{ isSingleUse: false, isRenewable: false, expirationDate: null },
    ...{ startsAt: null, schedule: null, machines: [], groups: [] },
  };
  const [inserted] = await db()("approvals")
    .insert({ kind: "single", name: "Asked for", codes: 1, asked_by: userId, input, ...row })
    .returning<{ id: string }[]>("id");
  return inserted!.id;
}
