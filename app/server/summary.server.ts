import { environment, EnvironmentError } from "../env.server";
import { checkSummary } from "../features/reports/check-summary.server";
import { rebuildSummary } from "../features/reports/summary.server";
import { findDatabase, print, runCommand, withDatabase } from "./command.server";

/**
 * `npm run summary -- check` compares the summary with the raw rows, prints differences and then ends with exit
 * code 1; `npm run summary -- rebuild` builds it anew. The product may run meanwhile.
 */
export function summary(args: string[]): Promise<void> {
  return runCommand(async (open) => {
    const [command] = args;
    if (args.length !== 1 || (command !== "check" && command !== "rebuild"))
      throw new EnvironmentError("Name a command: npm run summary -- check, or: rebuild");
    const { databaseUrl, databasePooling: pooling } = environment();
    const work = command === "check" ? check : rebuild;
    return withDatabase(await findDatabase(databaseUrl, open), work, { pooling });
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
