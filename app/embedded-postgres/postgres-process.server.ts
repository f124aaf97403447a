import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EnvironmentError } from "../env.server";
import { processOptions, type Account } from "./postgres-paths.server";

const maxLogBytes = 4 * 2 ** 20;

export type Cluster = {
  binaries: string;
  data: string;
  logFile: string;
  /** User that runs the server, if it isn't ours: PostgreSQL refuses to run as root. */
  account: Account | null;
  settings: string[];
  socketFolder: string;
};

export function giveTo(account: Account | null, ...files: string[]): void {
  for (const file of files) if (account) fs.chownSync(file, account.uid, account.gid);
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
  // Appends, so that what an earlier server said stays, and the file can be emptied while this one writes to it.
  const log = fs.openSync(logFile, "a", 0o600);
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
  const logged = Math.max(0, readLines(cluster.logFile).length - 1);
  const child = spawnServer(cluster);
  let failure: string | null = null;
  child.once("error", (error) => (failure = error.message));
  child.once("exit", () => (failure ??= lastComplaint(cluster.logFile, logged)));
  while (failure === null) {
    const [pid, , , , , , , status] = readPidFile(cluster.data);
    if (pid === String(child.pid) && status?.trim() === "ready") return child;
    await delay(10);
  }
  throw new EnvironmentError(`The embedded PostgreSQL did not start: ${failure}`);
}

/**
 * Starts the server and keeps it running until the returned function stops it.
 * @param log told when the server has died and is started again
 */
export async function supervise(
  cluster: Cluster,
  log: (message: string) => void,
): Promise<() => Promise<void>> {
  let child = await startServer(cluster);
  let isStopping = false;
  let restart: Promise<void> | null = null;

  // Runs when this process crashes; after kill -9 the next start finds the orphan. No checkpoint is written, which could
  // destroy what the server of another container has written, if the lock was lost to it.
  const onExit = () => {
    child.kill("SIGQUIT");
    fs.rmSync(cluster.socketFolder, { recursive: true, force: true });
  };
  process.once("exit", onExit);

  const startAgain = async () => {
    for (let wait = 250; !isStopping; wait = Math.min(wait * 2, 2_000)) {
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
    rotateLog(cluster.logFile);
  }, 5_000).unref();

  return async () => {
    isStopping = true;
    clearInterval(look);
    await restart;
    process.off("exit", onExit);
    await stopProcess(child.pid!, () => child.exitCode !== null || child.signalCode !== null);
  };
}

/** Keeps the log within its size: what a large one holds becomes the file beside it, `postgres.log.1`. */
function rotateLog(logFile: string): void {
  try {
    if (fs.statSync(logFile).size < maxLogBytes) return;
    try {
      fs.copyFileSync(logFile, `${logFile}.1`);
    } finally {
      fs.truncateSync(logFile);
    }
  } catch {
    // The log is less important than anything that still works; a full disk has no room for the copy.
  }
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
    const deadline = performance.now() + timeoutMs;
    while (!isGone() && performance.now() < deadline) await delay(10);
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
export async function stopOrphan(cluster: Cluster): Promise<void> {
  const [pid] = readPidFile(cluster.data);
  const postmaster = Number(pid);
  if (isServer(postmaster, cluster.data))
    await stopProcess(postmaster, () => !isServer(postmaster, cluster.data));
  // Without their postmaster the others end by themselves, but PostgreSQL won't start beside them.
  const deadline = performance.now() + 10_000;
  for (;;) {
    const rest = serverProcesses(cluster.data);
    if (rest.length === 0) break;
    if (performance.now() > deadline) for (const other of rest) signal(other, "SIGKILL");
    await delay(20);
  }
  // PostgreSQL would believe any living process of that number to be its predecessor.
  if (process.platform === "linux")
    fs.rmSync(path.join(cluster.data, "postmaster.pid"), { force: true });
}

function readPidFile(data: string): string[] {
  return readLines(path.join(data, "postmaster.pid"));
}

export function readLines(file: string): string[] {
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
  return (stdout ?? "").includes(`-D ${data} `);
}

function serverProcesses(data: string): number[] {
  if (process.platform !== "linux") return [];
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid !== process.pid && isServer(pid, data));
}

/** @param logged the number of lines that were in the log before the start */
function lastComplaint(logFile: string, logged: number): string {
  const lines = readLines(logFile).slice(logged);
  const complaint = lines.findLast((line) => /\b(FATAL|PANIC|ERROR):|error while/.test(line));
  return `${(complaint ?? "it gave no reason").replace(/^.*?(FATAL|PANIC|ERROR): +/, "")} (see ${logFile}).`;
}
