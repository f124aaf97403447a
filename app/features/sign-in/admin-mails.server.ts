/** Mails that tell admins what happened by itself. */
import type { Knex } from "knex";
import { query } from "../../db/connection.server";
import { isEmailAddress } from "../../format/email-address";
import { enqueueMail, type NewMail } from "../mail/outbox.server";
import type { TemplateName } from "../mail/templates";

/**
 * Locks the first 20 admins who can sign in: whoever is about to lose the role waits for the mails, and then drops them.
 * Called before other rows are locked, because deleting an admin locks what the admin made.
 */
export async function lockMailedAdmins(trx: Knex.Transaction): Promise<string[]> {
  const admins = await query<{ email: string }>(
    trx,
    "select email from users where role = 'admin' and not is_disabled order by id limit 20 for share",
  );
  return admins.map(({ email }) => email);
}

/**
 * Mails admins.
 * @param admins as `lockMailedAdmins` returned them
 * @param mail.dedupKey identifies the mail, for each of them
 */
export async function mailAdmins<Name extends TemplateName>(
  trx: Knex.Transaction,
  admins: readonly string[],
  { dedupKey, ...mail }: Omit<NewMail<Name>, "recipient" | "link">,
): Promise<void> {
  // An unusable address must not fail the mails of the others.
  for (const recipient of admins.filter(isEmailAddress))
    await enqueueMail(trx, {
      ...mail,
      recipient,
      dedupKey: `${dedupKey} ${recipient}`.slice(0, 200),
    });
}
