import pg from "pg";
import { isDatabaseUnavailable } from "../db/database-errors.server";
import { startEmbeddedPostgres } from "../embedded-postgres/embedded-postgres.server";
import { environment, EnvironmentError } from "../env.server";
import { describeDatabaseError } from "./start.server";

/**
 * Runs a command and ends the process, with exit code 1 and one sentence if it can't.
 * @param work gets a function that starts the embedded database and returns the address of its owner; the
 *   database is stopped at the end. It may return another exit code than 0.
 */
export async function runCommand(
  work: (open: () => Promise<string>) => Promise<number | void>,
): Promise<void> {
  let stop = async () => {};
  let isEnding = false;
  const end = async (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    await stop();
    process.exit(exitCode);
  };
  process.on("SIGINT", () => void end(1));
  process.on("SIGTERM", () => void end(1));
  try {
    const exitCode = await work(async () => {
      const embedded = await startEmbeddedPostgres({ dataDir: environment().dataDir });
      ({ stop } = embedded);
      return embedded.ownerUrl;
    });
    await end(exitCode ?? 0);
  } catch (error) {
    if (!isEnding) process.stderr.write(`${describe(error)}\n`);
    await end(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (error instanceof pg.DatabaseError || isDatabaseUnavailable(error))
    return `The database reports: ${describeDatabaseError(error)}`;
  return (error instanceof Error && error.stack) || String(error);
}

export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
