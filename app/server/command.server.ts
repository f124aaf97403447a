import pg from "pg";
import { connect, disconnect, probeDb } from "../db/connection.server";
import { isDatabaseUnavailable, isUnreadableFile } from "../db/database-errors.server";
import { isSchemaCurrent } from "../db/migrate.server";
import { loadSite } from "../db/site.server";
import {
  hasDatabase,
  runningDatabase,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../embedded-postgres/embedded-postgres.server";
import { environment, EnvironmentError } from "../env.server";
import { describeDatabaseError } from "./start.server";

/** Starts the embedded database and returns the address of its owner. */
export type OpenDatabase = (options?: { isRestore: boolean }) => Promise<string>;

/**
 * Runs a command and ends the process, with exit code 1 and one sentence if it can't.
 * @param work may return another exit code than 0. The database that it opens is stopped at the end.
 */
export async function runCommand(
  work: (open: OpenDatabase) => Promise<number | void>,
): Promise<void> {
  let starting: Promise<EmbeddedPostgres> | null = null;
  let isEnding = false;
  const end = async (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    // One that still starts is waited for: nobody else would stop it.
    const embedded = await starting?.catch(() => null);
    await embedded?.stop();
    process.exit(exitCode);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void end(1));
  try {
    const exitCode = await work(async (options) => {
      starting = startEmbeddedPostgres({
        ...options,
        dataDir: environment().dataDir,
        log: (message) => process.stderr.write(`${message}\n`),
      });
      return (await starting).ownerUrl;
    });
    await end(exitCode ?? 0);
  } catch (error) {
    if (!isEnding) process.stderr.write(`${describe(error)}\n`);
    await end(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (isUnreadableFile(error)) return `A file can't be opened: ${describeDatabaseError(error)}`;
  if (error instanceof pg.DatabaseError || isDatabaseUnavailable(error))
    return `The database reports: ${describeDatabaseError(error)}`;
  return (error instanceof Error && error.stack) || String(error);
}

/**
 * Returns the address of a database that exists: the configured one, that of the process which runs on DATA_DIR, or
 * that which `open` starts there.
 * @param role whose address a running process is asked for
 */
export async function findDatabase(
  configured: string | null,
  open: () => Promise<string>,
  role: "url" | "ownerUrl" = "url",
): Promise<string> {
  const { dataDir } = environment();
  const running = configured ?? runningDatabase(dataDir)?.[role];
  if (running === undefined && !hasDatabase(dataDir))
    throw new EnvironmentError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for npm start.`,
    );
  return running ?? open();
}

/** Connects to a database of this release, which the product may use meanwhile, until the work is done. */
export async function withDatabase<Result>(
  url: string,
  work: () => Promise<Result>,
  options: Parameters<typeof connect>[1] = {},
): Promise<Result> {
  connect(url, options);
  try {
    if (!(await isSchemaCurrent(probeDb())))
      throw new EnvironmentError(
        "The database is not one of this release. Start Promo Console once with npm start.",
      );
    await loadSite();
    return await work();
  } finally {
    await disconnect();
  }
}

export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
