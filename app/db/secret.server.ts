import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Reads a random secret from its file (mode 0600), and creates the file if it is missing. */
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
