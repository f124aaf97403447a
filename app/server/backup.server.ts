import { backUpDatabase } from "../db/backup.server";
import { restoreDatabase } from "../db/restore.server";
import { endRestore } from "../embedded-postgres/embedded-postgres.server";
import { appRole } from "../embedded-postgres/postgres-roles.server";
import { environment, EnvironmentError } from "../env.server";
import { countOf, formatBytes } from "../format/number";
import { findDatabase, print, runCommand, type OpenDatabase } from "./command.server";

/** `npm run backup -- FILE`: writes the database to a file and ends the process. */
export function backUp(files: string[]): Promise<void> {
  return runFileCommand("backup", files, async (file, open) => {
    const url = await findDatabase(environment().databaseDirectUrl, open);
    const { tables, rows, bytes } = await backUpDatabase(url, file);
    print(
      `Backed up ${countOf(rows, "row")} of ${countOf(tables, "table")} to ${file} (${formatBytes(bytes)}).`,
      "The file is confidential: it holds codes and password hashes. Keep APP_SECRET, or the file secret of DATA_DIR, in another place: it is not in the backup.",
      `Restore it into an empty database with: npm run restore -- ${file}`,
    );
  });
}

const otherSecret =
  "APP_SECRET, or the file secret of DATA_DIR, is not that of the backup: with it no session, no key of a machine and no webhook works. Put the one of the backup in its place. If it is lost, README says under 'Secret' how admins with two-step verification get in.";

/** `npm run restore -- FILE`: fills an empty database from a file and ends the process. */
export function restore(files: string[]): Promise<void> {
  return runFileCommand("restore", files, async (file, open) => {
    const { databaseDirectUrl, dataDir } = environment();
    const restored = await (databaseDirectUrl === null
      ? restoreDatabase(
          () => open({ isRestore: true }),
          file,
          appRole,
          () => endRestore(dataDir),
        )
      : restoreDatabase(() => databaseDirectUrl, file, null));
    print(
      `Restored ${countOf(restored.rows, "row")} of ${countOf(restored.tables, "table")} from ${file}, backed up ${restored.createdAt.toISOString()}.`,
      ...restored.leftOut.map(
        (table) => `The table ${table} is not one of Promo Console and was left out.`,
      ),
      "It sends no mail, no report and no webhook call until an admin presses 'Resume outgoing messages' on its dashboard.",
      ...(restored.hasSameSecret ? [] : [otherSecret]),
      "Start Promo Console with npm start.",
    );
  });
}

function runFileCommand(
  name: string,
  files: string[],
  work: (file: string, open: OpenDatabase) => Promise<void>,
): Promise<void> {
  return runCommand(async (open) => {
    const [file] = files;
    if (file === undefined || files.length > 1)
      throw new EnvironmentError(`Name one file: npm run ${name} -- FILE`);
    await work(file, open);
  });
}
