/** The mail that tells people what was changed about their account. */
import { paths } from "../../paths";
import { MailError } from "../../services/mail/mail-transport";
import type { MailContent } from "./render-mail";

export type AccountNotice = {
  kind: NoticeKind;
  /** Names the subject, addresses or a passkey, or says what ended. */
  detail: string;
  /** 'DD.MM.YYYY HH:MM' in the site's zone, with the name of the zone. */
  occurredAt: string;
  /** 'Firefox on Windows, 192.0.2.7', or the address of the admin who did it. */
  origin: string;
  isByAdmin: boolean;
};

export type NoticeKind = keyof typeof subjects;

const subjects = {
  email_changed: "Your email address was changed",
  email_put_back: "Your email address was restored",
  password_changed: "Your password was changed",
  second_factor_added: "An authenticator app was added",
  second_factor_removed: "Two-step verification was turned off",
  recovery_codes_renewed: "Your recovery codes were replaced",
  passkey_added: "A passkey was added",
  passkey_removed: "A passkey was removed",
  api_key_created: "An API key was created",
  api_key_regenerated: "Your API key was replaced",
  api_key_revoked: "Your API key was revoked",
  token_reused: "A refresh token was used a second time",
  new_device: "New sign-in",
};

/** Names what a new password leaves as it is, and how its owner ends it. */
const remedies: Partial<Record<NoticeKind, string>> = {
  recovery_codes_renewed: "create new recovery codes under Profile, Two-step verification",
  passkey_added: "remove the passkey under Profile, Two-step verification",
  api_key_created: "revoke the API key under Profile",
  api_key_regenerated: "revoke the API key under Profile",
};

/**
 * @param context.link undoes a change of the address; `siteName` names the site
 * @throws MailError: the kind is unknown, because an instance of a later release added the mail
 */
export function accountNotice(
  { kind, detail, occurredAt, origin: from, isByAdmin }: AccountNotice,
  { origin, siteName, link }: { origin: string; siteName: string; link: string | null },
): MailContent {
  const subject = subjects[kind] as string | undefined;
  if (subject === undefined)
    throw new MailError(
      "deferred",
      "This release does not know this kind of mail. An instance of a later release will send it.",
    );
  const isUnwanted = isByAdmin
    ? `If you don't know why, ask ${from}. If it was not done by this admin,`
    : "If this was not you,";
  const isWanted = `If ${isByAdmin ? "you know of it" : "it was you"}, there is nothing to do.`;
  // An owner whose password somebody else has changed doesn't know the present one.
  const path = kind === "password_changed" ? paths.passwordReset : paths.accountPassword;
  const steps = ["set a new password at once", remedies[kind], "and tell an admin"];
  return {
    subject: `${subject} at ${siteName}`,
    paragraphs: [
      `${[`${subject} at ${siteName}`, detail].filter(Boolean).join(": ")}.`,
      `When: ${occurredAt}. ${isByAdmin ? "By" : "From"}: ${from}.`,
      link
        ? `${isUnwanted} restore the old address. That ends all sessions, and you get a link for a new password.`
        : `${isUnwanted} ${steps.filter(Boolean).join(", ")}.`,
    ],
    action: link
      ? { label: "Restore the old address", url: link }
      : { label: "Set a new password", url: origin + path },
    notes: link ? ["The link works once, within 72 hours.", isWanted] : [isWanted],
  };
}
