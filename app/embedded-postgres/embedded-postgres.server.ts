import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { loadOrCreateSecret, EnvironmentError } from "../env.server";
import { acquirePidLock } from "./pid-lock.server.js";
import {
  codeOf,
  processOptions,
  resolvePaths,
  run,
  serverAccount,
  type Account,
} from "./postgres-paths.server";

/**
 * The PostgreSQL that comes with the product: a private one in the data folder, reachable by
 * nothing but a Unix socket in a folder of our own.
 *
 * A killed owner leaves its server running. The next start stops that orphan and starts its own:
 * this works whatever became of the socket, and an orderly stop loses nothing.
 */
export type EmbeddedPostgres = {
  /** Connects as a role that owns its database and nothing else. */
  url: string;
  /** Connects as the superuser; the product itself never uses it. */
  adminUrl: string;
  notes: string[];
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop: () => Promise<void>;
};

const majorVersion = "18";
const role = "promo_console";
/** The address of a Unix socket may have 107 bytes (103 on macOS), its own name included. */
const maxSocketFolderLength = 103 - "/.s.PGSQL.5432".length;
const socketFolderStart = "promo-console-";

/**
 * @param options.settings more server settings, as `name=value`
 * @param options.log told when the server has died and is started again
 * @throws EnvironmentError with a sentence when it can't be started
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  settings?: string[];
  log?: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  const { dataDir, settings = [], log = () => {} } = options;
  const notes: string[] = [];
  const undo: (() => void | Promise<void>)[] = [];
  const undoAll = async () => {
    for (const step of undo.reverse()) await step();
  };

  try {
    makePrivateFolder(dataDir);
    undo.push(lockFolder(dataDir, dataDir));
    const passwordFile = path.join(dataDir, "postgres-password");
    if (fs.existsSync(path.join(dataDir, "postgres")) && !fs.existsSync(passwordFile))
      throw new EnvironmentError(
        `The file ${passwordFile} is missing, and the database beside it can't be opened without it. Restore it, or choose another DATA_DIR.`,
      );
    const password = loadOrCreateSecret(passwordFile);
    const account = serverAccount(dataDir);
    const { binaries, folder } = resolvePaths(dataDir, password, account);
    if (folder !== dataDir) {
      notes.push(
        `The user ${account?.name} can't reach ${dataDir}, so the database lives in ${folder}.`,
      );
      undo.push(lockFolder(folder, dataDir));
    }

    const cluster: Cluster = {
      binaries,
      data: path.join(folder, "postgres"),
      logFile: path.join(dataDir, "postgres.log"),
      account,
      settings,
      socketFolder: "",
    };
    assertUsable(cluster);
    await stopOrphan(cluster);
    cluster.socketFolder = makeSocketFolder(path.join(dataDir, "postgres-socket"), account);
    undo.push(() => fs.rmSync(cluster.socketFolder, { recursive: true, force: true }));
    if (!fs.existsSync(cluster.data)) createCluster(cluster, password);

    undo.push(await supervise(cluster, log));
    const address = (user: string, database: string) =>
      `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(cluster.socketFolder)}`;
    const adminUrl = address("postgres", "postgres");
    await createDatabase(adminUrl, password);
    return { url: address(role, role), adminUrl, notes, stop: undoAll };
  } catch (error) {
    await undoAll();
    throw asEnvironmentError(error, dataDir);
  }
}

type Cluster = {
  binaries: string;
  data: string;
  logFile: string;
  /** Who runs the server, when that isn't us: PostgreSQL refuses to run as root. */
  account: Account | null;
  settings: string[];
  socketFolder: string;
};

function makePrivateFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  fs.mkdirSync(folder, { mode: 0o700 });
}

function lockFolder(folder: string, dataDir: string): () => void {
  const lock = acquirePidLock(path.join(folder, "lock"));
  if ("owner" in lock)
    throw new EnvironmentError(
      `Promo Console is already running on the data in ${dataDir} (process ${lock.owner}). Stop it first, or choose another DATA_DIR.`,
    );
  return lock.release;
}

/** @param record a file that remembers the folder, so that one left by a kill is removed */
function makeSocketFolder(record: string, account: Account | null): string {
  const [before = ""] = readLines(record);
  if (path.basename(before).startsWith(socketFolderStart))
    fs.rmSync(before, { recursive: true, force: true });
  const parent = [os.tmpdir(), "/tmp"].find(
    (folder) =>
      Buffer.byteLength(path.join(folder, `${socketFolderStart}XXXXXX`)) <= maxSocketFolderLength,
  );
  const folder = fs.mkdtempSync(path.join(parent ?? "/tmp", socketFolderStart));
  fs.writeFileSync(record, `${folder}\n`, { mode: 0o600 });
  giveTo(account, folder);
  return folder;
}

function giveTo(account: Account | null, ...files: string[]): void {
  for (const file of files) if (account) fs.chownSync(file, account.uid, account.gid);
}

function assertUsable({ data }: Cluster): void {
  if (!fs.existsSync(data)) return;
  const version = readLines(path.join(data, "PG_VERSION"))[0];
  if (version === undefined)
    throw new EnvironmentError(
      `The folder ${data} is not a database. Move it away, or choose another DATA_DIR.`,
    );
  if (version !== majorVersion)
    throw new EnvironmentError(
      `The database in ${data} was made by PostgreSQL ${version}, and this is PostgreSQL ${majorVersion}. Move it away, or choose another DATA_DIR.`,
    );
}

function createCluster(cluster: Cluster, password: string): void {
  const { account, binaries, data, socketFolder } = cluster;
  const draft = `${data}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { mode: 0o700 });
  const passwordFile = path.join(socketFolder, "password");
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  giveTo(account, draft, passwordFile);
  const result = run(
    binaries,
    "initdb",
    [
      `--pgdata=${draft}`,
      "--username=postgres",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
    ],
    account,
  );
  fs.rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    const lines = (result.stderr ?? "").split("\n");
    const reason = lines.findLast((line) => /error|fatal/i.test(line)) ?? "no reason given";
    throw new EnvironmentError(
      `The database could not be made in ${data}: ${result.error?.message ?? reason}`,
    );
  }
  fs.renameSync(draft, data);
  // initdb has synchronised the files; this makes the rename survive a power cut.
  const parent = fs.openSync(path.dirname(data), "r");
  fs.fsyncSync(parent);
  fs.closeSync(parent);
}

async function createDatabase(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const roles = await client.query("select from pg_roles where rolname = $1", [role]);
    if (roles.rowCount === 0)
      await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`);
    const databases = await client.query("select from pg_database where datname = $1", [role]);
    if (databases.rowCount === 0) await client.query(`create database ${role} owner ${role}`);
  } finally {
    await client.end();
  }
}

function spawnServer(cluster: Cluster): ChildProcess {
  const { account, binaries, data, logFile, settings, socketFolder } = cluster;
  const megabytes = Math.round(os.totalmem() / 2 ** 20);
  const sharedBuffers = Math.max(32, Math.min(256, Math.floor(megabytes / 16)));
  const allSettings = [
    "listen_addresses=",
    `unix_socket_directories=${socketFolder}`,
    "unix_socket_permissions=0700",
    "port=5432",
    "max_connections=50",
    `shared_buffers=${sharedBuffers}MB`,
    `effective_cache_size=${Math.max(128, Math.floor(megabytes / 4))}MB`,
    "max_wal_size=512MB",
    "wal_level=minimal",
    "max_wal_senders=0",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_checkpoints=off",
    "jit=off",
    ...settings,
  ];
  // Emptied at each start, so that it never grows for ever.
  const log = fs.openSync(logFile, "w", 0o600);
  const child = spawn(
    path.join(binaries, "bin", "postgres"),
    ["-D", data, ...allSettings.flatMap((setting) => ["-c", setting])],
    {
      ...processOptions(account),
      stdio: ["ignore", log, log],
      // Ctrl-C in a terminal goes to the whole group: the server must outlive our last requests.
      detached: true,
    },
  );
  fs.closeSync(log);
  return child;
}

/** Resolves when it takes connections. Crash recovery may need minutes, so only its end ends the wait. */
async function startServer(cluster: Cluster): Promise<ChildProcess> {
  const child = spawnServer(cluster);
  let failure: string | null = null;
  child.once("error", (error) => (failure = error.message));
  child.once("exit", () => (failure ??= lastComplaint(cluster.logFile)));
  while (failure === null) {
    const [pid, , , , , , , status] = readPidFile(cluster.data);
    if (pid === String(child.pid) && status?.trim() === "ready") return child;
    await delay(10);
  }
  throw new EnvironmentError(`The embedded PostgreSQL did not start: ${failure}`);
}

async function supervise(
  cluster: Cluster,
  log: (message: string) => void,
): Promise<() => Promise<void>> {
  let child = await startServer(cluster);
  let isStopping = false;
  let restart: Promise<void> | null = null;

  // Runs when this process crashes; after kill -9 the next start finds the orphan.
  const onExit = () => {
    child.kill("SIGINT");
    fs.rmSync(cluster.socketFolder, { recursive: true, force: true });
  };
  process.once("exit", onExit);

  const startAgain = async () => {
    for (let wait = 250; !isStopping; wait = Math.min(wait * 2, 15_000)) {
      try {
        await stopOrphan(cluster);
        fs.mkdirSync(cluster.socketFolder, { recursive: true, mode: 0o700 });
        giveTo(cluster.account, cluster.socketFolder);
        child = await startServer(cluster);
        watch();
        log("The embedded PostgreSQL runs again.");
        return;
      } catch (error) {
        log(`${error instanceof Error ? error.message : String(error)} Trying again.`);
        await delay(wait);
      }
    }
  };
  const watch = () =>
    child.once("exit", () => {
      if (isStopping) return;
      log("The embedded PostgreSQL has ended unexpectedly. Starting it again.");
      restart = startAgain().finally(() => (restart = null));
    });
  watch();

  // Something may tidy the temporary folder; without its socket the server is of no use.
  const socket = path.join(cluster.socketFolder, ".s.PGSQL.5432");
  const look = setInterval(() => {
    if (restart === null && !fs.existsSync(socket)) child.kill("SIGINT");
  }, 5_000).unref();

  return async () => {
    isStopping = true;
    clearInterval(look);
    await restart;
    process.off("exit", onExit);
    await stopProcess(child.pid!, () => child.exitCode !== null || child.signalCode !== null);
  };
}

/** Fast, then immediate shutdown, then the kill that recovery also survives. */
async function stopProcess(pid: number, isGone: () => boolean): Promise<void> {
  for (const [kind, timeoutMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 10_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (isGone()) return;
    signal(pid, kind);
    const deadline = Date.now() + timeoutMs;
    while (!isGone() && Date.now() < deadline) await delay(10);
  }
}

function signal(pid: number, kind: NodeJS.Signals): void {
  try {
    process.kill(pid, kind);
  } catch {
    // It has ended in the meantime.
  }
}

/** Stops what a killed owner left running on this data, and forgets its pid file. */
async function stopOrphan(cluster: Cluster): Promise<void> {
  const [pid] = readPidFile(cluster.data);
  const postmaster = Number(pid);
  if (isServer(postmaster, cluster.data))
    await stopProcess(postmaster, () => !isServer(postmaster, cluster.data));
  // Without their postmaster the others end by themselves, but PostgreSQL won't start beside them.
  const deadline = Date.now() + 10_000;
  for (;;) {
    const rest = serverProcesses(cluster.data);
    if (rest.length === 0) break;
    if (Date.now() > deadline) for (const other of rest) signal(other, "SIGKILL");
    await delay(20);
  }
  // PostgreSQL would believe any living process of that number to be its predecessor.
  if (process.platform === "linux")
    fs.rmSync(path.join(cluster.data, "postmaster.pid"), { force: true });
}

function readPidFile(data: string): string[] {
  return readLines(path.join(data, "postmaster.pid"));
}

function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Every process of PostgreSQL works in its data folder. */
function isServer(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (process.platform === "linux") {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data);
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync("/bin/ps", ["-o", "command=", "-p", String(pid)], {
    encoding: "utf8",
  });
  return (stdout ?? "").includes(`-D ${data}`);
}

function serverProcesses(data: string): number[] {
  if (process.platform !== "linux") return [];
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid !== process.pid && isServer(pid, data));
}

function lastComplaint(logFile: string): string {
  const complaint = readLines(logFile).findLast((line) =>
    /\b(FATAL|PANIC|ERROR):|error while/.test(line),
  );
  return `${(complaint ?? "it gave no reason").replace(/^.*?(FATAL|PANIC|ERROR): +/, "")} (see ${logFile}).`;
}

function asEnvironmentError(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new EnvironmentError(
      `The data folder ${dataDir} can't be used (${(error as Error).message}). Give this user access to it, or choose another DATA_DIR.`,
    );
  }
  if (code === "28P01")
    return new EnvironmentError(
      `The file ${path.join(dataDir, "postgres-password")} doesn't hold the password of the database beside it. Restore it, or choose another DATA_DIR.`,
    );
  if (code === "ENOTDIR" || code === "EEXIST")
    return new EnvironmentError(`DATA_DIR is ${JSON.stringify(dataDir)}, but it must be a folder.`);
  if (code === "ENOSPC")
    return new EnvironmentError(`There is no space left on the disk of ${dataDir}.`);
  return error;
}
