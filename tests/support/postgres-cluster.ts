import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { prepareDatabase } from "../../app/db/migrate.server";

declare module "vitest" {
  export interface ProvidedContext {
    /** Superuser and owner of the test databases; the name of the database is to be replaced. */
    postgres: { adminUrl: string; url: string; template: string };
  }
}

const template = "promo_template";

/** One PostgreSQL for the whole run, with one migrated database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "promo-tests-"));
  const cluster = await startEmbeddedPostgres({
    dataDir,
    // Nothing here outlives the run.
    settings: [
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "max_connections=100",
    ],
  });
  const removeData = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  // A run that is broken off tears nothing down, but it does exit.
  process.once("exit", removeData);
  const teardown = async () => {
    await cluster.stop();
    removeData();
  };
  try {
    const admin = new pg.Client({ connectionString: cluster.adminUrl });
    await admin.connect();
    await admin.query(`create database ${template} owner promo_console`);
    await admin.end();
    await prepareDatabase(cluster.url.replace("/promo_console?", `/${template}?`), {
      timeZone: "Europe/Berlin",
      hasSampleData: false,
      createAdmin: async () => {},
    });
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("postgres", { adminUrl: cluster.adminUrl, url: cluster.url, template });
  return teardown;
}
