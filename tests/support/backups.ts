import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { builtProduct } from "./built";
import { readBackupFile, type BackupManifest } from "../../app/db/backup-file.server";

/** The path of a file that doesn't exist yet, in a folder that goes away at the end of the test. */
export function backupFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "promo-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "promo.backup");
}

/**
 * Reads a backup to its end: row counts and digests of its tables, and the last values of identities. The site's
 * settings are left out, because a restore pauses outgoing messages there.
 */
export function readManifest(file: string): Promise<BackupManifest> {
  return readBackupFile(file, async ({ header, readRows, readManifest }) => {
    for (const { name } of header.tables) await buffer(readRows(name));
    const manifest = await readManifest();
    delete manifest.tables.site_settings;
    return manifest;
  });
}

/**
 * Starts `npm run backup`, `npm run restore` or `npm run summary` in an environment that holds nothing but what is
 * given.
 * @param argument the file; or what to do with the summary
 */
export async function startCommand(
  command: "backup" | "restore" | "summary",
  argument: string,
  environment: Record<string, string>,
) {
  await builtProduct();
  const isSummary = command === "summary";
  const main = path.resolve(isSummary ? "app/server/summary.js" : "app/server/backup.js");
  const words = isSummary ? [argument] : [command, argument];
  const child = spawn(process.execPath, [main, ...words], {
    cwd: "/",
    env: environment as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  const signal = (signal: NodeJS.Signals) => child.kill(signal);
  return { output: () => output, ended, signal, kill: () => signal("SIGKILL") };
}
