import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import {
  appRole,
  startEmbeddedPostgres,
} from "../../app/embedded-postgres/embedded-postgres.server";
import { resolvePaths, serverAccount } from "../../app/embedded-postgres/postgres-paths.server";
import { giveTo, supervise } from "../../app/embedded-postgres/postgres-process.server";
import { makeDatabaseFolder } from "./database-folder";
import { prepareEmptyDatabase } from "./test-cluster";

const settings = ["wal_level=replica", "max_wal_senders=4", "fsync=off", "max_connections=100"];

/** Starts a PostgreSQL with a migrated database, and a second one that replicates it by streaming. */
export async function startReplication() {
  const folders = [makeDatabaseFolder("promo-primary-"), makeDatabaseFolder("promo-replica-")];
  const [dataDir, replicaDir] = folders as [string, string];
  const first = await startEmbeddedPostgres({ dataDir, settings });
  await prepareEmptyDatabase(first.ownerUrl, {}, appRole);
  await first.stop();

  execFileSync("cp", ["-a", `${dataDir}/postgres`, `${replicaDir}/postgres`]);
  const primary = await startEmbeddedPostgres({ dataDir, settings });
  const account = serverAccount(replicaDir);
  const secret = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
  const { binaries } = resolvePaths("embedded-postgres", replicaDir, secret, account);
  const owner = new URL(primary.ownerUrl.replace("@/", "@localhost/"));
  const data = path.join(replicaDir, "postgres");
  const signal = path.join(data, "standby.signal");
  writeFileSync(signal, "");
  giveTo(account, replicaDir, signal);
  appendFileSync(
    path.join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${owner.searchParams.get("host")} user=postgres password=${owner.password}'\n`,
  );
  const socketFolder = mkdtempSync("/tmp/promo-replica-");
  giveTo(account, socketFolder);
  const toReplica = (url: string) => url.replace(/host=.*$/, `host=${socketFolder}`);
  const start = () =>
    supervise(
      {
        ...{ binaries, data, account, socketFolder },
        logFile: path.join(replicaDir, "postgres.log"),
        // A change that a query is in the way of ends it at once.
        settings: [...settings, "max_standby_streaming_delay=0"],
      },
      () => {},
    );
  let stop = await start();

  return {
    url: primary.url,
    replicaSocket: `${socketFolder}/.s.PGSQL.5432`,
    /** Run a statement as the superuser. */
    onPrimary: (statement: string) => run(primary.ownerUrl, statement),
    onReplica: (statement: string) => run(toReplica(primary.ownerUrl), statement),
    stopReplica: () => stop(),
    async startReplica() {
      stop = await start();
    },
    async close() {
      await stop();
      await primary.stop();
      for (const folder of [...folders, socketFolder])
        rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
