import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { EnvironmentError } from "../../app/env.server";
import {
  endRestore,
  startEmbeddedPostgres,
} from "../../app/embedded-postgres/embedded-postgres.server";
import { dataFolder, startApp, status } from "../support/app";
import { makeDatabaseFolder } from "../support/database-folder";
import { freePort } from "../support/free-port";
import { embeddedUrl } from "../support/embedded-url";
import { cloneDatabase } from "../support/postgres";
import { prepareEmptyDatabase } from "../support/test-cluster";
import { inSoak } from "../support/repetitions";
import { runSql } from "../support/run-sql";

const secret = "x".repeat(32);
const isRoot = process.getuid?.() === 0;
/** Leaves out the sample data, which is most of a first start. */
const bare = { SAMPLE_DATA: "0" };
/** Shares a build with others, which a secret in a data folder can't. */
const shared = { ...bare, APP_SECRET: secret };

/** A data folder with a migrated database, as an orderly stop leaves it. */
let preparedFolder = "";

beforeAll(async () => {
  const base = makeDatabaseFolder("promo-prepared-");
  // Below a private folder of root's, the database would live elsewhere.
  chmodSync(base, 0o755);
  preparedFolder = path.join(base, "data");
  const cluster = await startEmbeddedPostgres({ dataDir: preparedFolder });
  try {
    await prepareEmptyDatabase(cluster.ownerUrl);
  } finally {
    await cluster.stop();
  }
});
afterAll(() => rmSync(path.dirname(preparedFolder), { recursive: true, force: true }));

/** Copies the prepared folder: a database of its own takes a start most of its time. */
function copyDataFolder(): string {
  const folder = dataFolder();
  // Unlike cpSync it keeps the owner, who is another one when root runs the tests.
  execFileSync("cp", ["-a", preparedFolder, folder]);
  return folder;
}

const startWarm = (environment: Record<string, string>) => startApp(environment, { isWarm: true });

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe("the embedded default", () => {
  it("starts in an empty environment, prints the sign-in once and stops cleanly", async () => {
    const dataDir = dataFolder();
    const first = await startApp({ DATA_DIR: dataDir });
    await first.ready();
    expect(await status(`${first.origin}/healthz`)).toBe(200);
    expect(first.output()).toMatch(
      /First sign-in: admin@example\.com with the password [a-z2-9]{5}(-[a-z2-9]{5}){3}\n/,
    );
    first.signal("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(await status(`${first.origin}/healthz`)).toBe(0);

    const second = await startWarm({ DATA_DIR: dataDir, NODE_ENV: "production" });
    await second.ready();
    expect(second.output()).not.toContain("sign-in");
    const [users] = await runSql<{ count: string }>(
      embeddedUrl(dataDir),
      "select count(*) from users where role = 'admin'",
    );
    expect(users?.count).toBe("1");
    second.signal("SIGINT");
    expect(await second.ended).toBe(0);
  });

  it("is private, refuses a second start, and is not fooled by a lock or a pid file of another", async () => {
    const dataDir = copyDataFolder();
    // The number of that process belongs to another one now.
    writeFileSync(path.join(dataDir, "lock"), `${process.pid} of-another-boot 1\n`);
    const pidFile = path.join(dataDir, "postgres/postmaster.pid");
    writeFileSync(
      pidFile,
      `${process.pid}\n${dataDir}/postgres\n1\n5432\n/nowhere\n\n1 1\nready   \n`,
    );
    const app = await startWarm({ DATA_DIR: dataDir, ...bare });
    await app.ready();
    await expectPrivate(dataDir);

    const before = readFileSync(pidFile, "utf8");
    const second = await startWarm({ DATA_DIR: dataDir, ...bare });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      /^Promo Console is already running on the data in \S+ \(process \d+\)\. Stop it first, or choose another DATA_DIR\.\n$/,
    );
    expect(await status(`${app.origin}/readyz`)).toBe(200);
    expect(readFileSync(pidFile, "utf8")).toBe(before);
  });

  it("refuses to start beside another container on its volume, and leaves the database there alone", async () => {
    const dataDir = copyDataFolder();
    const lock = path.join(dataDir, "lock");
    writeFileSync(lock, "1 its-boot 1 in 1:2 in pid:[1] its-boot\n");
    const pidFile = path.join(dataDir, "postgres/postmaster.pid");
    writeFileSync(pidFile, "23\n");
    const touching = setInterval(() => utimesSync(lock, new Date(), new Date()), 200);
    onTestFinished(() => clearInterval(touching));
    const app = await startWarm({ DATA_DIR: dataDir, ...shared });
    expect(await app.ended).toBe(1);
    expect(app.output()).toBe(
      `The data in ${dataDir} is locked from another container. Waiting up to 20 s to see whether that still runs.\n` +
        `Promo Console is already running on the data in ${dataDir}, in another container. Stop it first, or choose another DATA_DIR. Commands such as backup run in that container.\n`,
    );
    expect(readFileSync(pidFile, "utf8")).toBe("23\n");
  });

  it("finishes what runs when it is told to stop, a start included", async () => {
    const dataDir = copyDataFolder();
    const pidFile = path.join(dataDir, "postgres/postmaster.pid");
    const app = await startWarm({ DATA_DIR: dataDir, ...shared });
    await expect.poll(() => existsSync(pidFile), { timeout: 20_000, interval: 5 }).toBe(true);
    app.signal("SIGTERM");
    expect(await app.ended).toBe(0);
    expect(existsSync(pidFile)).toBe(false);
    expect(existsSync(path.join(dataDir, "lock"))).toBe(false);
  });

  it("stops its database when its terminal closes", async () => {
    const dataDir = copyDataFolder();
    const app = await startWarm({ DATA_DIR: dataDir, ...shared });
    await app.ready();
    app.signal("SIGHUP");
    expect(await app.ended).toBe(0);
    expect(existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
  });

  it("uses its own database where PGPORT and PGSSLMODE are those of another server", async () => {
    const others = { PGPORT: "6543", PGSSLMODE: "require" };
    const app = await startWarm({ DATA_DIR: copyDataFolder(), ...shared, ...others });
    await app.ready();
  });

  it("refuses data of another PostgreSQL, and data that is none, in one sentence", async () => {
    const dataDir = dataFolder();
    mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
    writeFileSync(path.join(dataDir, "postgres-password"), "0".repeat(64));
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new EnvironmentError(
        `The folder ${dataDir}/postgres is not a database. Move it away, or choose another DATA_DIR.`,
      ),
    );
    writeFileSync(path.join(dataDir, "postgres/PG_VERSION"), "17\n");
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new EnvironmentError(
        `The database in ${dataDir}/postgres was made by PostgreSQL 17, and this is PostgreSQL 18. Back it up with the release that made it, and restore it into another DATA_DIR (README, Back up).`,
      ),
    );
  });

  it("refuses a folder whose restore did not finish, until one does", async () => {
    const dataDir = dataFolder();
    const open = async (isRestore: boolean) =>
      (await startEmbeddedPostgres({ dataDir, isRestore })).stop();
    await open(true);
    await expect(open(false)).rejects.toThrow(
      new EnvironmentError(
        `The restore into ${dataDir} did not finish. Run npm run restore again with a complete backup, or choose another DATA_DIR.`,
      ),
    );
    await open(true);
    endRestore(dataDir);
    await open(false);
    await open(true);
    await open(false);
  });

  it("refuses a password that isn't the database's, in one sentence", async () => {
    const dataDir = copyDataFolder();
    writeFileSync(path.join(dataDir, "postgres-admin-password"), "0".repeat(64));
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new EnvironmentError(
        `Neither postgres-admin-password nor postgres-password in ${dataDir} holds the password of the database beside them. Restore them, or choose another DATA_DIR.`,
      ),
    );
  });

  it("refuses a folder that it can't write, and one that can't be, in one sentence", async () => {
    const folder = path.dirname(dataFolder());
    chmodSync(folder, 0o555);
    // Modes don't hold root.
    const folders = [isRoot ? "/sys/promo-console" : path.join(folder, "data"), "/proc/x"];
    for (const dataDir of folders)
      await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
        /^The data folder \S+ can't be used \(.+\)\. Give this user access to it, or choose another DATA_DIR\.$/,
      );
  });

  it("refuses to keep its data in a container, where DATA_VOLUME asks for a volume", async () => {
    const inContainer = await startWarm({
      ...shared,
      DATA_VOLUME: "1",
      DATA_DIR: "/promo-console-data",
    });
    expect(await inContainer.ended).toBe(1);
    expect(inContainer.output()).toBe(
      "The embedded database would be lost with this container. Mount a volume at /promo-console-data, or set DATABASE_URL.\n",
    );
    expect(existsSync("/promo-console-data")).toBe(false);

    // A mounted file system, but none for data.
    const onVolume = await startWarm({ ...shared, DATA_VOLUME: "1", DATA_DIR: "/proc/x" });
    expect(await onVolume.ended).toBe(1);
    expect(onVolume.output()).toMatch(/^The data folder \/proc\/x can't be used /);
  });

  it("says what to do where there is neither a build nor what makes one", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "promo-image-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ["app/server", "app/build-tools", "app/embedded-postgres", "package.json"])
      cpSync(path.resolve(name), path.join(folder, name), { recursive: true });
    const main = path.join(folder, "app/server/main.js");
    const { status, stdout, stderr } = spawnSync(process.execPath, [main], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      'There is no build of these sources, and the packages that make one are not installed. Run "npm ci", or make the image again.\n',
    ]);
  });
});

describe("a wrong environment", () => {
  it("is one sentence and exit code 1", async () => {
    const app = await startWarm({ DATABASE_URL: "postgresql://promo:hunter2@127.0.0.1:9/promo" });
    expect(await app.ended).toBe(1);
    expect(app.output()).toBe(
      "APP_SECRET must be given together with DATABASE_URL, and be at least 32 bytes long.\n",
    );
  });

  it("names a limit of open files that is too low", () => {
    const main = path.resolve("app/server/main.js");
    const command = 'ulimit -n 64 && exec "$0" "$1"';
    const { status, stdout, stderr } = spawnSync(
      "/bin/sh",
      ["-c", command, process.execPath, main],
      { encoding: "utf8" },
    );
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      'This process may open only 64 files at once, but Promo Console needs 256. Raise the limit, for example with "ulimit -n 4096".\n',
    ]);
  });

  inSoak(it)("names a password of the first admin that is easy to guess", async () => {
    const { drop, url } = await cloneDatabase({ isEmpty: true });
    onTestFinished(drop);
    const app = await startWarm({
      DATABASE_URL: url,
      APP_SECRET: secret,
      DATA_DIR: dataFolder(),
      ADMIN_PASSWORD: "password1234",
    });
    expect(await app.ended).toBe(1);
    expect(app.output()).toContain(
      "ADMIN_PASSWORD is not accepted: This is a common password with small changes. Choose another one.\n",
    );
    expect(app.output()).not.toContain("password1234");
  });

  it("names a port that is taken, and leaves nothing running", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const dataDir = copyDataFolder();
    const app = await startWarm({
      ...shared,
      DATA_DIR: dataDir,
      PORT: String(port),
      ADMIN_PASSWORD: "a long password",
    });
    expect(await app.ended).toBe(1);
    expect(app.output()).toContain(
      `PORT is ${port}, but another program already listens there. Stop it, or choose another PORT.\n`,
    );
    expect(() => embeddedUrl(dataDir)).toThrow("ENOENT");
  });
});

/** Fails unless only the app reaches its database: modes, no TCP, a password and a role without rights. */
async function expectPrivate(dataDir: string): Promise<void> {
  expect(mode(dataDir)).toBe(isRoot ? "710" : "700");
  expect(mode(path.join(dataDir, "postgres"))).toBe("700");
  for (const file of [
    "lock",
    "postgres-password",
    "postgres-admin-password",
    "postgres.log",
    "secret",
  ]) {
    expect([file, mode(path.join(dataDir, file))]).toEqual([file, "600"]);
  }
  const url = embeddedUrl(dataDir);
  const socketFolder = new URL(url.replace("@/", "@host/")).searchParams.get("host") ?? "";
  expect(mode(socketFolder)).toBe("700");
  const [settings] = await runSql(
    url,
    `select current_setting('listen_addresses') as addresses, current_setting('data_checksums') as checksums,
      current_setting('server_encoding') as encoding, current_setting('is_superuser') as super,
      (select datcollate from pg_database where datname = current_database()) as collate`,
  );
  expect(settings).toEqual({
    addresses: "",
    checksums: "on",
    encoding: "UTF8",
    super: "off",
    collate: "C",
  });
  await expect(runSql(url, "drop table audit_log")).rejects.toMatchObject({ code: "42501" });
  const wrong = url.replace(/:[0-9a-f]{64}@/, ":password@");
  await expect(runSql(wrong, "select 1")).rejects.toMatchObject({ code: "28P01" });
  const pid = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0];
  if (process.platform === "linux") {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    expect(environment.map((entry) => entry.split("=")[0]).sort()).toEqual(["LC_ALL", "TZ"]);
    expect(listeningSocketsOf(Number(pid))).toEqual([]);
  }
}

function listeningSocketsOf(pid: number): string[] {
  const output = execFileSync("/bin/ls", ["-l", `/proc/${pid}/fd`], { encoding: "utf8" });
  const inodes = new Set([...output.matchAll(/socket:\[(\d+)\]/g)].map((match) => match[1]));
  return ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8")
      .split("\n")
      .filter((line) => inodes.has(line.trim().split(/\s+/)[9])),
  );
}
