import { rmSync } from "node:fs";
import { prepareDatabase, type FirstStart } from "../../app/db/migrate.server";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { appRole } from "../../app/embedded-postgres/postgres-roles.server";
import { testSecret } from "./app-secret";
import { makeDatabaseFolder } from "./database-folder";
import { testPooling } from "./pooler";
import { runSql } from "./run-sql";

/** Addresses of a running cluster; the name of the database in them is to be replaced. */
export type ClusterAddresses = {
  /** Connects as the superuser. */
  adminUrl: string;
  /** Connects as the product's role, through the pooler if there is one. */
  url: string;
  /** The same without the pooler. */
  directUrl?: string;
};

type TestCluster = ClusterAddresses & { stop: () => Promise<void> };

/** Starts a PostgreSQL whose data does not outlive the process. */
export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = makeDatabaseFolder("promo-tests-");
  const cluster = await startEmbeddedPostgres({
    dataDir,
    settings: [
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "max_connections=300",
      // Clients take 3 ms for the usual number.
      "scram_iterations=1",
    ],
  });
  const removeData = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  // An interrupted run never calls stop(), but its process exits.
  process.once("exit", removeData);
  return {
    adminUrl: cluster.ownerUrl,
    url: cluster.url,
    stop: async () => {
      await cluster.stop();
      removeData();
    },
  };
}

/**
 * Creates a migrated database that others are cloned from. As in the embedded database, its tables belong to
 * the superuser.
 */
export async function createTemplate(
  cluster: ClusterAddresses,
  name: string,
  firstStart: Partial<FirstStart> = {},
): Promise<void> {
  await runSql(cluster.adminUrl, `create database ${name}`);
  await prepareEmptyDatabase(ownerUrl(cluster, name), firstStart, appRole);
}

/** Migrates a database without sample data and without an admin, unless they are given. */
export function prepareEmptyDatabase(
  url: string,
  firstStart: Partial<FirstStart> = {},
  appRole: string | null = null,
) {
  const bare = { timeZone: "Europe/Berlin", hasSampleData: false, createAdmin: async () => {} };
  return prepareDatabase(url, { ...bare, ...firstStart }, { appRole });
}

/**
 * Creates a database from a template; no connection to the template may be open. One without tables belongs to
 * the product's role, as that of a DATABASE_URL does.
 */
export async function createDatabase(
  cluster: ClusterAddresses,
  name: string,
  template: string,
): Promise<void> {
  const owner = template === "template0" ? `owner ${appRole}` : "";
  // Copying files takes a third of the time that writing them to the log does.
  await runSql(
    cluster.adminUrl,
    `create database ${name} ${owner} template ${template} strategy file_copy`,
  );
}

export async function dropDatabase(cluster: ClusterAddresses, name: string): Promise<void> {
  await runSql(cluster.adminUrl, `drop database if exists ${name} with (force)`);
}

export function databaseUrl(cluster: ClusterAddresses, name: string): string {
  return withName(cluster.url, name);
}

export function ownerUrl(cluster: ClusterAddresses, name: string): string {
  return withName(cluster.adminUrl, name);
}

/** Returns the variables of the environment with which the product finds a database. */
export function databaseVariables(url: string, { directUrl }: ClusterAddresses) {
  const variables = { DATABASE_URL: url, APP_SECRET: testSecret };
  if (!testPooling || !directUrl) return variables;
  const name = new URL(url).pathname.slice(1);
  const pooling = { DATABASE_POOLING: testPooling, DATABASE_DIRECT_URL: withName(directUrl, name) };
  return { ...variables, ...pooling };
}

const withName = (url: string, name: string) => url.replace(/\/promo_console(?=\?|$)/, `/${name}`);
