import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { connect, disconnect } from "../../app/db/connection.server";
import { loadSecret } from "../../app/db/secret.server";
import { loadSite } from "../../app/db/site.server";
import { readEnvironment } from "../../app/env.server";

/**
 * Gives the test file a migrated database of its own, empty but for the site's settings (time zone
 * Europe/Berlin), with `db()` connected to it. Call it at the top of the file.
 */
export function useDatabase(): void {
  let drop = async () => {};
  beforeAll(async () => {
    const clone = await cloneDatabase();
    drop = clone.drop;
    connect(clone.url);
    loadSecret(readEnvironment({ APP_SECRET: "of the tests and nothing but the tests" }));
    await loadSite();
  });
  afterAll(async () => {
    await disconnect();
    await drop();
  });
}

/** A migrated database that nobody is connected to; `isEmpty` leaves out even the schema. */
export async function cloneDatabase(
  options: { isEmpty?: boolean } = {},
): Promise<{ url: string; adminUrl: string; name: string; drop: () => Promise<void> }> {
  const { adminUrl, url, template } = inject("postgres");
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  const source = options.isEmpty ? "template0" : template;
  await asAdmin(adminUrl, `create database ${name} owner promo_console template ${source}`);
  return {
    name,
    url: url.replace("/promo_console?", `/${name}?`),
    adminUrl: adminUrl.replace("/postgres?", `/${name}?`),
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
