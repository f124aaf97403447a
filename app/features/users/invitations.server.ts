import type { Knex } from "knex";
import { createLinkToken } from "./link-tokens.server";
import type { ManagedUser } from "./managed-user";

/** Mails the link that sets the first password; earlier links end. */
export async function mailInvitation(trx: Knex.Transaction, user: ManagedUser): Promise<void> {
  await createLinkToken(trx, "invitation", user.id);
}
