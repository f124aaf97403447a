import { db } from "../../app/db/connection.server";

/** The input that the form of a single code stores in a request. */
export const requestedCode = (name: string) => ({
  name,
  discountType: "percentage",
  discountValue: 5,
  isSingleUse: false,
  isRenewable: false,
  expirationDate: null,
  startsAt: null,
  schedule: null,
  machines: [],
  groups: [],
});

/** A request for a single code that a user made. @returns its id */
export async function insertApproval(
  userId: string,
  row: Record<string, unknown> = {},
): Promise<string> {
  const name = "Asked for";
  const input = requestedCode(name);
  const [inserted] = await db()("approvals")
    .insert({ kind: "single", name, codes: 1, asked_by: userId, input, ...row })
    .returning<{ id: string }[]>("id");
  return inserted!.id;
}
