import path from "node:path";
import { environment } from "../../env.server";
import { deleteOldFiles, fileTransport } from "./file-transport.server";
import type { MailTransport } from "./mail-transport";
import { smtpTransport } from "./smtp-transport.server";

const folderOf = (dataDir: string) => path.join(dataDir, "outbox");

/** The server of SMTP_URL, else files in `DATA_DIR/outbox`. */
export function configuredTransport(log: (line: string) => void): MailTransport {
  const { smtpUrl, mailFrom, dataDir } = environment();
  return smtpUrl === null
    ? fileTransport({ folder: folderOf(dataDir), mailFrom, log })
    : smtpTransport({ smtpUrl, mailFrom });
}

/** Deletes the mails of `DATA_DIR/outbox` that were written more than so many days ago. */
export function deleteOldMailFiles(days: number): Promise<void> {
  return deleteOldFiles(folderOf(environment().dataDir), days);
}
