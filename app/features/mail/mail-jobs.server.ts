/**
 * Sends the mails of the outbox. A process that dies between the server's acceptance and the commit of 'sent' leaves a
 * mail that is sent again after its lease: SMTP can't be part of a transaction. The Message-ID stays the same, by which
 * mailboxes know a repetition.
 */
import { db, query } from "../../db/connection.server";
import { decrypt } from "../../db/encryption.server";
import type { Job, JobTable, Outcome } from "../../db/jobs.server";
import { environment } from "../../env.server";
import { configuredTransport } from "../../services/mail/configured-transport.server";
import { MailError, type MailTransport } from "../../services/mail/mail-transport";
import { settings } from "../settings/settings.server";
import { linkPurpose } from "./outbox.server";
import { renderMail, type MailContent, type RenderedMail } from "./render-mail";
import { templates, type LateTemplates, type TemplateData, type TemplateName } from "./templates";

type MailJob = Job & {
  messageId: string;
  template: TemplateName;
  data: TemplateData[TemplateName];
  recipient: string;
  link: Buffer | null;
  hasLink: boolean;
  createdAt: Date;
  /** Whether it is to be given up. */
  isExpired: boolean;
  lastError: string | null;
};

/** Mails as jobs: those with a link go first, because somebody waits for them. */
export function mailJobs(transport: MailTransport, late: LateTemplates): JobTable<MailJob> {
  return {
    name: "outbox",
    kindSql: "'mail'",
    columnsSql: `message_id, template, data, recipient, link, link_expires_at is not null as has_link, created_at,
      give_up_at <= now() as is_expired, last_error`,
    orderSql: "job.link_expires_at, job.next_attempt_at, job.id",
    // 1, 2, 4 … minutes, at most 6 hours, and a little more at random.
    backoffSql: `(1 + random() / 10)
      * least(interval '1 minute' * power(2, least(job.attempts, 20) - 1), interval '6 hours')`,
    doneState: "sent",
    resultSql: {
      link: "case when ended.state <> 'done' and link_expires_at > now() then link end",
      data: "case when ended.state = 'done' then data - 'attachments' else data end",
    },
    // A slow server holds up no more than these.
    kinds: {
      mail: {
        concurrencyLimit: 3,
        isOutgoing: true,
        run: (mail, signal) => deliver(mail, { transport, late }, signal),
      },
    },
  };
}

/** @param log gets one line for each mail that is written to a file */
export const configuredMailJobs = (log: (line: string) => void, late: LateTemplates) =>
  mailJobs(configuredTransport(log), late);

async function deliver(
  mail: MailJob,
  { transport, late }: { transport: MailTransport; late: LateTemplates },
  signal: AbortSignal,
): Promise<Outcome> {
  const { messageId, recipient, createdAt } = mail;
  if (mail.isExpired) {
    const reason = mail.hasLink ? "Given up: its link has expired." : "Given up after 5 days.";
    return {
      state: "failed",
      error: [mail.lastError, reason].filter(Boolean).join(" "),
      result: {},
    };
  }
  try {
    const rendered = await render(mail, late);
    const sent = { messageId, recipient, createdAt };
    if (rendered) await transport.send({ ...sent, ...rendered }, signal);
    // Its code was deleted, or it was there only so that an answer takes the same time.
    else await query(db(), "delete from outbox where id = :id", { id: mail.id });
    return { state: "done", result: {} };
  } catch (cause) {
    if (!(cause instanceof MailError)) throw cause;
    const { kind, message: error } = cause;
    const isUnreachable = kind === "unreachable";
    return { state: kind === "rejected" ? "failed" : "retry", error, isUnreachable, result: {} };
  }
}

/**
 * @returns null if there is nothing to send
 * @throws MailError if its link can't be decrypted
 */
async function render(mail: MailJob, late: LateTemplates): Promise<RenderedMail | null> {
  const origin = environment().appOrigin;
  const { siteName } = settings();
  const path = mail.link && decrypt(mail.link, linkPurpose, mail.messageId);
  if (mail.link && path === null)
    throw new MailError("deferred", "Its link can't be decrypted, because APP_SECRET has changed.");
  const all = { ...templates, ...late };
  const template = all[mail.template] as (
    data: TemplateData[TemplateName],
    context: { origin: string; siteName: string; link: string | null },
  ) => MailContent | null | Promise<MailContent | null>;
  const content = await template(mail.data, { origin, siteName, link: path && origin + path });
  return content && renderMail(content, siteName);
}
