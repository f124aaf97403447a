/**
 * Sends the mails of the outbox. Each mail is claimed by one worker at a time, so two instances never send one twice.
 * A process that dies between the server's acceptance and the commit of 'sent' leaves a mail that is sent again after
 * its lease: SMTP can't be part of a transaction. The Message-ID stays the same, by which mailboxes know a repetition.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../db/connection.server";
import { decrypt } from "../../db/encryption.server";
import { isOutgoingPaused } from "../../db/outgoing.server";
import { environment } from "../../env.server";
import { configuredTransport } from "../../services/mail/configured-transport.server";
import { MailError, type MailTransport } from "../../services/mail/mail-transport";
import {
  claimDueMail,
  discard,
  expireMails,
  linkPurpose,
  markFailed,
  markSent,
  postpone,
  release,
  type ClaimedMail,
} from "./outbox.server";
import { renderMail, type MailContent, type RenderedMail } from "./render-mail";
import { templates, type TemplateData, type TemplateName } from "./templates";

/** Mails that an instance sends at once: a slow server holds up no more than these. */
const maxConcurrent = 3;
const pollMs = 2_000;
/** An attempt may finish for so long after a stop. */
const stopTimeoutMs = 5_000;
const maxWrites = 5;

const never = new AbortController().signal;

/**
 * Sends every mail that is due, until the server can't be reached; none while outgoing messages are paused.
 * @param options.stopping no further mail is begun once it aborts
 * @param options.breaking breaks off mails on their way
 */
export async function deliverDueMails(
  transport: MailTransport,
  { stopping = never, breaking = never }: { stopping?: AbortSignal; breaking?: AbortSignal } = {},
): Promise<void> {
  await expireMails();
  if (await isOutgoingPaused()) return;
  let isReachable = true;
  const sendOneByOne = async () => {
    while (isReachable && !stopping.aborted) {
      const mail = await claimDueMail();
      if (!mail) return;
      isReachable = await deliver(mail, transport, breaking);
    }
  };
  const lanes = Array.from({ length: maxConcurrent }, sendOneByOne);
  for (const lane of await Promise.allSettled(lanes))
    if (lane.status === "rejected") throw lane.reason;
}

/**
 * Makes one attempt.
 * @returns whether it makes sense to try the next mail
 */
async function deliver(
  mail: ClaimedMail,
  transport: MailTransport,
  breaking: AbortSignal,
): Promise<boolean> {
  const { messageId, recipient, createdAt } = mail;
  try {
    const rendered = render(mail);
    if (!rendered) {
      await discard(mail);
      return true;
    }
    await transport.send({ messageId, recipient, createdAt, ...rendered }, breaking);
  } catch (cause) {
    const isExpected = cause instanceof MailError;
    if (breaking.aborted) await release(mail);
    else if (!isExpected) await postpone(mail, "This mail can't be made. The log says why.");
    else if (cause.kind === "rejected") await markFailed(mail, cause.message);
    else await postpone(mail, cause.message);
    if (!isExpected) throw cause;
    return cause.kind !== "unreachable";
  }
  await insist(() => markSent(mail));
  return true;
}

/**
 * @returns null if there is nothing to send
 * @throws MailError if its link can't be decrypted
 */
function render(mail: ClaimedMail): RenderedMail | null {
  const origin = environment().appOrigin;
  const path = mail.link && decrypt(mail.link, linkPurpose, mail.messageId);
  if (mail.link && path === null)
    throw new MailError("rejected", "Its link can't be decrypted, because APP_SECRET has changed.");
  const template = templates[mail.template] as (
    data: TemplateData[TemplateName],
    context: { origin: string; link: string | null },
  ) => MailContent | null;
  const content = template(mail.data, { origin, link: path && origin + path });
  return content && renderMail(content);
}

/** Tries again while the database is away: without this write, a sent mail would be sent twice. */
async function insist(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === maxWrites || !isDatabaseUnavailable(error)) throw error;
      await delay(1_000 * attempt);
    }
  }
}

/**
 * Sends due mails every few seconds until it is stopped.
 * @param log gets one line for each mail that is written to a file
 * @param report gets errors that are no mail's
 */
export function startMailWorker(
  log: (line: string) => void,
  report: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const transport = configuredTransport(log);
  const [stopping, breaking] = [new AbortController(), new AbortController()];
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= deliverDueMails(transport, {
      stopping: stopping.signal,
      breaking: breaking.signal,
    })
      .catch(report)
      .finally(() => (running = null));
  };
  const timer = setInterval(run, pollMs).unref();
  run();
  return {
    /** Begins no further mail, lets those on their way arrive for 5 s, and then breaks them off. */
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.race([running, delay(stopTimeoutMs)]);
      breaking.abort();
      await Promise.race([running, delay(1_000)]);
    },
  };
}
