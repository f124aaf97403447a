import { createTransport } from "nodemailer";
import { toMessage } from "./mail-message.server";
import { MailError, type MailTransport } from "./mail-transport";

/** Time limits of one attempt, in ms. */
const defaultTimeouts = { connect: 10_000, silence: 30_000, attempt: 60_000 };

/**
 * Sends each mail over a connection of its own, so that nothing waits for a server that hangs.
 * @param smtpUrl `smtp:` with STARTTLS where the server offers it, or `smtps:`. A password is sent over TLS or to
 *   this machine only.
 */
export function smtpTransport({
  smtpUrl,
  mailFrom,
  timeouts = defaultTimeouts,
}: {
  smtpUrl: string;
  mailFrom: string;
  timeouts?: typeof defaultTimeouts;
}): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isLoopback = /^(localhost|127\.[\d.]+|::1)$/.test(host);
  const isSecure = protocol === "smtps:";
  const transport = createTransport({
    host,
    port: Number(port || (isSecure ? 465 : 587)),
    secure: isSecure,
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      requireTLS: !isSecure && !isLoopback,
    }),
    connectionTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
  });
  return {
    async send(mail, signal) {
      // A timer holds its controller. Node 20 may lose the signal of AbortSignal.timeout, and then the time is not limited.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeouts.attempt);
      const limited = AbortSignal.any([signal, limit.signal]);
      try {
        await transport.sendMail({ ...toMessage(mail, mailFrom), signal: limited });
      } catch (cause) {
        throw toMailError(cause);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

type SmtpFailure = { code?: string; command?: string; responseCode?: number; response?: string };

function toMailError(cause: unknown): MailError {
  const { code = "", command = "", responseCode = 0, response } = cause as SmtpFailure;
  const reason = printable(response ?? (cause instanceof Error ? cause.message : String(cause)));
  if (code === "EAUTH")
    return new MailError("unreachable", `The mail server refused the sign-in: ${reason}`);
  if (code === "ETIMEDOUT" || code === "EABORT")
    return new MailError("unreachable", "The mail server takes too long to answer.");
  if (!/^(EENVELOPE|EMESSAGE)$/.test(code) || responseCode < 400)
    return new MailError("unreachable", `The mail server can't be reached: ${reason}`);
  const subject =
    command === "RCPT TO" ? "the recipient" : command === "MAIL FROM" ? "the sender" : "the mail";
  return responseCode >= 500
    ? new MailError("rejected", `The mail server refused ${subject}: ${reason}`)
    : new MailError("deferred", `The mail server put off ${subject}: ${reason}`);
}

/** Returns the end of a sentence; answers of servers may hold anything. */
function printable(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return `${line.slice(0, 300).replace(/\.$/, "")}.`;
}
