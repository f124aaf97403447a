import { connect, disconnect, probeDb } from "../db/connection.server";
import { isSchemaCurrent } from "../db/migrate.server";
import { loadSite } from "../db/site.server";
import { hasDatabase, runningDatabaseUrl } from "../embedded-postgres/embedded-postgres.server";
import { environment, EnvironmentError } from "../env.server";
import { checkSummary } from "../features/reports/check-summary.server";
import { rebuildSummary } from "../features/reports/summary.server";
import { print, runCommand } from "./command.server";

/**
 * `npm run summary -- check` compares the summary with the raw rows, prints differences and then ends with exit
 * code 1; `npm run summary -- rebuild` builds it anew. The product may run meanwhile.
 */
export function summary(words: string[]): Promise<void> {
  return runCommand(async (open) => {
    const [command] = words;
    if (words.length !== 1 || (command !== "check" && command !== "rebuild"))
      throw new EnvironmentError("Name a command: npm run summary -- check, or: rebuild");
    const { databaseUrl, databasePooling: pooling, dataDir } = environment();
    const running = databaseUrl ?? runningDatabaseUrl(dataDir);
    if (running === null && !hasDatabase(dataDir))
      throw new EnvironmentError(
        `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for npm start.`,
      );
    connect(running ?? (await open()), { pooling });
    try {
      if (!(await isSchemaCurrent(probeDb())))
        throw new EnvironmentError(
          "The database is not one of this release. Start Promo Console once with npm start.",
        );
      await loadSite();
      return await (command === "check" ? check() : rebuild());
    } finally {
      await disconnect();
    }
  });
}

async function check(): Promise<number> {
  const differences = await checkSummary();
  for (const { table, key, summary, raw } of differences)
    print(
      `${table} ${JSON.stringify(key)}: summary ${JSON.stringify(summary)}, raw rows ${JSON.stringify(raw)}`,
    );
  print(
    differences.length === 0
      ? "The summary agrees with the raw rows."
      : "The summary differs from the raw rows. Correct it with: npm run summary -- rebuild",
  );
  return differences.length === 0 ? 0 : 1;
}

async function rebuild(): Promise<number> {
  await rebuildSummary();
  print("The summary was built anew.");
  return 0;
}
