import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { copyToPlacedFolder } from "../../app/embedded-postgres/postgres-paths.server";

/**
 * The address of the embedded database of a running app, for looking into it from outside.
 * @throws when none runs there
 */
export function embeddedUrl(dataDir: string, { isOwner = false } = {}): string {
  const secret = (name: string) => readFileSync(path.join(dataDir, name), "utf8").trim();
  const password = secret("postgres-password");
  const user = isOwner
    ? `postgres:${secret("postgres-admin-password")}`
    : `promo_console:${password}`;
  const here = path.join(dataDir, "postgres/postmaster.pid");
  const there = path.join(copyToPlacedFolder(password), "postgres/postmaster.pid");
  const socketFolder = readFileSync(existsSync(here) ? here : there, "utf8").split("\n")[4];
  return `postgresql://${user}@/promo_console?host=${encodeURIComponent(socketFolder ?? "")}`;
}
