import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { EnvironmentError } from "../env.server";
import { openFilesLimit } from "./open-files.js";

/** Limits the connections of the process, since files and the database need some descriptors, too. */
const defaultMaxConnections = 512;
const spareDescriptors = 128;

const slowBodies = new WeakSet<Duplex>();

/** The time in ms that such a body may pause. */
const maxPauseMs = 60_000;

/** Lets the body of a request take longer than others, as long as it keeps arriving. */
export function allowSlowBody(request: IncomingMessage): void {
  const { socket } = request;
  slowBodies.add(socket);
  socket.setTimeout(maxPauseMs);
  request.once("close", () => {
    slowBodies.delete(socket);
    socket.setTimeout(0);
  });
}

const statusLines: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
};

/** Does what Node does by default, but for bodies that may take longer. */
function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const code = error.code ?? "";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT" && slowBodies.has(socket)) return;
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (socket.writable && !answer?.headersSent)
    socket.write(`HTTP/1.1 ${statusLines[code] ?? "400 Bad Request"}\r\nConnection: close\r\n\r\n`);
  socket.destroy();
}

/** Creates a server with the limits on time that a request has to arrive. */
export function createHttpServer(options: ServerOptions = {}): Server {
  return createServer({
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    // The limits above are only looked at this often, and by default every 30 s.
    connectionsCheckingInterval: 1_000,
    ...options,
  }).on("clientError", onClientError);
}

type ListenOptions = {
  host: string;
  port: number;
  /** Proxies keep idle connections for a minute, and one that closes meanwhile loses a request. */
  isBehindProxy: boolean;
  /** Called when the port is known, which the system may have chosen, and before any request. */
  onPort: (port: number) => void;
  /** Called for each connection, unless every peer is a proxy. */
  onConnection: (socket: Socket) => void;
  /** Tells which connections are never closed to make room for others. */
  isExempt: (socket: Socket) => boolean;
  maxConnections?: number;
};

/** How long what runs may take to finish after the last connection was accepted, in ms. */
type FinishTimes = { requestMs: number; downloadMs: number };

export type Listener = {
  /**
   * Answers for so many ms more, each time as the last answer of its connection; then accepts nothing
   * and finishes what runs.
   */
  stop: (drainMs: number, finish?: FinishTimes) => Promise<void>;
};

/** @throws EnvironmentError if the address can't be listened on */
export async function listen(
  server: Server,
  handle: RequestListener,
  { host, port: wantedPort, isBehindProxy, onPort, onConnection, ...options }: ListenOptions,
): Promise<Listener> {
  let isStopping = false;
  const { maxConnections = Math.min(defaultMaxConnections, openFilesLimit() - spareDescriptors) } =
    options;
  const sockets = new Set<Socket>();
  /** Connections on which no request runs, the one that has been idle for longest first. */
  const idle = new Set<Socket>();
  const running = new Set<ServerResponse>();
  server.keepAliveTimeout = isBehindProxy ? 75_000 : 5_000;
  server.on("connection", (socket: Socket) => {
    // Idle connections of strangers would shut everybody else out.
    if (sockets.size >= maxConnections)
      ([...idle].find((other) => !options.isExempt(other)) ?? socket).destroy();
    if (socket.destroyed) return;
    sockets.add(socket);
    idle.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      idle.delete(socket);
    });
    if (!isBehindProxy) onConnection(socket);
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    running.add(response);
    idle.delete(socket);
    // A file that is streamed has eleven: ours and those of its pipeline.
    response.setMaxListeners(20);
    response.once("close", () => {
      running.delete(response);
      if (!socket.destroyed) idle.add(socket);
    });
    if (isStopping) response.shouldKeepAlive = false;
    handle(request, response);
  });

  // 'localhost' is 127.0.0.1 for some programs and ::1 for others.
  const isLocal = host === "localhost";
  await listening(server, wantedPort, isLocal ? "127.0.0.1" : host);
  const { port } = server.address() as AddressInfo;
  onPort(port);
  const second = net.createServer((socket) => server.emit("connection", socket));
  if (isLocal) await listening(second, port, "::1");

  return {
    async stop(drainMs, { requestMs, downloadMs } = { requestMs: 10_000, downloadMs: 60_000 }) {
      isStopping = true;
      for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
      await delay(drainMs);
      // Each counts its own connections.
      const closed = Promise.all(
        [server, second].map((one) => new Promise((resolve) => one.close(resolve))),
      );
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      await Promise.race([closed, delay(requestMs)]);
      // Pages are sent as a whole, so what is still being sent now is a download.
      const downloads = new Set(
        [...running].filter(({ headersSent }) => headersSent).map(({ socket }) => socket),
      );
      for (const socket of sockets) if (!downloads.has(socket)) socket.destroy();
      await Promise.race([closed, delay(downloadMs - requestMs)]);
      clearInterval(idle);
      server.closeAllConnections();
    },
  };
}

async function listening(server: net.Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch(({ code }: NodeJS.ErrnoException) => {
    const messages: Record<string, string> = {
      EADDRINUSE: `PORT is ${port}, but another program already listens there. Stop it, or choose another PORT.`,
      EACCES: `PORT is ${port}, but this user may not listen there.`,
    };
    const noHost = `HOST is "${host}", but this machine can't listen there (${code}).`;
    // Without IPv6 the server listens on 127.0.0.1 alone.
    if (messages[code ?? ""] || host !== "::1")
      throw new EnvironmentError(messages[code ?? ""] ?? noHost);
  });
}
