import path from "node:path";
import { environment, EnvironmentError } from "../env.server";
import { archiveMonth } from "../features/archived-months/archive-month.server";
import { bringBack } from "../features/archived-months/bring-back.server";
import { isMonth, monthName } from "../features/archived-months/month";
import { countOf, formatBytes } from "../format/number";
import { findDatabase, print, runCommand, withDatabase } from "./command.server";

/**
 * `npm run archive -- 2025-01` moves a month of transactions, attempts and events into a file, and
 * `npm run archive -- --back FILE` attaches it again. The product may run meanwhile.
 * @param folder that of the file, where none is named
 */
export function archive(command: string, file: string | null, folder: string): Promise<void> {
  return runCommand(async (open) => {
    const isBack = command === "--back";
    if (isBack ? file === null : !isMonth(command))
      throw new EnvironmentError(
        "Name a month: npm run archive -- 2025-01, or a file: npm run archive -- --back FILE",
      );
    const url = await findDatabase(environment().databaseDirectUrl, open, "ownerUrl");
    await withDatabase(url, () =>
      isBack
        ? printBroughtBack(url, file!)
        : printArchived(url, command, file ?? path.join(folder, `archive-${command}.tar.gz`)),
    );
  });
}

async function printArchived(url: string, month: string, file: string): Promise<void> {
  const { transactions, attempts, events, bytes } = await archiveMonth(url, month, file);
  print(
    `Archived ${monthName(month)} in ${file} (${formatBytes(bytes)}): ${countOf(transactions, "transaction")}, ${countOf(attempts, "attempt")} and ${countOf(events, "event")}, which are no longer in the database.`,
    "The file is confidential and the only copy: keep it as you keep backups.",
    `Attach it again with: npm run archive -- --back ${file}`,
  );
}

async function printBroughtBack(url: string, file: string): Promise<void> {
  const { month, transactions, attempts, events } = await bringBack(url, file);
  print(
    `${monthName(month)} is in the database again: ${countOf(transactions, "transaction")}, ${countOf(attempts, "attempt")} and ${countOf(events, "event")}.`,
  );
}
