import { expect, it, onTestFinished } from "vitest";
import { backUpDatabase } from "../../app/db/backup.server";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { restoreDatabase } from "../../app/db/restore.server";
import { loadSite } from "../../app/db/site.server";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { appRole } from "../../app/embedded-postgres/postgres-roles.server";
import { dataFolder } from "../support/app";
import { backupFile, readManifest } from "../support/backups";
import { assertInvariants } from "../support/invariants";
import { reportFigures } from "../support/fault-figures";
import { loadOldDatabase } from "../support/old-database";
import { cloneDatabase } from "../support/postgres";

it("a backup goes to the next major version of PostgreSQL", async () => {
  const current = await cloneDatabase({ isEmpty: true });
  onTestFinished(current.drop);
  connect(current.url);
  await loadOldDatabase();
  await disconnect();
  const first = backupFile();
  await backUpDatabase(current.url, first);

  const before = await startEmbeddedPostgres({
    dataDir: dataFolder(),
    packageName: "embedded-postgres-17",
  });
  onTestFinished(before.stop);
  await restoreDatabase(() => before.ownerUrl, first, appRole);
  const second = backupFile();
  await backUpDatabase(before.url, second);

  const target = await cloneDatabase({ isEmpty: true });
  onTestFinished(target.drop);
  const { rows, tables } = await restoreDatabase(() => target.url, second, null);
  const third = backupFile();
  await backUpDatabase(target.url, third);
  expect(await readManifest(third)).toEqual(await readManifest(second));

  connect(target.url);
  await loadSite();
  expect(await db()("promotions").first()).toBeDefined();
  await assertInvariants();
  await disconnect();
  reportFigures(
    "F28",
    `a backup of the release before, through PostgreSQL 17: ${rows} rows of ${tables} tables, as they were`,
  );
});
