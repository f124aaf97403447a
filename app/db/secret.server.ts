import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Environment } from "../env.server";

let secret: string | undefined;

/** Loads APP_SECRET, or creates one once and keeps it in the data folder (mode 0600). */
export function loadSecret({ appSecret: configured, dataDir }: Environment): void {
  if (configured === null) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  secret = configured ?? loadOrCreateSecret(path.join(dataDir, "secret"));
}

/**
 * Returns the secret that signs and encrypts, at least 32 bytes. Nothing encrypted in the database
 * can be read without it.
 */
export function appSecret(): string {
  if (secret === undefined) throw new Error("The secret is not loaded yet");
  return secret;
}

/** Reads a random secret from a file of its own, and creates it when the file is missing. */
export function loadOrCreateSecret(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const draft = `${file}.new`;
  const created = randomBytes(32).toString("hex");
  writeFileSync(draft, `${created}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
  return created;
}
