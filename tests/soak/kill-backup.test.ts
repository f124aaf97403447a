import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { startEmbeddedPostgres } from "../../app/embedded-postgres/embedded-postgres.server";
import { dataFolder } from "../support/app";
import { backupFile, readManifest, startCommand } from "../support/backups";
import { runSql } from "../support/run-sql";
import { prepareEmptyDatabase } from "../support/test-cluster";

const rounds = 12;
const codes = 300_000;

/** A database whose backup takes seconds. */
async function startLargeDatabase() {
  const dataDir = dataFolder();
  const cluster = await startEmbeddedPostgres({ dataDir });
  onTestFinished(cluster.stop);
  await prepareEmptyDatabase(cluster.ownerUrl);
  await runSql(
    cluster.ownerUrl,
    `insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
     select translate(upper(substr(md5(g::text), 1, 12)), '01', 'XY'), 'Many', 'percentage', 5, false, false
     from generate_series(1, $1) g on conflict do nothing`,
    [codes],
  );
  return cluster.ownerUrl;
}

const environment = (url: string) => ({ DATABASE_URL: url, APP_SECRET: "x".repeat(32) });

it(
  "a backup that is killed leaves no file but an unfinished one, which a restore refuses",
  { timeout: 30_000 * rounds },
  async () => {
    const url = await startLargeDatabase();
    const file = backupFile();
    const folder = path.dirname(file);
    for (let round = 0; round < rounds; round++) {
      const backup = await startCommand("backup", file, environment(url));
      await expect.poll(() => readdirSync(folder).length, { interval: 5 }).toBe(1);
      // Any moment of the writing is the point of this test; nothing is waited for.
      await delay((round * 97) % 900);
      backup.kill();
      expect(await backup.ended).toBe("SIGKILL");
      expect(existsSync(file)).toBe(false);
      const [part = ""] = readdirSync(folder);
      expect(part).toMatch(/^promo\.backup\.[0-9a-f]{8}\.part$/);
      const restore = await startCommand("restore", path.join(folder, part), environment(url));
      expect(await restore.ended).toBe(1);
      expect(restore.output()).toMatch(/ is a backup that was not finished\. /);
      if (round < rounds - 1) rmSync(path.join(folder, part));
    }
    const backup = await startCommand("backup", file, environment(url));
    expect(await backup.ended, backup.output()).toBe(0);
    expect((await readManifest(file)).tables.promotions?.rows).toBeGreaterThan(codes * 0.99);
  },
);

it("a backup whose connection is lost says so and leaves no file", async () => {
  const url = await startLargeDatabase();
  const file = backupFile();
  const backup = await startCommand("backup", file, environment(url));
  await expect.poll(() => readdirSync(path.dirname(file)).length, { interval: 5 }).toBe(1);
  await runSql(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'promo-console backup'",
  );
  expect(await backup.ended).toBe(1);
  expect(backup.output()).toMatch(/^The database reports: .+\.\n$/);
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

it(
  "a restore that is killed leaves an empty database, which the next one fills",
  { timeout: 60_000 * rounds },
  async () => {
    const url = await startLargeDatabase();
    const file = backupFile();
    const backup = await startCommand("backup", file, environment(url));
    expect(await backup.ended, backup.output()).toBe(0);

    const dataDir = dataFolder();
    for (let round = 0; round < rounds; round++) {
      const restore = await startCommand("restore", file, { DATA_DIR: dataDir });
      // Any moment of the restore is the point of this test; nothing is waited for.
      await delay(1_000 + ((round * 397) % 5_000));
      restore.kill();
      expect(await restore.ended, restore.output()).toBe("SIGKILL");
    }
    const restore = await startCommand("restore", file, { DATA_DIR: dataDir });
    expect(await restore.ended, restore.output()).toBe(0);

    const again = backupFile();
    const second = await startCommand("backup", again, { DATA_DIR: dataDir });
    expect(await second.ended, second.output()).toBe(0);
    expect(await readManifest(again)).toEqual(await readManifest(file));
  },
);
