/** Mails that tell people what was changed about their account (RULES H22). */
import { randomUUID } from "node:crypto";
import { one, type Database } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { isEmailAddress } from "../../format/email-address";
import { formatDateTime } from "../../format/date";
import type { Actor } from "../activity/audit-log.server";
import type { NoticeKind } from "../mail/account-notice";
import { enqueueMail, type NewMail } from "../mail/outbox.server";
import { describeBrowser } from "./browser-name";

/**
 * Mails a notice in the transaction of what it tells.
 * @param options.actor whoever did it: the user, or an admin
 * @param options.recipient an address that the user had before; by default the address of now
 * @param options.link undoes a change of the address
 */
export async function notifyUser(
  trx: Database,
  userId: string,
  kind: NoticeKind,
  {
    actor,
    detail = "",
    recipient,
    link,
  }: { actor: Actor; detail?: string; recipient?: string; link?: NonNullable<NewMail["link"]> },
): Promise<void> {
  const user = await one<{ email: string; now: Date }>(
    trx,
    "select email, now() as now from users where id = :userId",
    { userId },
  );
  const address = recipient ?? user?.email;
  // Addresses of older releases may be such that no mail can be sent to them.
  if (!user || !address || !isEmailAddress(address)) return;
  const zone = siteTimeZone();
  const isByAdmin = actor.id !== userId;
  await enqueueMail(trx, {
    template: "account_notice",
    data: {
      kind,
      detail,
      occurredAt: `${formatDateTime(user.now, zone)} (${zone})`,
      isByAdmin,
      origin: isByAdmin ? actor.email : describeOrigin(actor),
    },
    recipient: address,
    dedupKey: `account_notice ${randomUUID()}`,
    ...(link && { link }),
  });
}

function describeOrigin({ userAgent, address }: Actor): string {
  const browser = describeBrowser(userAgent ?? "");
  return address ? `${browser}, ${address}` : browser;
}
