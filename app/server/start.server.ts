import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ServerBuild } from "@remix-run/node";
import { connect, db, disconnect, isDatabaseAlive, probeDb } from "../db/connection.server";
import {
  driverMessage,
  isConnectionRejected,
  isDatabaseUnavailable,
  isUnreadableFile,
} from "../db/database-errors.server";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../embedded-postgres/embedded-postgres.server";
import { appRole } from "../embedded-postgres/postgres-roles.server";
import { startReplica, stopReplica } from "../db/replica.server";
import { isSchemaCurrent, prepareDatabase, type FirstStart } from "../db/migrate.server";
import {
  environment,
  EnvironmentError,
  loadEnvironment,
  rememberPort,
  type Environment,
} from "../env.server";
import { appSecret } from "../db/app-secret.server";
import { startJobs } from "../db/job-runner.server";
import { requireRights } from "../db/privileges.server";
import { loadSite } from "../db/site.server";
import { loadAlertCounts } from "../features/alerts/alert-counts.server";
import { endFeedWaits } from "../features/events/read-events.server";
import { writeRefusedKeys } from "../features/integrations/refused-keys.server";
import { sweepMailFiles } from "../features/mail/outbox.server";
import { loadSettings } from "../features/settings/settings.server";
import { writeThrottled } from "../features/redemptions/attempt-counts.server";
import { passwordErrors } from "../features/sign-in/passwords.server";
import { createFirstAdmin } from "../features/sign-in/users.server";
import { backgroundJobs } from "./background-jobs.server";
import { createHttpHandler } from "./http-pipeline.server";
import { createHttpServer, listen, type Listener } from "./listen.server";
import { createLoadLimits, type defaultLimits } from "./load-limits.server";

type StartOptions = {
  build: () => Promise<ServerBuild>;
  clientFolder: string;
  /** Only in development: Vite, and the server that it sends its reloads through. */
  middleware?: Parameters<typeof createHttpHandler>[0]["middleware"];
  server?: Server;
  /** Replaces some of the default limits: tests send many requests from one address. */
  limits?: Partial<typeof defaultLimits>;
};

/** Starts the product and keeps it running until it is told to stop; ends the process itself. */
export async function start(options: StartOptions): Promise<void> {
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  await run(options).catch(fail);
}

async function run(options: StartOptions): Promise<void> {
  const settings = loadEnvironment();
  let starting: Promise<EmbeddedPostgres> | null = null;
  let listener: Listener | null = null;
  let jobs: ReturnType<typeof startJobs> | null = null;
  let stopMaintenance = () => {};
  let isStopping = false;
  let canForce = false;

  const stop = async (exitCode: number, drainMs: number) => {
    if (isStopping) {
      if (canForce) process.exit(1);
      return;
    }
    isStopping = true;
    // Ctrl-C under npm arrives twice, from the terminal and from npm: that is one wish.
    setTimeout(() => (canForce = true), 1_000).unref();
    const listenerStops = listener?.stop(drainMs);
    endFeedWaits();
    await Promise.all([jobs?.stop(), listenerStops]);
    stopMaintenance();
    const writes = Promise.all([writeThrottled(), writeRefusedKeys()]).catch(() => {});
    await Promise.race([writes, delay(1_000)]);
    await Promise.race([Promise.all([disconnect(), stopReplica()]), delay(2_000)]);
    const embedded = await starting?.catch(() => null);
    await embedded?.stop();
    process.exit(exitCode);
  };
  // Registered first, so that a stop during the start is an orderly one as well.
  process.on("SIGTERM", () => void stop(0, settings.drainSeconds * 1_000));
  process.on("SIGINT", () => void stop(0, 0));
  // The terminal was closed.
  process.on("SIGHUP", () => void stop(0, 0));

  try {
    if (settings.databaseUrl === null)
      starting = startEmbeddedPostgres({ dataDir: settings.dataDir, log: print });
    const embedded = await starting;
    if (isStopping) return;
    for (const note of embedded?.notes ?? []) print(note);
    const url = settings.databaseUrl ?? embedded?.url ?? "";
    appSecret();
    connect(url, { log: print, pooling: settings.databasePooling });

    const ownerUrl = embedded?.ownerUrl ?? settings.databaseDirectUrl ?? url;
    let isPrepared = false;
    const limits = createLoadLimits(options.limits);
    listener = await listen(
      options.server ?? createHttpServer(),
      lazyHandler(options, {
        limits,
        isPrepared: () => isPrepared,
        isReady: async () => isPrepared && !isStopping && isSchemaCurrent(probeDb()),
      }),
      {
        ...settings,
        isBehindProxy: settings.trustProxy > 0,
        onPort: rememberPort,
        onConnection: limits.onConnection,
        isExempt: limits.isExempt,
      },
    );

    // Migrations may take minutes, and a database that is down is waited for; the process answers /healthz meanwhile.
    for (let wait = 500; !isStopping; wait = Math.min(wait * 2, 10_000)) {
      const unavailability = await prepare(ownerUrl, settings);
      isPrepared = unavailability === null;
      if (isPrepared || isStopping) break;
      print(`The database can't be reached: ${unavailability} Trying again.`);
      await delay(wait * (0.75 + Math.random() / 2));
    }
    if (!isStopping) stopMaintenance = startMaintenance();
    if (!isStopping) jobs = startJobs(backgroundJobs(print), reportFault);
    if (!isStopping) print(`Promo Console is ready on ${environment().appOrigin}`);
  } catch (error) {
    if (isStopping) return;
    report(error);
    await stop(1, 0);
  }
}

/**
 * Starts what each process does for itself: what was counted in memory is written and the settings are read every
 * 2 seconds (RULES R4, R9, N1), the numbers of alerts every 5 seconds (Q5), and old files of mails are deleted every 10 minutes. The next run makes up for one that fails.
 * @returns a function that ends it
 */
function startMaintenance(): () => void {
  const timers: NodeJS.Timeout[] = [];
  const every = (milliseconds: number, task: () => Promise<unknown>) => {
    const run = () => task().catch(reportFault);
    void run();
    timers.push(setInterval(run, milliseconds).unref());
  };
  every(2_000, writeThrottled);
  every(2_000, writeRefusedKeys);
  every(2_000, loadSettings);
  every(5_000, loadAlertCounts);
  every(600_000, sweepMailFiles);
  return () => timers.forEach(clearInterval);
}

/** @throws EnvironmentError if ADMIN_PASSWORD breaks a rule of passwords (RULES H9) */
async function rejectAdminPassword({ adminEmail, adminPassword }: Environment): Promise<void> {
  if (adminPassword === null) return;
  const values = { newPassword: adminPassword, confirmPassword: adminPassword };
  const { newPassword: error } = await passwordErrors(values, { email: adminEmail });
  if (error !== undefined) throw new EnvironmentError(`ADMIN_PASSWORD is not accepted: ${error}`);
}

/** @returns null; or why the database can't be reached just now, as a sentence */
async function prepare(url: string, settings: Environment): Promise<string | null> {
  let variable = "DATABASE_URL";
  const isDirect = settings.databaseUrl !== null && url !== settings.databaseUrl;
  try {
    // Reports what is wrong with DATABASE_URL before it is compared.
    if (isDirect) {
      await db().raw("select 1");
      variable = "DATABASE_DIRECT_URL";
    }
    const firstStart: FirstStart = {
      timeZone: settings.timeZone,
      hasSampleData: settings.sampleData,
      createAdmin: async (database) => {
        await rejectAdminPassword(settings);
        const admin = await createFirstAdmin(
          { email: settings.adminEmail, password: settings.adminPassword },
          database,
        );
        // Before the commit: after it, a kill would leave a password that nobody has read.
        const password = admin?.password ?? "from ADMIN_PASSWORD";
        if (admin) print(`First sign-in: ${admin.email} with the password ${password}`);
      },
    };
    await prepareDatabase(url, firstStart, {
      appRole: settings.databaseUrl === null ? appRole : null,
      product: isDirect ? db() : null,
    });
    variable = "DATABASE_URL";
    if (settings.databaseUrl !== null) await requireRights(db());
    await loadSite();
    await loadSettings();
    const { databaseReplicaUrl: replicaUrl, databasePooling: pooling } = settings;
    if (replicaUrl !== null) startReplica(replicaUrl, { log: print, pooling });
    return null;
  } catch (error) {
    if (settings.databaseUrl === null) throw error;
    const reason = describeDatabaseError(error);
    if (isUnreadableFile(error))
      throw new EnvironmentError(`${variable} names a file that can't be read: ${reason}`);
    if (isConnectionRejected(error))
      throw new EnvironmentError(`${variable} was refused by the database: ${reason}`);
    if (isDatabaseUnavailable(error)) return reason;
    throw error;
  }
}

/** Returns the reason as the database or the system says it, without the passwords of the addresses. */
export function describeDatabaseError(error: unknown): string {
  // Several addresses that fail together have a message each.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const message = first instanceof Error ? first.message : String(first);
  const { databaseUrl, databaseDirectUrl } = environment();
  const urls = [databaseUrl, databaseDirectUrl].filter((url) => url !== null);
  const passwords = urls.map((url) => new URL(url.replace("@/", "@localhost/")).password);
  // Takes a % that encodes nothing for itself, as pg does.
  const decode = (text: string) => decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  const secrets = passwords.flatMap((password) => [password, decode(password)]).filter(Boolean);
  const reason = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), message);
  return `${driverMessage(reason).replace(/\.$/, "")}.`;
}

/**
 * Creates the handler at the first request: it needs the origin, and with PORT=0 the port is known only
 * when the server listens.
 */
function lazyHandler(
  { build, clientFolder, middleware }: StartOptions,
  state: Pick<Parameters<typeof createHttpHandler>[0], "isPrepared" | "isReady" | "limits">,
) {
  let handler: ReturnType<typeof createHttpHandler> | undefined;
  return (request: IncomingMessage, response: ServerResponse) => {
    handler ??= createHttpHandler({
      build,
      clientFolder,
      appOrigin: environment().appOrigin,
      trustProxy: environment().trustProxy,
      metricsToken: environment().metricsToken,
      isDatabaseAlive,
      ...state,
      ...(middleware && { middleware }),
    });
    handler(request, response);
  };
}

function print(message: string): void {
  process.stdout.write(`${message}\n`);
}

/** Reports an error of a background task; one about a database that is away is known by then. */
function reportFault(error: unknown): void {
  if (!isDatabaseUnavailable(error)) report(error);
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
