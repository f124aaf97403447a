/**
 * The outbox: mails are rows that what causes them adds in its own transaction, and that a worker sends later. Nobody
 * waits for a mail server, and a mail exists exactly if its cause was committed.
 */
import { randomUUID } from "node:crypto";
import { db, one, query, type Database } from "../../db/connection.server";
import { encrypt } from "../../db/encryption.server";
import { isRunningSql, type ListedTable } from "../../db/jobs.server";
import type { Leftovers } from "../../db/sweep.server";
import { conflict, invalid, notFound } from "../../errors";
import { emailAddressMessage, isEmailAddress } from "../../format/email-address";
import { parseRecordId } from "../../forms/record-id";
import { deleteOldMailFiles } from "../../services/mail/file-transport.server";
import { recordAction, type Actor } from "../activity/audit-log.server";
import type { ActionOptions } from "../activity/idempotency.server";
import { settings } from "../settings/settings.server";
import type { TemplateData, TemplateName } from "./templates";

/** Sent mails are deleted when their retention ends, failed ones after at least 90 days. */
export const oldMails = (): Leftovers => ({
  table: "outbox",
  conditionSql: `finished_at < now() - interval '${settings().mailDays} days'
    and (state = 'sent' or finished_at < now() - interval '90 days')`,
});

/** Deletes mails that were sent into files, as long after it as their rows. */
export function sweepMailFiles(): Promise<void> {
  return deleteOldMailFiles(settings().mailDays);
}

export const linkPurpose = "mail link";

const maxAgeSql = "interval '5 days'";

export type NewMail<Name extends TemplateName = TemplateName> = {
  template: Name;
  data: TemplateData[Name];
  recipient: string;
  /** Identifies the mail: a second one with the same key is not added. At most 200 characters. */
  dedupKey: string;
  /** A path of this site that opens something by itself: stored encrypted, and of no use when it has expired. */
  link?: { path: string; validMinutes: number };
};

/**
 * Adds a mail to the outbox in the transaction of what causes it.
 * @returns the id of the mail; null if it was added before
 * @throws DomainError invalid: mail can't be sent to this address
 */
export async function enqueueMail<Name extends TemplateName>(
  trx: Database,
  { template, data, recipient, dedupKey, link }: NewMail<Name>,
): Promise<string | null> {
  if (!isEmailAddress(recipient)) throw invalid(emailAddressMessage);
  const messageId = randomUUID();
  const added = await one<{ id: string }>(
    trx,
    `insert into outbox (dedup_key, message_id, template, data, recipient, link, link_expires_at, give_up_at)
     select :dedupKey, :messageId, :template, cast(:data as jsonb), :recipient, :link, expiry,
       least(now() + ${maxAgeSql}, expiry)
     from (select now() + interval '1 minute' * cast(:validMinutes as integer) as expiry) link
     on conflict (dedup_key) do nothing returning id`,
    {
      dedupKey,
      messageId,
      template,
      data: JSON.stringify(data),
      recipient,
      link: link ? encrypt(link.path, linkPurpose, messageId) : null,
      validMinutes: link?.validMinutes ?? null,
    },
  );
  return added?.id ?? null;
}

/** Mails that tell what happens on the site: they don't wait for users who are disabled, deleted or viewers by then. */
export const mailsAboutSite = ["report", "alerts", "keys_ending", "webhook_disabled"] as const;

/**
 * Returns the mails about the site that a user doesn't get: those about keys and webhooks are for admins, and so are the
 * alerts that were written to one.
 */
export function mailsNotFor(
  { role, disabled }: { role: string; disabled: boolean },
  earlierRole: string,
): readonly TemplateName[] {
  if (disabled || role === "viewer") return mailsAboutSite;
  if (role === "admin") return [];
  return [
    "keys_ending",
    "webhook_disabled",
    ...(earlierRole === "admin" ? ["alerts" as const] : []),
  ];
}

/** Mails whose link ends with the user whom it is for. */
export const mailsWithLinks = ["invitation", "password_reset", "email_verification"] as const;

/** Drops the mails of templates to an address that wait or have failed: nobody can send these again. */
export async function dropUnsentMails(
  trx: Database,
  templates: readonly TemplateName[],
  recipient: string,
): Promise<void> {
  await query(
    trx,
    `delete from outbox where state <> 'sent' and template = any(:templates)
       and lower(recipient) = lower(:recipient)`,
    { templates, recipient },
  );
}

/** Whether a failed mail can be sent again: its link, if it has one, still works. */
export const canRetrySql =
  "(link_expires_at is null or link is not null and link_expires_at > now())";

export const listedMails: ListedTable = {
  fromSql: "outbox job",
  kindSql: "'mail'",
  topicSql: "job.template",
  subjectSql: "job.recipient",
  canRunSql: canRetrySql,
};

export async function countOpenMails(): Promise<{ pending: number; failed: number }> {
  const counts = await one<{ pending: number; failed: number }>(
    db(),
    `select (select count(*) from outbox where state = 'pending')::integer as pending,
       (select count(*) from outbox where state = 'failed')::integer as failed`,
  );
  return counts!;
}

/**
 * Makes a mail that waits due, or one that has failed, as if it were new.
 * @returns `changed`: false if it is due or on its way already
 * @throws DomainError not_found; conflict: it was sent, or its link has expired
 */
export async function sendMailNow(
  id: string,
  { actor }: { actor: Actor },
): Promise<{ changed: boolean }> {
  return db().transaction(async (trx) => {
    const mail = await one<{
      recipient: string;
      state: "pending" | "sent" | "failed";
      isDue: boolean;
      canRetry: boolean;
    }>(
      trx,
      `select recipient, state, ${isRunningSql} or next_attempt_at <= now() as is_due, ${canRetrySql} as can_retry
       from outbox job where id = :id for update`,
      { id: parseRecordId(id) },
    );
    if (!mail) throw notFound("Mail not found");
    if (mail.state === "pending" && mail.isDue) return { changed: false };
    if (mail.state === "sent") throw conflict("This mail was already sent.");
    if (!mail.canRetry) throw conflict("This mail can't be sent again: its link has expired.");
    await query(
      trx,
      `update outbox set next_attempt_at = now(), finished_at = null, state = 'pending',
         attempts = case when state = 'failed' then 0 else attempts end,
         last_error = case when state = 'failed' then null else last_error end,
         give_up_at = least(now() + ${maxAgeSql}, link_expires_at)
       where id = :id`,
      { id },
    );
    const { recipient } = mail;
    await recordAction(trx, actor, "mail.sent_again", id, { details: { recipient } });
    return { changed: true };
  });
}

/** Makes the mails that wait due at once, with another 5 days, but no longer than their links. */
export async function restartMails(trx: Database): Promise<void> {
  await query(
    trx,
    `update outbox job set attempts = 0, next_attempt_at = now(),
       give_up_at = least(now() + ${maxAgeSql}, link_expires_at)
     where state = 'pending' and not ${isRunningSql}`,
  );
}

/** Adds a mail to the person who asks for it, which shows whether mail can be sent. */
export async function sendTestMail({ actor, idempotencyKey }: ActionOptions): Promise<void> {
  await db().transaction(async (trx) => {
    const id = await enqueueMail(trx, {
      template: "test",
      data: { askedBy: actor.email },
      recipient: actor.email,
      dedupKey: `test ${actor.id} ${(idempotencyKey ?? randomUUID()).slice(0, 100)}`,
    });
    if (id !== null) await recordAction(trx, actor, "mail.tested", id);
  });
}

export async function eraseExpiredLinks(): Promise<void> {
  await query(
    db(),
    "update outbox set link = null where link is not null and link_expires_at <= now()",
  );
}
