/** The mails that open accounts: each holds a link of `link-tokens.server`. */
import type { Database } from "../../db/connection.server";
import { paths } from "../../paths";
import { enqueueMail, type NewMail } from "../mail/outbox.server";
import { createLinkToken, linkMinutes } from "./link-tokens.server";
import { hashSecret } from "./tokens.server";
import type { User } from "./user";

type AccountTemplate = "password_reset" | "email_verification" | "invitation";

const pageOf: Record<AccountTemplate, string> = {
  password_reset: paths.passwordReset,
  email_verification: paths.emailVerification,
  invitation: paths.invitation,
};

function accountMail<Name extends AccountTemplate>(
  template: Name,
  data: Omit<NewMail<Name>["data"], "minutes">,
  { recipient, secret }: { recipient: string; secret: string },
): NewMail<Name> {
  const minutes = linkMinutes[template];
  return {
    template,
    data: { ...data, minutes } as NewMail<Name>["data"],
    recipient,
    dedupKey: `${template} ${hashSecret(secret).toString("hex")}`,
    link: { path: `${pageOf[template]}?token=${secret}`, validMinutes: minutes },
  };
}

/** @param mail.isKnown whether the address has an account that the mail may be for */
export async function mailAccountLink(
  trx: Database,
  kind: "password_reset" | "email_verification",
  { isKnown, ...mail }: { recipient: string; secret: string; isKnown: boolean },
): Promise<void> {
  await enqueueMail(trx, accountMail(kind, { isKnown }, mail));
}

/** Mails the link that sets the first password; earlier links end. */
export async function mailInvitation(
  trx: Database,
  user: Pick<User, "id" | "email">,
  invitedBy: string,
): Promise<void> {
  const secret = await createLinkToken(trx, "invitation", user.id);
  const data = { invitedBy, isKnown: true };
  await enqueueMail(trx, accountMail("invitation", data, { recipient: user.email, secret }));
}
