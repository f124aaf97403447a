import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { backUpDatabase } from "../../app/db/backup.server";
import { connect, db, disconnect, query } from "../../app/db/connection.server";
import { withMigrationLock } from "../../app/db/migration-lock.server";
import { isOutgoingPaused } from "../../app/db/outgoing.server";
import { restoreDatabase } from "../../app/db/restore.server";
import { loadSite } from "../../app/db/site.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { rebuildSummary, refreshSummary } from "../../app/features/reports/summary.server";
import { insertPromotion } from "../factories/promotions";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { insertTransaction } from "../factories/transactions";
import { backupFile, readManifest } from "../support/backups";
import { builtProduct } from "../support/built";
import { assertInvariants } from "../support/invariants";
import { countSessions } from "../support/database-sessions";
import { loadOldDatabase, oldDump } from "../support/old-database";
import { cloneDatabase } from "../support/postgres";
import { readSchema } from "../support/schema";
import { databaseVariables, prepareEmptyDatabase } from "../support/test-cluster";
import { inSoak, isSoak } from "../support/repetitions";

/** A database with rows in most tables, which no test changes for others, and two backups of it. */
let source = "";
let file = "";
/** From before release 1.0.0. */
let oldFile = "";
let dropSource = async () => {};

beforeAll(async () => {
  ({ url: source, drop: dropSource } = await cloneDatabase({ isEmpty: true }));
  await withDatabase(source, loadOldDatabase);
  const folder = mkdtempSync(path.join(tmpdir(), "promo-backup-"));
  oldFile = path.join(folder, "old.backup");
  await backUpDatabase(source, oldFile);
  await prepareEmptyDatabase(source, { timeZone: null });
  // As each restore leaves it, so that contents can be compared.
  await withDatabase(source, () => db()("site_settings").update({ is_outgoing_paused: true }));
  file = path.join(folder, "current.backup");
  await backUpDatabase(source, file);
});
afterAll(async () => {
  rmSync(path.dirname(file), { recursive: true });
  await dropSource();
});

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await cloneDatabase({ isEmpty: true });
  onTestFinished(drop);
  return url;
}

/** A migrated database that has the site's settings only, and its owner's address. */
async function smallDatabase() {
  const clone = await cloneDatabase();
  onTestFinished(clone.drop);
  return clone;
}

async function restoredDatabase(from = file): Promise<string> {
  const url = await emptyDatabase();
  await restoreDatabase(() => url, from, null);
  return url;
}

async function withDatabase<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  connect(url);
  try {
    return await work();
  } finally {
    await disconnect();
  }
}

/** All rows of all tables but the time of a backup, the last ids, and the schema. */
async function contentOf(url: string): Promise<Record<string, unknown>> {
  return withDatabase(url, async () => {
    await db()("site_settings").update({ backed_up_at: null });
    // The tables of migrations have another history, and had other names.
    const read = (source: string) =>
      query<{ name: string; row: string }>(
        db(),
        `select * from (${source}) source where name !~ '^(schema|knex)_migrations' order by 1, 2`,
      );
    const tables = await read(
      "select tablename::text as name, '' as row from pg_tables where schemaname = 'public'",
    );
    const content: Record<string, unknown> = {};
    for (const { name } of tables) {
      const rows = await query<{ row: string }>(
        db(),
        `select t::text as row from ${name} t order by 1`,
      );
      content[name] = rows.map(({ row }) => row);
    }
    content.lastIds = await read(
      "select sequencename::text as name, last_value::text as row from pg_sequences",
    );
    // The first partition of tables that are older than their partitions has indexes with names of its own.
    content.schema = (await readSchema()).filter(
      (definition) => !/^index .* ON public\.\w+_until_/.test(definition),
    );
    return content;
  });
}

describe("a backup", () => {
  it("brings back every row, the last ids, and the whole schema", async () => {
    const copy = backupFile();
    const summary = await backUpDatabase(source, copy);
    expect(summary.rows).toBeGreaterThan(1_000);
    expect(summary.bytes).toBe(statSync(copy).size);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe("600");
    const { tables, identities } = await readManifest(copy);
    expect(identities.filter(({ table }) => !tables[table])).toEqual([]);
    const isNoted = () => db()("site_settings").whereNotNull("backed_up_at");
    expect(await withDatabase(source, isNoted)).toHaveLength(1);

    const target = await emptyDatabase();
    expect(await restoreDatabase(() => target, copy, null)).toMatchObject({
      rows: summary.rows,
      tables: summary.tables,
      leftOut: [],
      hasSameSecret: true,
    });
    expect(await contentOf(target)).toEqual(await contentOf(source));
    await withDatabase(target, async () => {
      await loadSite();
      await insertPromotion();
      await assertInvariants();
    });
  });

  inSoak(it)("is of one moment while codes are redeemed", async () => {
    const copy = backupFile();
    const url = await restoredDatabase();
    connect(url);
    await loadSite();
    const { secret } = await makeKey();
    const target = await insertRedeemable();
    let isRunning = true;
    let accepted = 0;
    const machine = async () => {
      while (isRunning)
        if ((await redeem(request(target), secret)).outcome === "applied") accepted++;
    };
    const machines = Promise.all([machine(), machine(), machine(), machine()]);
    await expect.poll(() => accepted, { interval: 5 }).toBeGreaterThan(20);
    await backUpDatabase(url, copy);
    isRunning = false;
    await machines;
    await disconnect();

    const restored = await restoredDatabase(copy);
    await withDatabase(restored, async () => {
      await assertInvariants();
      const promotion = await db()("promotions").where({ code: target.code }).first();
      expect(promotion.activation_count).toBeGreaterThan(20);
      expect(promotion.activation_count).toBeLessThanOrEqual(accepted);
    });
    const again = backupFile();
    await backUpDatabase(restored, again);
    expect(await readManifest(again)).toEqual(await readManifest(copy));
  });

  it("lets a migration wait until it ends, while machines redeem and instances start", async () => {
    const { url, adminUrl } = await smallDatabase();
    await withDatabase(adminUrl, async () => {
      await loadSite();
      const { secret } = await makeKey();
      const target = await insertRedeemable();
      const redeemed = async () => outcomeOf(await redeem(request(target), secret));
      // Holds the backup up after it has copied the rows.
      const owner = new pg.Client({ connectionString: adminUrl });
      await owner.connect();
      onTestFinished(() => owner.end());
      await owner.query("begin; alter sequence saved_views_id_seq rename to held");
      const backup = backUpDatabase(url, backupFile());
      await expect.poll(() => countSessions("waiting for a lock")).toBe(1);

      let isMigrated = false;
      const migration = withMigrationLock(adminUrl, async (database) => {
        await database.raw("alter table promotions add column added_later text");
        isMigrated = true;
      });
      const migrating = () =>
        db()("pg_stat_activity").where({ application_name: "promo-console migrations" });
      await expect.poll(migrating).not.toEqual([]);
      for (let n = 0; n < 20; n++) expect(await redeemed()).toBe("applied");
      await prepareEmptyDatabase(adminUrl);
      expect([isMigrated, await countSessions("waiting for a lock")]).toEqual([false, 1]);

      await owner.query("rollback");
      await Promise.all([backup, migration]);
      expect(await redeemed()).toBe("applied");
    });
  });

  it("leaves out a month that is being brought back, for which the product has no rights", async () => {
    const { url, adminUrl } = await smallDatabase();
    await withDatabase(adminUrl, () =>
      db().raw("create table transactions_2024_01 (like transactions including all)"),
    );
    const copy = backupFile();
    await backUpDatabase(url, copy);
    const { tables } = await readManifest(copy);
    expect(Object.keys(tables)).toContain("transactions");
    expect(Object.keys(tables)).not.toContain("transactions_2024_01");
  });

  inSoak(it)("of an earlier release becomes what its database became", async () => {
    expect(await contentOf(await restoredDatabase(oldFile))).toEqual(await contentOf(source));
  });

  inSoak(it)("brings back no table of another program", async () => {
    const { adminUrl } = await smallDatabase();
    await withDatabase(adminUrl, () =>
      db().raw(`create table "another/program" as select generate_series(1, 3) as id`),
    );
    const copy = backupFile();
    await backUpDatabase(adminUrl, copy);
    const target = await emptyDatabase();
    const restored = await restoreDatabase(() => target, copy, null);
    expect(restored).toMatchObject({ leftOut: ["another/program"] });
    const found = await withDatabase(target, () =>
      db().raw<{ rows: object[] }>(`select to_regclass('"another/program"') as found`),
    );
    expect(found.rows).toEqual([{ found: null }]);
  });

  it("never replaces a file, and leaves none behind that is not complete", async () => {
    const existing = backupFile();
    writeFileSync(existing, "precious");
    await expect(backUpDatabase(source, existing)).rejects.toThrow(
      `${existing} already exists, and a backup never replaces a file. Choose another name.`,
    );
    expect(readFileSync(existing, "utf8")).toBe("precious");

    const folder = path.dirname(existing);
    await expect(backUpDatabase(source, path.join(folder, "missing/a.backup"))).rejects.toThrow(
      "The backup can't be written (ENOENT",
    );
    const { url, adminUrl } = await smallDatabase();
    await withDatabase(adminUrl, () => db().raw("revoke select on machines from promo_console"));
    await expect(backUpDatabase(url, path.join(folder, "another"))).rejects.toThrow(
      "permission denied",
    );
    expect(readdirSync(folder)).toEqual([path.basename(existing)]);
  });

  it("has no name that a restore takes for an unfinished one", async () => {
    const name = `${backupFile()}.part`;
    await expect(backUpDatabase(source, name)).rejects.toThrow(`Choose another name than ${name}`);
    expect(readdirSync(path.dirname(name))).toEqual([]);
  });

  inSoak(it)(
    "is made by README's line for cron, with values that a shell would read otherwise",
    async () => {
      await builtProduct();
      const folder = path.dirname(backupFile());
      const { url } = await smallDatabase();
      const variables = {
        ...databaseVariables(`${url}&application_name=nightly`, inject("postgres")),
        MAIL_FROM: "Promo Console <promo@example.com>",
        SMTP_URL: "smtp://user:$ecret@localhost:587",
      };
      const lines = Object.entries(variables).map((variable) => variable.join("="));
      writeFileSync(path.join(folder, "promo-console.env"), lines.join("\n"));
      const [, line] = /^15 3 \* \* \* +(.*)$/m.exec(readFileSync("README.md", "utf8"))!;
      const command = line!
        .replaceAll("\\%", "%")
        .replace("/etc/", `${folder}/`)
        .replace("/srv/promo-console/", `${process.cwd()}/`)
        .replace("/backups/", `${folder}/`);
      const { status, stderr } = spawnSync("sh", ["-c", command], {
        cwd: folder,
        env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` } as never,
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
      const [made] = readdirSync(folder).filter((name) => name.endsWith(".backup"));
      expect(made).toMatch(/^promo-\d{4}-\d\d-\d\d\.backup$/);
      await withDatabase(url, async () => {
        expect(await db()("site_settings").pluck("backed_up_at")).not.toEqual([null]);
      });
    },
  );

  it("is not made of a database without tables", async () => {
    await expect(backUpDatabase(await emptyDatabase(), backupFile())).rejects.toThrow(
      "There is nothing to back up: the database has no tables of Promo Console.",
    );
  });
});

describe("a restore", () => {
  it("refuses a file that is damaged, cut, unfinished or no backup, and leaves the database empty", async () => {
    const url = await emptyDatabase();
    const broken = backupFile();
    const damaged = `${broken} is damaged or not complete. Nothing was restored; use another backup.`;
    const onStored = vi.fn();
    const expectRejection = async (content: Buffer | string, message: string) => {
      writeFileSync(broken, content);
      await expect(restoreDatabase(() => url, broken, null, onStored)).rejects.toThrow(message);
    };

    const content = readFileSync(file);
    // This archive is whole, but a row isn't what it was.
    const altered = gunzipSync(content);
    altered.write("beeper", altered.indexOf("keeper@example.com"));
    await expectRejection(gzipSync(altered), damaged);
    await expectRejection(content.subarray(0, -1), damaged);
    if (isSoak) {
      await expectRejection(content.subarray(0, content.length >> 1), damaged);
      content[content.length >> 1]! ^= 1;
      await expectRejection(content, damaged);
    }
    for (const other of ["", "no backup", gzipSync("no backup"), readFileSync(oldDump)])
      await expectRejection(other, `${broken} is not a backup of Promo Console.`);
    await expect(restoreDatabase(() => url, `${broken}.part`, null)).rejects.toThrow(
      `${broken}.part is a backup that was not finished.`,
    );
    await expect(restoreDatabase(() => url, `${broken}.missing`, null)).rejects.toThrow(
      "The backup can't be read (ENOENT",
    );

    expect(onStored).not.toHaveBeenCalled();
    await restoreDatabase(() => url, file, null, onStored);
    expect(onStored).toHaveBeenCalledOnce();
  });

  it("opens no database before it knows that the file can be restored", async () => {
    const wrong = backupFile();
    const open = vi.fn(() => Promise.reject(new Error("opened")));
    await expect(restoreDatabase(open, wrong, null)).rejects.toThrow("can't be read (ENOENT");
    writeFileSync(wrong, "no backup");
    await expect(restoreDatabase(open, wrong, null)).rejects.toThrow("is not a backup");
    expect(open).not.toHaveBeenCalled();
    await expect(restoreDatabase(open, file, null)).rejects.toThrow("opened");
  });

  it("refuses a backup of a newer release", async () => {
    const { adminUrl } = await smallDatabase();
    await withDatabase(adminUrl, () =>
      db()("schema_migrations").insert({ name: "9999-of-a-later-release.js", batch: 2 }),
    );
    const newer = backupFile();
    await backUpDatabase(adminUrl, newer);
    await expect(restoreDatabase(emptyDatabase, newer, null)).rejects.toThrow(
      `${newer} was made by a newer release of Promo Console. Restore it with that release, or a later one.`,
    );
  });

  it("says what to do with a backup of an early release", async () => {
    const { url, drop } = await cloneDatabase({ isEmpty: true });
    onTestFinished(drop);
    const early = backupFile();
    await withDatabase(url, async () => {
      await loadOldDatabase();
      await db()("schema_migrations").where({ name: "0034-key-safety.js" }).delete();
    });
    await backUpDatabase(url, early);
    await expect(restoreDatabase(emptyDatabase, early, null)).rejects.toThrow(
      `${early} is of an early release, which this one can't restore. Restore it with the last release before 1.0.0, back that up, and restore the new file.`,
    );
  });

  inSoak(it)("pauses outgoing messages", async () => {
    const { url } = await smallDatabase();
    const copy = backupFile();
    await backUpDatabase(url, copy);
    const isPaused = (of: string) => withDatabase(of, isOutgoingPaused);
    expect(await isPaused(url)).toBe(false);
    expect(await isPaused(await restoredDatabase(copy))).toBe(true);
  });

  it("refuses a database that is not empty, and changes nothing in it", async () => {
    const before = await contentOf(source);
    await expect(restoreDatabase(() => source, file, null)).rejects.toThrow(
      /^The database is not empty, it has \d+ tables\. /,
    );
    expect(await contentOf(source)).toEqual(before);
  });
});

inSoak(it)("restores the summary, and goes on with it in another cluster", async () => {
  const { url } = await smallDatabase();
  const backup = backupFile();
  await withDatabase(url, async () => {
    await loadSite();
    const { id, machine } = await insertRedeemable();
    const created_at = new Date("2026-06-15T12:00:00Z");
    const redeemed = { promotion_id: id, machine_id: machine.id, created_at };
    await insertTransaction(redeemed);
    await rebuildSummary();
    await insertTransaction(redeemed);
    // The transaction ids of another cluster may be far ahead.
    await db().raw("update activity_summary set marked_xid = '9000000000'");
  });
  await backUpDatabase(url, backup);
  await withDatabase(await restoredDatabase(backup), async () => {
    await loadSite();
    expect(await checkSummary()).toEqual([]);
    await expect.poll(() => refreshSummary()).toBe("done");
    await expect.poll(() => refreshSummary()).toBe("done");
    expect(await db()("daily_activity").where({ machine_id: 0 }).pluck("percentages")).toEqual([2]);
    expect(await checkSummary()).toEqual([]);
  });
});
