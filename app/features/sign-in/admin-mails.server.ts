/** Mails that tell admins what happened by itself. */
import { query, type Database } from "../../db/connection.server";
import { isEmailAddress } from "../../format/email-address";
import { enqueueMail, type NewMail } from "../mail/outbox.server";
import type { TemplateName } from "../mail/templates";

/**
 * Mails the first 20 admins who can sign in.
 * @param mail.dedupKey identifies the mail, for each of them
 */
export async function mailAdmins<Name extends TemplateName>(
  trx: Database,
  { dedupKey, ...mail }: Omit<NewMail<Name>, "recipient" | "link">,
): Promise<void> {
  const admins = await query<{ email: string }>(
    trx,
    "select email from users where role = 'admin' and not is_disabled order by id limit 20",
  );
  // An unusable address must not fail the mails of the others.
  for (const { email } of admins.filter(({ email }) => isEmailAddress(email)))
    await enqueueMail(trx, {
      ...mail,
      recipient: email,
      dedupKey: `${dedupKey} ${email}`.slice(0, 200),
    });
}
