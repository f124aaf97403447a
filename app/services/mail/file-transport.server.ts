import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { environment } from "../../env.server";
import { toMessage } from "./mail-message.server";
import { MailError, type MailTransport } from "./mail-transport";

export const mailFolder = () => path.join(environment().dataDir, "outbox");

/**
 * Writes each mail to a file of its own, for the system's user alone: mails hold links that open accounts.
 * A repeated attempt writes the same file.
 * @param log gets one line for each mail
 */
export function fileTransport({
  folder,
  mailFrom,
  log,
}: {
  folder: string;
  mailFrom: string;
  log: (line: string) => void;
}): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const day = mail.createdAt.toISOString().slice(0, 19).replaceAll(":", "-");
      const file = path.join(folder, `${day}-${mail.messageId}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const { message } = await composer.sendMail(toMessage(mail, mailFrom));
        await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true });
        await rename(`${file}.part`, file);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new MailError("unreachable", `The mail can't be written to ${folder}: ${reason}`);
      }
      log(`A mail to ${mail.recipient} is in ${file}`);
    },
  };
}

/** The names that `fileTransport` gives its files, also those that it did not finish. */
const mailFileName =
  /^\d{4}-\d\d-\d\dT[\d-]+-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.eml(\.part)?$/;

/** Deletes the mails of `DATA_DIR/outbox` that were written more than so many days ago, and no other file. */
export async function deleteOldMailFiles(days: number): Promise<void> {
  const folder = mailFolder();
  const oldest = Date.now() - days * 86_400_000;
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => mailFileName.test(each))) {
    const file = path.join(folder, name);
    // Another instance may have deleted it.
    const written = await stat(file).catch(() => null);
    if (written && written.mtimeMs < oldest) await rm(file, { force: true });
  }
}
