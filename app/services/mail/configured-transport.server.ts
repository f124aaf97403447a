import { environment } from "../../env.server";
import { fileTransport, mailFolder } from "./file-transport.server";
import type { MailTransport } from "./mail-transport";
import { smtpTransport } from "./smtp-transport.server";

/** The server of SMTP_URL, else files in `DATA_DIR/outbox`. */
export function configuredTransport(log: (line: string) => void): MailTransport {
  const { smtpUrl, mailFrom } = environment();
  return smtpUrl === null
    ? fileTransport({ folder: mailFolder(), mailFrom, log })
    : smtpTransport({ smtpUrl, mailFrom });
}
