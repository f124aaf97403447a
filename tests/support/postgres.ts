import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import { connect, disconnect } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { loadSettings } from "../../app/features/settings/settings.server";
import { testPooling } from "./pooler";
import { createDatabase, databaseUrl, dropDatabase, ownerUrl } from "./test-cluster";

/**
 * Gives the test file a migrated database of its own, empty but for the site's settings (time zone
 * Europe/Berlin), with `db()` connected to it. Call it at the top of the file.
 * @param options.isOwner for tests that do what the product's role may not: truncate or create tables
 */
export function useDatabase(options: { isOwner?: boolean } = {}): void {
  let close = async () => {};
  beforeAll(async () => {
    ({ close } = await openClone(options));
  });
  afterAll(() => close());
}

/** Connects `db()` to a migrated database of its own. */
export async function openClone(
  options: { isOwner?: boolean } = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const clone = await cloneDatabase();
  const url = options.isOwner ? clone.adminUrl : clone.url;
  connect(url, { pooling: options.isOwner ? "session" : testPooling });
  await loadSite();
  // Those of another file of this process are of another database.
  await loadSettings();
  return {
    url,
    close: async () => {
      await disconnect();
      await clone.drop();
    },
  };
}

/** Creates a migrated database that nobody is connected to; `isEmpty` leaves out even the schema. */
export async function cloneDatabase(
  options: { isEmpty?: boolean } = {},
): Promise<{ url: string; adminUrl: string; name: string; drop: () => Promise<void> }> {
  const { template, ...cluster } = inject("postgres");
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await createDatabase(cluster, name, options.isEmpty ? "template0" : template);
  return {
    name,
    url: databaseUrl(cluster, name),
    adminUrl: ownerUrl(cluster, name),
    drop: () => dropDatabase(cluster, name),
  };
}
