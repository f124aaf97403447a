import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Puts a relay of TCP connections, which can be cut, before a server on a port or a Unix socket. */
export async function openTcpRelay<
  Target extends { port: number; host: string } | { path: string },
>(target: Target) {
  /** The connection of each client to the server. */
  const connections = new Map<Socket, Socket>();
  let isHanging = false;
  let isCut = false;
  /** Connections that were attempted while it was cut, and the time in ms of the last one, or of the cut. */
  let attempts = 0;
  let lastAttempt = 0;
  let watch = (_client: Socket) => {};
  const resetAll = () => {
    for (const client of connections.keys()) client.resetAndDestroy();
  };
  const cut = () => {
    isCut = true;
    lastAttempt = Date.now();
    resetAll();
  };
  const relay = createServer((client) => {
    if (isCut) {
      attempts += 1;
      lastAttempt = Date.now();
      client.on("error", () => {}).resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    connections.set(client, upstream);
    if (!isHanging) client.pipe(upstream);
    upstream.pipe(client);
    watch(client);
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
  await listen(0);
  const { port } = relay.address() as AddressInfo;
  return {
    port,
    target,
    /** Ends all connections as a crash does, without a word, and takes no more. */
    close() {
      resetAll();
      relay.close();
    },
    /** Takes connections again. */
    listen: () => listen(port),
    /** Takes connections and bytes, but passes none on. */
    hang() {
      isHanging = true;
      for (const client of connections.keys()) client.unpipe();
    },
    /** Resets all connections, and each new one at once. */
    cut,
    /** Cuts, and resolves, as soon as a client sends a text: the server may get it, but its answer is lost. */
    cutAt: (text: string) =>
      new Promise<void>((resolve) => {
        watch = (client) =>
          client.on("data", (chunk) => {
            if (isCut || !chunk.includes(text)) return;
            watch = () => {};
            cut();
            resolve();
          });
        for (const client of connections.keys()) watch(client);
      }),
    /** Passes connections on again. */
    mend() {
      isCut = false;
    },
    /** How many connections were attempted while it was cut. */
    attempts: () => attempts,
    /** For how many ms no connection has been attempted since it was cut. */
    quietFor: () => Date.now() - lastAttempt,
    resume() {
      isHanging = false;
      for (const [client, upstream] of connections) client.pipe(upstream);
    },
  };
}
