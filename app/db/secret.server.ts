import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Environment } from "../env.server";
import { keptSecret } from "./embedded-postgres.server";

let secret: string | undefined;

/** APP_SECRET, or one that is made once and kept in the data folder (0600). */
export function loadSecret({ appSecret: given, dataDir }: Environment): void {
  if (given === null) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  secret = given ?? keptSecret(path.join(dataDir, "secret"));
}

/** What reveals and signs; at least 32 bytes. Nothing in the database can be read without it. */
export function appSecret(): string {
  if (secret === undefined) throw new Error("The secret is not loaded yet");
  return secret;
}
