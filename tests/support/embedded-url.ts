import { readFileSync } from "node:fs";
import path from "node:path";

/** The address of the embedded database of a running app, for looking into it from outside. */
export function embeddedUrl(dataDir: string): string {
  const socketFolder = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split(
    "\n",
  )[4];
  const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  return `postgresql://promo_console:${password}@/promo_console?host=${encodeURIComponent(socketFolder ?? "")}`;
}
