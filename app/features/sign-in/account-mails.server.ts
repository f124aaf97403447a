/** The mails that open accounts: each holds a link of `link-tokens.server`. */
import type { Database } from "../../db/connection.server";
import { paths, serverPaths } from "../../paths";
import { enqueueMail, type NewMail } from "../mail/outbox.server";
import { createLinkToken, linkMinutes } from "./link-tokens.server";
import { hashSecret } from "./tokens.server";

const pages = {
  password_reset: paths.passwordReset,
  email_verification: serverPaths.emailVerification,
  invitation: serverPaths.invitation,
};

type AccountTemplate = keyof typeof pages;

/**
 * Mails a new link; earlier ones of the kind end.
 * @param mail.userId null if the address has no account that the mail may be for: the link opens nothing
 * @param data more that the template needs
 */
export async function mailAccountLink<Template extends AccountTemplate>(
  trx: Database,
  template: Template,
  { recipient, userId }: { recipient: string; userId: string | null },
  data: Omit<NewMail<Template>["data"], "minutes" | "isKnown">,
): Promise<void> {
  const secret = await createLinkToken(trx, template, userId);
  const minutes = linkMinutes[template];
  await enqueueMail(trx, {
    template,
    data: { ...data, minutes, isKnown: userId !== null } as NewMail<Template>["data"],
    recipient,
    dedupKey: `${template} ${hashSecret(secret).toString("hex")}`,
    link: { path: `${pages[template]}?token=${secret}`, validMinutes: minutes },
  });
}
