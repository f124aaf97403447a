import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { sampleMachines } from "../../migrations/seeds/sample-machines.js";

/**
 * A vending platform on loopback that speaks the contract of the real one, for tests and for
 * `npm run dev`, and that can misbehave in every way that is known.
 */

export type ListedMachine = { serialNumber: string; humanName?: string; lastSeen?: string };

export const platformModes = [
  "ok",
  "down",
  "error",
  "slow",
  "garbage",
  "truncated",
  "empty",
  "huge",
  "duplicates",
  "deletions",
  "redirect",
  "gzip-bomb",
] as const;
export type PlatformMode = (typeof platformModes)[number];

/** The environment of a product whose platform nobody answers for: its machines stay as they are. */
export const noPlatform = {
  SMARTVEND_URL: "http://127.0.0.1:1",
  SMARTVEND_API_KEY: "of-the-tests",
};

export type TestPlatform = {
  url: string;
  /** Environment that makes the product use this platform. */
  environment: { SMARTVEND_URL: string; SMARTVEND_API_KEY: string };
  mode: PlatformMode;
  /** Listed machines; well-behaved modes change a part of them. */
  machines: ListedMachine[];
  perPage: number;
  /** Sent as it is instead of a list, whatever the mode. */
  body: string | Buffer | null;
  /** Waited for before each answer. */
  gate: Promise<void>;
  /** Received requests, in order. */
  requests: string[];
  /** The most requests that were ever answered at the same time. */
  maxConcurrent: number;
  /** Addresses that a redirect has led to: none may be. */
  strayed: string[];
  stop(): Promise<void>;
};

/** Machines SN-00000, SN-00001 and so on. */
export const numbered = (count: number, from = 0): ListedMachine[] =>
  Array.from({ length: count }, (_, index) => ({
    serialNumber: `SN-${String(from + index).padStart(5, "0")}`,
    humanName: `Machine ${from + index}`,
  }));

export async function startPlatform({
  mode = "ok",
  machines = sampleMachines,
  port = 0,
}: { mode?: PlatformMode; machines?: ListedMachine[]; port?: number } = {}): Promise<TestPlatform> {
  const apiKey = "key-of-the-test-platform";
  let atOnce = 0;
  const server = createServer((request, response) => {
    platform.maxConcurrent = Math.max(platform.maxConcurrent, ++atOnce);
    response.once("close", () => atOnce--);
    platform.requests.push(request.url ?? "");
    void platform.gate.then(() => answer(platform, request, response, apiKey));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const platform: TestPlatform = {
    url,
    environment: { SMARTVEND_URL: url, SMARTVEND_API_KEY: apiKey },
    mode,
    machines: [...machines],
    perPage: 10_000,
    body: null,
    gate: Promise.resolve(),
    requests: [],
    maxConcurrent: 0,
    strayed: [],
    stop: () => stop(server),
  };
  return platform;
}

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

function answer(
  platform: TestPlatform,
  request: IncomingMessage,
  response: ServerResponse,
  apiKey: string,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", platform.url);
  if (platform.mode === "down") return void request.socket.destroy();
  if (pathname !== "/machines") {
    platform.strayed.push(pathname);
    return send(response, 404, "{}");
  }
  if (request.headers.authorization !== `Bearer ${apiKey}`) return send(response, 401, "{}");
  if (platform.body !== null) return send(response, 200, platform.body);

  switch (platform.mode) {
    case "error":
      return send(response, 500, JSON.stringify({ error: "out of order" }));
    case "garbage":
      return send(response, 200, "<!doctype html><title>Maintenance</title>", "text/html");
    case "truncated":
      return send(response, 200, listing(platform.machines).slice(0, -20));
    case "empty":
      return send(response, 200, listing([]));
    case "redirect":
      response.setHeader("Location", "http://169.254.169.254/latest/meta-data/");
      return send(response, 302, "");
    case "slow":
      return drip(response, listing(platform.machines));
    case "huge":
      return pour(response, `{"machines":[${"1".repeat(8_000_000)}]}`);
    case "gzip-bomb":
      response.setHeader("Content-Encoding", "gzip");
      return send(response, 200, bomb());
    default:
      return sendPage(platform, response, Number(searchParams.get("page")));
  }
}

function sendPage(platform: TestPlatform, response: ServerResponse, page: number): void {
  const { perPage } = platform;
  const listed = machinesIn(platform);
  const shown = listed.slice((page - 1) * perPage, page * perPage);
  send(response, 200, listing(shown, listed.length > page * perPage ? page + 1 : null));
}

function machinesIn({ mode, machines }: TestPlatform): ListedMachine[] {
  if (mode === "duplicates")
    return machines.flatMap((machine, index) => [
      machine,
      index % 5 === 0 ? { ...machine, humanName: `${machine.humanName} (copy)` } : machine,
    ]);
  if (mode === "deletions") return machines.slice(0, Math.floor(machines.length / 2));
  return machines;
}

function listing(machines: ListedMachine[], nextPage: number | null = null): string {
  return JSON.stringify({ machines, ...(nextPage !== null && { nextPage }) });
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = "application/json",
): void {
  response.writeHead(status, { "Content-Type": type });
  response.end(body);
}

/** One byte a second. */
function drip(response: ServerResponse, body: string): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  let sent = 0;
  const timer = setInterval(() => response.write(body.charAt(sent++)), 1_000);
  response.once("close", () => clearInterval(timer));
}

/** Writes the body as fast as it is read. */
function pour(response: ServerResponse, body: string): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.once("error", () => {});
  response.end(body);
}

let packed: Buffer | undefined;

/** 300 MB of blanks in 300 kB: a part again and again, because packing all of it takes its time. */
function bomb(): Buffer {
  packed ??= Buffer.concat(Array(30).fill(gzipSync(Buffer.alloc(10_000_000, " "))));
  return packed;
}
