import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ServerBuild } from "@remix-run/node";
import { connect, db, disconnect, isDatabaseUnavailable } from "../db/connection.server";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../embedded-postgres/embedded-postgres.server";
import { isSchemaCurrent, prepareDatabase } from "../db/migrate.server";
import {
  loadOrCreateSecret,
  environment,
  EnvironmentError,
  rememberPort,
  type Environment,
} from "../env.server";
import { loadSite } from "../db/site.server";
import { resumeOperations } from "../features/promotions/lifecycle/lifecycle-operations.server";
import {
  countPromotionsByMachine,
  refreshMachines,
} from "../features/promotions/manage-machines/machine-promotions.server";
import { createFirstAdmin } from "../features/users/users.server";
import { createHttpHandler } from "./http-pipeline.server";

type StartOptions = {
  build: () => Promise<ServerBuild>;
  clientFolder: string;
  /** Only in development: Vite, and the server that it sends its reloads through. */
  middleware?: Parameters<typeof createHttpHandler>[0]["middleware"];
  server?: Server;
};

const shutdownTimeoutMs = 10_000;

/** Starts the product and keeps it running until it is told to stop; ends the process itself. */
export async function start(options: StartOptions): Promise<void> {
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  await run(options).catch(fail);
}

async function run(options: StartOptions): Promise<void> {
  const settings = environment();
  let starting: Promise<EmbeddedPostgres> | null = null;
  let closeServer = async () => {};
  let isStopping = false;
  let canForce = false;

  const stop = async (exitCode: number) => {
    if (isStopping) {
      if (canForce) process.exit(1);
      return;
    }
    isStopping = true;
    // Ctrl-C under npm arrives twice, from the terminal and from npm: that is one wish.
    setTimeout(() => (canForce = true), 1_000).unref();
    await closeServer();
    await Promise.race([disconnect(), delay(2_000)]);
    const embedded = await starting?.catch(() => null);
    await embedded?.stop();
    process.exit(exitCode);
  };
  // Registered first, so that a stop during the start is an orderly one as well.
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));

  try {
    if (settings.databaseUrl === null)
      starting = startEmbeddedPostgres({ dataDir: settings.dataDir, log: print });
    const embedded = await starting;
    if (isStopping) return;
    for (const note of embedded?.notes ?? []) print(note);
    const url = settings.databaseUrl ?? embedded?.url ?? "";
    if (settings.appSecret === null) loadOrCreateSecret(path.join(settings.dataDir, "secret"));
    connect(url, print);

    let isPrepared = await prepare(url, settings);
    const isReady = async () => isPrepared && !isStopping && isSchemaCurrent(db());
    const handle = lazyHandler(options, isReady, () => isPrepared);
    closeServer = await listen(options.server ?? createServer(), handle, settings);

    // A database that is down is waited for; the process answers /healthz meanwhile.
    for (let wait = 500; !isPrepared && !isStopping; wait = Math.min(wait * 2, 10_000)) {
      print("The database can't be reached. Trying again.");
      await delay(wait * (0.75 + Math.random() / 2));
      isPrepared = await prepare(url, settings);
    }
    if (!isStopping) startMaintenance();
    if (!isStopping) print(`Promo Console is ready on ${environment().appOrigin}`);
  } catch (error) {
    if (isStopping) return;
    report(error);
    await stop(1);
  }
}

/**
 * Starts the periodic tasks: machines are synchronised every 5 minutes (RULES M5) and their
 * promotions counted every 2 (RULES M7), and actions that a stopped process left unfinished continue
 * within a minute. No request waits for a task; the next run makes up for one that fails.
 */
function startMaintenance(): void {
  const every = (milliseconds: number, task: () => Promise<unknown>) => {
    const run = () =>
      task().catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) report(error);
      });
    void run();
    setInterval(run, milliseconds).unref();
  };
  every(60_000, resumeOperations);
  every(120_000, countPromotionsByMachine);
  every(300_000, () => refreshMachines({ isAutomatic: true }));
}

/** @returns false when the database can't be reached just now */
async function prepare(url: string, settings: Environment): Promise<boolean> {
  try {
    await prepareDatabase(url, {
      timeZone: settings.timeZone,
      hasSampleData: settings.sampleData,
      createAdmin: async (database) => {
        const admin = await createFirstAdmin(
          { email: settings.adminEmail, password: settings.adminPassword },
          database,
        );
        // Before the commit: after it, a kill would leave a password that nobody has read.
        const password = admin?.password ?? "from ADMIN_PASSWORD";
        if (admin) print(`First sign-in: ${admin.email} with the password ${password}`);
      },
    });
    await loadSite();
    return true;
  } catch (error) {
    if (settings.databaseUrl !== null && isDatabaseUnavailable(error)) return false;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isRefusal = /^(28|3D000$|42501$)/.test(code) && settings.databaseUrl !== null;
    if (!isRefusal) throw error;
    // The driver's message doesn't contain the password of the address.
    throw new EnvironmentError(
      `DATABASE_URL was refused by the database: ${(error as Error).message}.`,
    );
  }
}

/**
 * Creates the handler at the first request: it needs the origin, and with PORT=0 the port is known only
 * when the server listens. Until the database is prepared, it answers 503.
 */
function lazyHandler(
  { build, clientFolder, middleware }: StartOptions,
  isReady: () => Promise<boolean>,
  isPrepared: () => boolean,
) {
  let handler: ReturnType<typeof createHttpHandler> | undefined;
  return (request: IncomingMessage, response: ServerResponse) => {
    const isProbe = request.url === "/healthz" || request.url === "/readyz";
    if (!isPrepared() && !isProbe) {
      response.writeHead(503, {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "private, no-store",
        "Retry-After": "5",
      });
      response.end("Promo Console is waiting for its database.\n");
      return;
    }
    handler ??= createHttpHandler({
      build,
      clientFolder,
      appOrigin: environment().appOrigin,
      trustProxy: environment().trustProxy,
      isReady,
      ...(middleware && { middleware }),
    });
    handler(request, response);
  };
}

/** @returns what stops it: at once for new connections, after at most 10 s for running requests */
async function listen(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  settings: Environment,
): Promise<() => Promise<void>> {
  server.headersTimeout = 15_000;
  server.requestTimeout = 30_000;
  server.maxConnections = 512;
  server.on("request", handle);

  // 'localhost' is 127.0.0.1 for some programs and ::1 for others.
  const isLocal = settings.host === "localhost";
  await listening(server, settings.port, isLocal ? "127.0.0.1" : settings.host);
  const { port } = server.address() as AddressInfo;
  rememberPort(port);
  const second = net.createServer((socket) => server.emit("connection", socket));
  if (isLocal) {
    second.maxConnections = 512;
    await listening(second, port, "::1");
  }

  return async () => {
    if (second.listening) second.close();
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    await Promise.race([closed, delay(shutdownTimeoutMs)]);
    clearInterval(idle);
    server.closeAllConnections();
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

function print(message: string): void {
  process.stdout.write(`${message}\n`);
}

function report(error: unknown): void {
  const isFault = error instanceof Error && !(error instanceof EnvironmentError);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${(isFault && error.stack) || message}\n`);
}

function fail(error: unknown): void {
  report(error);
  process.exit(1);
}
