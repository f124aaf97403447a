import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Puts a TCP relay before a database of the tests, which listens on a Unix socket. */
export async function startRelay(url: string) {
  const target = new URL(url.replace("@/", "@127.0.0.1/"));
  const socketFile = `${target.searchParams.get("host")}/.s.PGSQL.5432`;
  /** The connection of each client to the database. */
  const connections = new Map<Socket, Socket>();
  let isHanging = false;
  const relay = createServer((client) => {
    const upstream = connect(socketFile);
    connections.set(client, upstream);
    if (!isHanging) client.pipe(upstream);
    upstream.pipe(client);
    for (const end of [client, upstream])
      end
        .on("error", () => {})
        .once("close", () => {
          connections.delete(client);
          client.destroy();
          upstream.destroy();
        });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => relay.listen(port, "127.0.0.1", resolve));
  const close = () => {
    for (const client of connections.keys()) client.resetAndDestroy();
    relay.close();
  };
  await listen(0);
  onTestFinished(close);
  const { port } = relay.address() as AddressInfo;
  target.port = String(port);
  target.search = "";
  return {
    url: target.href,
    /** Ends all connections as a crash does, without a word, and takes no more. */
    close,
    /** Takes connections again. */
    listen: () => listen(port),
    /** Takes connections and statements, but passes none on, as a hung database does. */
    hang() {
      isHanging = true;
      for (const client of connections.keys()) client.unpipe();
    },
    resume() {
      isHanging = false;
      for (const [client, upstream] of connections) client.pipe(upstream);
    },
  };
}
