import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { copyToPlacedFolder } from "../../app/embedded-postgres/postgres-paths.server";

/**
 * The address of the embedded database of a running app, for looking into it from outside.
 * @throws when none runs there
 */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  const here = path.join(dataDir, "postgres/postmaster.pid");
  const there = path.join(copyToPlacedFolder(password), "postgres/postmaster.pid");
  const socketFolder = readFileSync(existsSync(here) ? here : there, "utf8").split("\n")[4];
  return `postgresql://promo_console:${password}@/promo_console?host=${encodeURIComponent(socketFolder ?? "")}`;
}
