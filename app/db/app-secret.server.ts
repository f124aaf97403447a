/** The secret that signs sessions and encrypts what is stored. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { environment, EnvironmentError } from "../env.server";
import { codeOf } from "../errors";

let secret: string | undefined;

/** Returns APP_SECRET, or the secret in DATA_DIR, which is created if it is missing. */
export function appSecret(): string {
  const { appSecret: configured, dataDir } = environment();
  return (secret ??= configured ?? loadOrCreateSecret(path.join(dataDir, "secret")));
}

/**
 * Reads a random secret from its file (mode 0600), and creates the file if it is missing.
 * @throws EnvironmentError if the file is empty or can't be read
 */
export function loadOrCreateSecret(file: string): string {
  const existing = readSecret(file);
  if (existing === "")
    throw new EnvironmentError(
      `The file ${file} is empty. Restore it from a backup, or choose another DATA_DIR.`,
    );
  if (existing !== null) return existing;
  const draft = `${file}.new`;
  const created = randomBytes(32).toString("hex");
  writeFileSync(draft, `${created}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
  return created;
}

function readSecret(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new EnvironmentError(
      `The file ${file} can't be read (${(error as Error).message}). Give this user access to it, or choose another DATA_DIR.`,
    );
  }
}
