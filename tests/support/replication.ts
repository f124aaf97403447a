import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { appRole } from "../../app/embedded-postgres/postgres-roles.server";
import { resolvePaths, serverAccount } from "../../app/embedded-postgres/postgres-paths.server";
import { giveTo, supervise } from "../../app/embedded-postgres/postgres-process.server";
import { makeDatabaseFolder } from "./database-folder";
import { runSql } from "./run-sql";
import { prepareEmptyDatabase } from "./test-cluster";

const settings = ["wal_level=replica", "max_wal_senders=4", "fsync=off", "max_connections=100"];

/** Returns an address with the folder of another server's socket. */
const withHost = (url: string, folder: string) => url.replace(/host=.*$/, `host=${folder}`);

/** Starts a PostgreSQL with a migrated database, and a second one that replicates it by streaming. */
export async function startReplication() {
  const dataDir = makeDatabaseFolder("promo-primary-");
  const first = await startEmbeddedPostgres({ dataDir, settings });
  await prepareEmptyDatabase(first.ownerUrl, {}, appRole);
  await first.stop();
  const copies = [makeDatabaseFolder("promo-replica-"), makeDatabaseFolder("promo-replica-")];
  for (const copy of copies) execFileSync("cp", ["-a", `${dataDir}/postgres`, `${copy}/postgres`]);

  const primary = await startEmbeddedPostgres({ dataDir, settings });
  const { url, ownerUrl } = primary;
  const secret = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  const replica = await startStandby(copies[0]!, { ownerUrl, secret });
  let second: Awaited<ReturnType<typeof startStandby>> | null = null;

  return {
    url,
    /** The address of the same database on the replica. */
    replicaUrl: withHost(url, replica.socketFolder),
    replicaSocket: `${replica.socketFolder}/.s.PGSQL.5432`,
    /** Run a statement as the superuser. */
    onPrimary: (statement: string) => runSql(ownerUrl, statement),
    onReplica: (statement: string) => runSql(replica.ownerUrl, statement),
    onSecond: (statement: string) => runSql(second!.ownerUrl, statement),
    stopReplica: replica.stop,
    startReplica: replica.start,
    /** Starts a server that replicates the replica, and returns the address of the same database there. */
    async startSecond(): Promise<string> {
      second = await startStandby(copies[1]!, { ownerUrl: replica.ownerUrl, secret });
      return withHost(url, second.socketFolder);
    },
    async close() {
      await second?.stop();
      await replica.stop();
      await primary.stop();
      const sockets = [replica, second].flatMap((standby) => standby?.socketFolder ?? []);
      for (const folder of [dataDir, ...copies, ...sockets])
        rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Starts a server on a copy of another one's data, which follows the server of an address. */
async function startStandby(folder: string, source: { ownerUrl: string; secret: string }) {
  const account = serverAccount(folder);
  const { binaries } = resolvePaths("embedded-postgres", folder, source.secret, account);
  const { searchParams, password } = new URL(source.ownerUrl.replace("@/", "@localhost/"));
  const data = path.join(folder, "postgres");
  const connection = `host=${searchParams.get("host")} user=postgres password=${password}`;
  writeFileSync(path.join(data, "standby.signal"), "");
  appendFileSync(path.join(data, "postgresql.auto.conf"), `primary_conninfo = '${connection}'\n`);
  const socketFolder = mkdtempSync("/tmp/promo-replica-");
  giveTo(account, folder, path.join(data, "standby.signal"), socketFolder);
  const logFile = path.join(folder, "postgres.log");
  const cluster = { binaries, data, account, socketFolder, logFile, settings };
  const standby = {
    ownerUrl: withHost(source.ownerUrl, socketFolder),
    socketFolder,
    stop: await supervise(cluster, () => {}),
  };
  return {
    ...standby,
    stop: () => standby.stop(),
    async start() {
      standby.stop = await supervise(cluster, () => {});
    },
  };
}
