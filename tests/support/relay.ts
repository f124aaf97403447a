import { onTestFinished } from "vitest";
import { openTcpRelay } from "./tcp-relay";

/** Puts a TCP relay before a database of the tests, which listens on a Unix socket. */
export async function startRelay(url: string) {
  const target = new URL(url.replace("@/", "@127.0.0.1/"));
  const relay = await openTcpRelay({ path: `${target.searchParams.get("host")}/.s.PGSQL.5432` });
  onTestFinished(relay.close);
  target.port = String(relay.port);
  target.search = "";
  return { ...relay, url: target.href };
}
