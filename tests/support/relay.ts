import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Puts a TCP relay before a database of the tests, which listens on a Unix socket.
 * @param url of the database
 * @param port 0 lets the system choose one
 */
export async function startRelay(url: string, port = 0) {
  const target = new URL(url.replace("@/", "@127.0.0.1/"));
  const socketFile = `${target.searchParams.get("host")}/.s.PGSQL.5432`;
  const clients = new Set<Socket>();
  let isHanging = false;
  const relay = createServer((client) => {
    const upstream = connect(socketFile);
    clients.add(client);
    client.once("close", () => clients.delete(client));
    if (!isHanging) client.pipe(upstream);
    upstream.pipe(client);
    for (const end of [client, upstream])
      end
        .on("error", () => {})
        .once("close", () => [client, upstream].forEach((it) => it.destroy()));
    client.on("unhang", () => client.pipe(upstream));
  });
  await new Promise<void>((resolve) => relay.listen(port, "127.0.0.1", resolve));
  const stop = () => {
    for (const client of clients) client.destroy();
    relay.close();
  };
  onTestFinished(stop);
  target.port = String((relay.address() as AddressInfo).port);
  target.search = "";
  return {
    url: target.href,
    /** Ends all connections as a crash does, without a word. */
    cut: () => clients.forEach((client) => client.resetAndDestroy()),
    /** Takes connections and statements, but passes none on, as a hung database does. */
    hang() {
      isHanging = true;
      for (const client of clients) client.unpipe();
    },
    resume() {
      isHanging = false;
      for (const client of clients) client.emit("unhang");
    },
  };
}
