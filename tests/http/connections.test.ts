import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer, listen } from "../../app/server/listen.server";

const maxConnections = 4;

/** Starts a server for four connections. The first of them counts as that of a machine. */
async function serve(handle: RequestListener) {
  let port = 0;
  let machine: Socket | null = null;
  const listener = await listen(createHttpServer(), handle, {
    host: "127.0.0.1",
    port: 0,
    isBehindProxy: false,
    onPort: (chosen) => (port = chosen),
    onConnection: (socket) => (machine ??= socket),
    isExempt: (socket) => socket === machine,
    maxConnections,
  });
  onTestFinished(() => listener.stop(0, { requestMs: 0, downloadMs: 0 }));
  /** @returns a connection, once the server has accepted it */
  return async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
}

async function request(socket: Socket): Promise<string> {
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString("latin1").split("\r\n")[0]!;
}

it("closes the connection that was idle for longest when there is no room, but none of a machine", async () => {
  const open = await serve((_incoming, response) => response.end("ok"));
  const machine = await open();
  const [first, second, third] = [await open(), await open(), await open()];
  const isClosed = once(second, "close");
  // The first is the last one that did something.
  for (const socket of [machine, second, third, first]) await request(socket);
  expect(await request(await open())).toBe("HTTP/1.1 200 OK");
  await isClosed;
  for (const socket of [machine, third, first]) expect(await request(socket)).toContain("200");
});

it("closes no connection on which a request runs, and turns the new one away", async () => {
  let running = 0;
  const open = await serve(() => (running += 1));
  for (let count = 0; count < maxConnections; count++) {
    const socket = await open();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  await expect.poll(() => running).toBe(maxConnections);
  const refused = await open();
  await once(refused, "close");
  expect(running).toBe(maxConnections);
});
