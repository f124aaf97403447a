import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import {
  isSchemaCurrent,
  knownMigrations,
  prepareDatabase,
  runMigrations,
  type FirstStart,
} from "../../app/db/migrate.server";
import { withMigrationLock } from "../../app/db/migration-lock.server";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { readEvents } from "../../app/features/events/read-events.server";
import { addDeliveries } from "../../app/features/webhooks/webhook-queue.server";
import { insertUser } from "../factories/people-and-machines";
import { rowById } from "../factories/rows";
import { insertWebhook } from "../factories/webhooks";
import { reportFigures, seconds } from "../support/fault-figures";
import { countSessions } from "../support/database-sessions";
import { cloneDatabase } from "../support/postgres";
import { inSoak, isSoak } from "../support/repetitions";
import { runSql } from "../support/run-sql";

const firstStart: FirstStart = {
  timeZone: "Europe/Berlin",
  hasSampleData: false,
  createAdmin: async () => {},
};

let database: Awaited<ReturnType<typeof cloneDatabase>>;

async function useDatabaseOf(options: Parameters<typeof cloneDatabase>[0]): Promise<void> {
  database = await cloneDatabase(options);
  connect(options?.isEmpty ? database.url : database.adminUrl);
}

afterEach(async () => {
  await disconnect();
  await database.drop();
});

describe("prepareDatabase", () => {
  beforeEach(() => useDatabaseOf({ isEmpty: true }));

  it("makes the schema once, however many call it at the same moment", async () => {
    expect(await isSchemaCurrent(db())).toBe(false);
    let admins = 0;
    const createAdmin = async () => void admins++;
    await Promise.all(
      [1, 2, 3, 4].map(() => prepareDatabase(database.url, { ...firstStart, createAdmin })),
    );
    expect(await isSchemaCurrent(db())).toBe(true);
    expect(admins).toBe(1);
    expect(new Set(await db()("schema_migrations").pluck("batch"))).toEqual(new Set([1]));
  });

  it("waits for a migration that a killed process has still running, and not for its lock in knex's table", async () => {
    const zombie = new pg.Client({ connectionString: database.url });
    await zombie.connect();
    await zombie.query(
      `create table schema_migrations_lock (index serial primary key, is_locked integer);
       insert into schema_migrations_lock (is_locked) values (1)`,
    );
    await zombie.query("begin");
    await zombie.query("create table site_settings ()");
    const preparing = prepareDatabase(database.url, firstStart);
    await db().raw("select pg_sleep(0.3)");
    await zombie.query("rollback");
    await zombie.end();
    await preparing;
    expect(await isSchemaCurrent(db())).toBe(true);
  });

  inSoak(it)(
    "marks the codes that were used before, while the release before redeems",
    async () => {
      const marks = "0039-marks-of-uses.js";
      const before = (await knownMigrations()).filter((name) => name < marks);
      await withMigrationLock(database.url, (owner) => runMigrations(owner, before));
      const terms = "name, discount_type, discount_value, is_single_use, is_renewable";
      await db().raw(
        `insert into promotions (code, ${terms}, max_uses, period_uses, activation_count)
       select translate(upper(substr(md5(n::text), 1, 12)), '01', 'XY'), 'Old', 'free_drink', 20, false, false, 20,
         n % 21, n % 21 from generate_series(1, 2500) n`,
      );
      let isMigrating = true;
      const redeemAll = async () => {
        for (let turn = 1; isMigrating; turn++)
          await db().raw(
            `update promotions set activation_count = activation_count + 1, period_uses = period_uses + 1
           where id = ? and period_uses < max_uses`,
            [1 + ((turn * 7) % 2_500)],
          );
      };
      const redeeming = redeemAll();
      await withMigrationLock(database.url, (owner) => runMigrations(owner, [marks]));
      isMigrating = false;
      await redeeming;
      const { rows } = await db().raw<{ rows: object[] }>(
        `select id from promotions where use_rank <> use_rank(activation_count)
         or is_used_up <> (period_uses = 20) or is_partly_used <> (period_uses between 1 and 19)`,
      );
      expect(rows).toEqual([]);
    },
  );

  it("runs a migration again that lost a deadlock against a redemption", async () => {
    const name = "0039-marks-of-uses.js";
    const before = (await knownMigrations()).filter((earlier) => earlier < name);
    await withMigrationLock(database.url, (owner) => runMigrations(owner, before));
    const redemption = new pg.Client({ connectionString: database.url });
    await redemption.connect();
    await redemption.query("begin");
    await redemption.query("select from transactions");
    const migrating = withMigrationLock(database.url, (owner) => runMigrations(owner, [name]));
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    // The session that waited first looks for a deadlock first, after 1 s.
    await redemption.query("select from redemption_attempts");
    await redemption.end();
    await migrating;
    expect(await db()("schema_migrations").where({ name }).count()).toEqual([{ count: "1" }]);
  });

  inSoak(it)(
    "partitions transactions and attempts while the release before redeems, and keeps every redemption",
    async () => {
      const partitions = "0040-partitions-by-month.js";
      const before = (await knownMigrations()).filter((name) => name < partitions);
      await withMigrationLock(database.url, (owner) => runMigrations(owner, before));
      await db().raw(
        `insert into machines (serial_number, human_name) values ('VM-1', 'Hall');
       insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
         values ('ABCDEFGHJKMN', 'Old', 'percentage', 20, false, false)`,
      );
      // The release before wrote it so: it knows no table of redemption ids.
      const redeem = (redemptionId: string, createdAt = "now()") =>
        db().raw(
          `with used as (
           update promotions set activation_count = activation_count + 1, period_uses = period_uses + 1
           where id = (select id from promotions where code = 'ABCDEFGHJKMN') returning id
         ), recorded as (
           insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount, created_at)
           select :redemptionId, used.id, m.id, 'percentage', 100, 20, ${createdAt} from used, machines m
           returning id, redemption_id, created_at
         )
         insert into redemption_attempts (redemption_id, code, serial_number, original_price, outcome, transaction_id, created_at)
         select redemption_id, 'ABCDEFGHJKMN', 'VM-1', 100, 'accepted', id, created_at from recorded`,
          { redemptionId },
        );
      for (let n = 0; n < 300; n++) await redeem(`before ${n}`, `now() - interval '${n} days'`);
      let isMigrating = true;
      let redeemed = 0;
      let slowest = 0;
      const redeemAll = async (client: number) => {
        for (let n = 0; isMigrating; n++) {
          const start = performance.now();
          await redeem(`client ${client} ${n}`);
          slowest = Math.max(slowest, performance.now() - start);
          redeemed++;
        }
      };
      const redeeming = Promise.all([1, 2, 3].map(redeemAll));
      await withMigrationLock(database.url, (owner) => runMigrations(owner, [partitions]));
      isMigrating = false;
      await redeeming;

      expect(redeemed).toBeGreaterThan(0);
      // A lock of redemptions is waited for 1 s.
      if (isSoak) expect(slowest).toBeLessThan(1_000);
      reportFigures(
        "F28",
        `the release before redeems during a migration: ${redeemed} redemptions, the slowest ${seconds(slowest)}`,
      );
      await redeem("after");
      await expect(redeem("before 7")).rejects.toMatchObject({ code: "23505" });
      await expect(redeem("after")).rejects.toMatchObject({ code: "23505" });
      const { rows } = await db().raw<{ rows: object[] }>(
        `select (select count(*)::integer from transactions) as transactions,
         (select count(distinct id)::integer from transactions) as ids,
         (select activation_count from promotions) as uses,
         (select count(*)::integer from redemption_attempts a join redemption_ids r
           on (r.redemption_id, r.attempt_id, r.created_at) = (a.redemption_id, a.id, a.created_at)) as attempts,
         (select count(*)::integer from transactions_default) as in_default,
         (select pg_sequence_last_value('transactions_id_seq') >= max(id) from transactions) as is_next_free`,
      );
      const transactions = 300 + redeemed + 1;
      expect(rows).toEqual([
        {
          transactions,
          ids: transactions,
          uses: transactions,
          attempts: transactions,
          in_default: 0,
          is_next_free: true,
        },
      ]);
      // A second run leaves everything as it is.
      await db()("schema_migrations").where({ name: partitions }).delete();
      await withMigrationLock(database.url, (owner) => runMigrations(owner, [partitions]));
      expect(await db()("transactions").count()).toEqual([{ count: String(transactions) }]);
    },
  );

  inSoak(describe)("while instances of release 1.0.0 run", () => {
    const last = "0047-jobs-and-events-of-instances-before.js";

    /** Runs the migrations before the last one, then `work`, which writes as 1.0.0 does, then the last one. */
    async function migrateAround(work: () => Promise<unknown>): Promise<void> {
      const before = (await knownMigrations()).filter((name) => name < last);
      await withMigrationLock(database.url, (owner) => runMigrations(owner, before));
      await work();
      await withMigrationLock(database.url, (owner) => runMigrations(owner, [last]));
    }

    it("adds the job of a bulk action that they start, before it and after it", async () => {
      let actor: string;
      const operation = async (row: object) => {
        const details = { action: "deactivate", parameters: {}, generation_ids: [], outcome: {} };
        const [inserted] = await db()("lifecycle_operations")
          .insert({ actor_id: actor, ...details, promotion_ids: [1, 2], ...row })
          .returning<{ id: string }[]>("id");
        return inserted!.id;
      };
      const started = { started_at: new Date() };
      const subjects = () => db()("jobs").where({ kind: "bulk_action" }).pluck<string[]>("subject");

      let earlier = "";
      await migrateAround(async () => {
        actor = (await insertUser()).id;
        earlier = await operation(started);
      });
      expect(await subjects()).toEqual([earlier]);

      const later = await operation(started);
      const prepared = await operation({});
      expect(await subjects()).toEqual([earlier, later]);
      await rowById("lifecycle_operations", prepared).update(started);
      await operation({ ...started, done_at: new Date() });
      expect(await subjects()).toEqual([earlier, later, prepared]);
    });

    it("sends the events of mass generations that they create, before it and after it", async () => {
      const generation = {
        name: "Old",
        num_codes: 2,
        discount_type: "percentage",
        discount_value: 20,
      };
      const event = (id: number) => ({
        type: "mass_generation.created",
        subject: `mass_generation:${id}`,
        data: { mass_generation: { id, ...generation } },
      });
      const hooks: string[] = [];
      const insertHook = async (row: Record<string, unknown>) =>
        hooks.push((await insertWebhook(row)).id);
      await migrateAround(async () => {
        await insertHook({ event_types: ["campaign.created"] });
        await db()("events").insert({ position: 1, ...event(1), occurred_at: new Date() });
        await db()("event_log").update({ last_position: 1 });
        await addDeliveries();
        await db()("recorded_events").insert(event(2));
      });
      await db()("recorded_events").insert(event(3));
      await insertHook({ event_types: ["mass_generation.created"], last_position: 0 });
      // Other databases of the cluster may put publishing off.
      await expect
        .poll(async () => {
          await publishEvents();
          return readEvents(db(), "true", {});
        })
        .toHaveLength(3);
      await addDeliveries();

      for (const hook of hooks)
        expect(
          await db()("webhook_deliveries").where({ webhook_id: hook }).orderBy("position"),
        ).toMatchObject(
          [1, 2, 3].map((id) => ({ type: "campaign.created", subject: `mass_generation:${id}` })),
        );
      const events = await readEvents(db(), "true", {});
      expect(events.map((row) => row.event)).toMatchObject(
        [1, 2, 3].map((id) => ({
          type: "campaign.created",
          data: { campaign: { id, type: "mass", code: null, ...generation } },
        })),
      );
    });
  });

  it("opens the installation whole or not at all", async () => {
    const broken = {
      ...firstStart,
      hasSampleData: true,
      createAdmin: () => Promise.reject(new Error("no")),
    };
    await expect(prepareDatabase(database.url, broken)).rejects.toThrow("no");
    expect(await db()("machines").pluck("id")).toEqual([]);
    expect(await db()("site_settings").pluck("time_zone")).toEqual([]);
    await prepareDatabase(database.url, firstStart);
    expect(await db()("site_settings").pluck("time_zone")).toEqual(["Europe/Berlin"]);
  });

  it("refuses a database that is not in UTF-8", async () => {
    const name = `${database.name}_ascii`;
    const { adminUrl } = inject("postgres");
    await runSql(
      adminUrl,
      `create database ${name} owner promo_console template template0
       encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
    );
    const url = database.url.replace(`/${database.name}?`, `/${name}?`);
    await expect(prepareDatabase(url, firstStart)).rejects.toThrow(
      "DATABASE_URL leads to a database in SQL_ASCII, but it must be UTF8.",
    );
    await runSql(adminUrl, `drop database ${name} with (force)`);
  });
});

describe("a database that is migrated", () => {
  beforeEach(() => useDatabaseOf({}));

  it("builds an index concurrently while other instances wait for their turn", async () => {
    const addIndex = () =>
      withMigrationLock(database.adminUrl, (owner) =>
        runMigrations(owner, ["../tests/fixtures/index-concurrently.js"]),
      );
    await Promise.all([1, 2, 3].map(addIndex));
    const indexes = db()("pg_indexes").where({ indexname: "promotions_updated" });
    expect(await indexes.pluck("indexname")).toEqual(["promotions_updated"]);
  });

  it("lets an older release start on a newer schema", async () => {
    await db()("schema_migrations").insert({ name: "9999-of-a-later-release.js", batch: 2 });
    await prepareDatabase(database.adminUrl, firstStart);
    expect(await isSchemaCurrent(db())).toBe(true);
  });

  it("stays current for a running process when the files of the next release appear in its folder", async () => {
    expect(await isSchemaCurrent(db())).toBe(true);
    const readdir = vi
      .spyOn(fs.promises, "readdir")
      .mockImplementation((async () => ["9999-of-the-next-release.js"]) as never);
    syncBuiltinESMExports();
    onTestFinished(() => {
      readdir.mockRestore();
      syncBuiltinESMExports();
    });
    expect(await isSchemaCurrent(db())).toBe(true);
  });

  it("takes the same zone under another of its names, and no other", async () => {
    await prepareDatabase(database.adminUrl, { ...firstStart, timeZone: null });
    await prepareDatabase(database.adminUrl, { ...firstStart, timeZone: "europe/berlin" });
    await expect(
      prepareDatabase(database.adminUrl, { ...firstStart, timeZone: "UTC" }),
    ).rejects.toThrow(
      'TIME_ZONE is "UTC", but this installation has counted its days in Europe/Berlin from the beginning. Leave TIME_ZONE out, or set it to Europe/Berlin.',
    );
  });
});
