import path from "node:path";
import { environment } from "../../env.server";
import { fileTransport } from "./file-transport.server";
import type { MailTransport } from "./mail-transport";
import { smtpTransport } from "./smtp-transport.server";

/** The server of SMTP_URL, else files in `DATA_DIR/outbox`. */
export function configuredTransport(log: (line: string) => void): MailTransport {
  const { smtpUrl, mailFrom, dataDir } = environment();
  return smtpUrl === null
    ? fileTransport({ folder: path.join(dataDir, "outbox"), mailFrom, log })
    : smtpTransport({ smtpUrl, mailFrom });
}
