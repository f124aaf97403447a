import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { prepareDatabase, type FirstStart } from "../../app/db/migrate.server";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";

/** Addresses of a running cluster; the name of the database in them is to be replaced. */
export type ClusterAddresses = {
  /** Connects as the superuser. */
  adminUrl: string;
  /** Connects as the owner of the test databases. */
  url: string;
};

export type TestCluster = ClusterAddresses & { stop: () => Promise<void> };

/** Starts a PostgreSQL whose data does not outlive the process. */
export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-tests-"));
  const cluster = await startEmbeddedPostgres({
    dataDir,
    settings: [
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "max_connections=100",
    ],
  });
  const removeData = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  // An interrupted run never calls stop(), but its process exits.
  process.once("exit", removeData);
  return {
    adminUrl: cluster.adminUrl,
    url: cluster.url,
    stop: async () => {
      await cluster.stop();
      removeData();
    },
  };
}

/** Creates a migrated database that others are cloned from. */
export async function createTemplate(
  cluster: ClusterAddresses,
  name: string,
  firstStart: Partial<FirstStart> = {},
): Promise<void> {
  await runAsAdmin(cluster, `create database ${name} owner promo_console`);
  await prepareEmptyDatabase(databaseUrl(cluster, name), firstStart);
}

/** Migrates a database without sample data and without an admin, unless they are given. */
export function prepareEmptyDatabase(url: string, firstStart: Partial<FirstStart> = {}) {
  return prepareDatabase(url, {
    timeZone: "Europe/Berlin",
    hasSampleData: false,
    createAdmin: async () => {},
    ...firstStart,
  });
}

/** Creates a database from a template; no connection to the template may be open. */
export async function createDatabase(
  cluster: ClusterAddresses,
  name: string,
  template: string,
): Promise<void> {
  await runAsAdmin(cluster, `create database ${name} owner promo_console template ${template}`);
}

export async function dropDatabase(cluster: ClusterAddresses, name: string): Promise<void> {
  await runAsAdmin(cluster, `drop database if exists ${name} with (force)`);
}

export function databaseUrl(cluster: ClusterAddresses, name: string): string {
  return cluster.url.replace("/promo_console?", `/${name}?`);
}

async function runAsAdmin({ adminUrl }: ClusterAddresses, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
