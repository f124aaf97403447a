import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, db, disconnect, one, query } from "../../app/db/connection.server";
import { makePartitions } from "../../app/db/partitions.server";
import { archiveMonth } from "../../app/features/archived-months/archive-month.server";
import { bringBack } from "../../app/features/archived-months/bring-back.server";
import { addMonths, monthName, monthOf } from "../../app/features/archived-months/month";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { readFeed } from "../../app/features/events/read-events.server";
import { recordRefusals } from "../../app/features/events/record-refusals.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { reportList } from "../../app/features/reports/report-filters";
import { readReport } from "../../app/features/reports/report.server";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { noFiltersOf } from "../../app/lists/list";
import { insertGeneration } from "../factories/promotions";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { openClone } from "../support/postgres";
import { assertInvariants } from "../support/invariants";
import { startRelay } from "../support/relay";
import { inSoak } from "../support/repetitions";
import { rowById } from "../factories/rows";

const folder = mkdtempSync(path.join(tmpdir(), "promo-archive-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = () => path.join(folder, `${files++}.tar.gz`);

const monthAgo = (months: number) => addMonths(monthOf(new Date()), -months);
const [oldest, next, young] = [monthAgo(15), monthAgo(14), monthAgo(13)];

let url = "";
let secret = "";
let actor: Awaited<ReturnType<typeof makeKey>>["actor"];
let target: Awaited<ReturnType<typeof insertRedeemable>>;

/** Opens a database of its own with a code. @returns how it is closed */
async function openDatabase() {
  const database = await openClone({ isOwner: true });
  ({ url } = database);
  ({ secret, actor } = await makeKey());
  target = await insertRedeemable();
  return database.close;
}

/** Redeems and is refused at times of a month, on the borders of the site's months and days, too. */
async function redeemIn(month: string, day = "10 12:00:00+00") {
  const at = new Date(`${month}-${day.replace(" ", "T").replace("+00", "Z")}`);
  const sent = request(target);
  expect(outcomeOf(await redeem(sent, secret, at))).toBe("applied");
  const refused = request({ ...target, code: "ABCDEFGHJKMN" });
  expect(outcomeOf(await redeem(refused, secret, at))).toBe("unknown");
  return { sent, refused };
}

/** @returns the first redemption of the oldest month */
async function fill() {
  const first = await redeemIn(oldest);
  // On the first day of the next month in Berlin.
  await redeemIn(next, "01 00:00:00+00");
  await redeemIn(oldest, "28 23:30:00+00");
  await redeemIn(next);
  await redeemIn(young);
  await redeemIn(monthOf(new Date()), "01 00:00:00+00");
  await summarize();
  return first;
}

async function summarize() {
  await makePartitions();
  await rebuildSummary();
  while ((await recordRefusals()) !== "done") await db().raw("select pg_sleep(0.05)");
  while ((await publishEvents()) !== "done") await db().raw("select pg_sleep(0.05)");
}

const figures = () =>
  query(
    db(),
    `select 'day ' || day || ' ' || machine_id as key, drinks, percentages, percentage_discount, by_hour::text, refused::text
       from daily_activity
     union all
     select 'campaign ' || month || ' ' || campaign_id, redemptions, 0, discount, concat(first_use, last_use), refused::text
       from campaign_activity
     union all
     select 'year ' || year || ' ' || campaign_id, redemptions, 0, discount, concat(first_use, last_use), refused::text
       from campaign_years order by key`,
  );

const counts = async () =>
  (await one<Record<string, number>>(
    db(),
    `select (select count(*)::integer from transactions) as transactions,
       (select count(*)::integer from redemption_attempts) as attempts,
       (select count(*)::integer from events) as events,
       (select count(*)::integer from redemption_ids) as ids`,
  ))!;

describe("an archived month", () => {
  const file = newFile();
  let first: Awaited<ReturnType<typeof redeemIn>>;
  let before: Awaited<ReturnType<typeof figures>>;
  let rows: Awaited<ReturnType<typeof counts>>;
  let archived: Awaited<ReturnType<typeof archiveMonth>>;

  beforeAll(async () => {
    const close = await openDatabase();
    first = await fill();
    [before, rows] = [await figures(), await counts()];
    archived = await archiveMonth(url, oldest, file);
    return close;
  });

  it("is a file with its rows, which are gone, while all figures stay and are checked and built anew", async () => {
    expect(archived).toMatchObject({ month: oldest, transactions: 2, redemptions: 2, attempts: 4 });
    expect(existsSync(file)).toBe(true);
    expect(await counts()).toMatchObject({
      transactions: rows.transactions! - 2,
      attempts: rows.attempts! - 4,
      events: rows.events! - archived.events,
      ids: rows.ids,
    });
    expect(archived.events).toBeGreaterThan(0);
    expect(await figures()).toEqual(before);
    expect(await checkSummary()).toEqual([]);
    await rebuildSummary();
    expect(await figures()).toEqual(before);
    expect(await checkSummary()).toEqual([]);
    await assertInvariants();
    const logged = await db()("audit_log").where({ action: "site.month_archived" });
    expect(logged).toHaveLength(1);
  });

  it("never redeems one of its redemption ids again", async () => {
    const left = await counts();
    for (const sent of [
      first.sent,
      { ...first.sent, originalPrice: 1 },
      { ...first.refused, code: target.code },
    ])
      expect(await redeem(sent, secret)).toEqual({ outcome: "archived" });
    expect(await counts()).toEqual(left);
  });

  it("is not another one: a file that was changed or is of another month is refused", async () => {
    const content = readFileSync(file);
    const damaged = newFile();
    content[Math.floor(content.length * 0.8)]! ^= 255;
    writeFileSync(damaged, content);
    await expect(bringBack(url, damaged)).rejects.toThrow(/damaged|not an archive/);
    await expect(bringBack(url, path.join(folder, "nothing"))).rejects.toThrow(/can't be read/);
    writeFileSync(damaged, "text");
    await expect(bringBack(url, damaged)).rejects.toThrow(/not an archive of Promo Console/);
  });

  it("counts for caps that its campaign gets later", async () => {
    const { version } = (await rowById("promotions", target.id).first<{ version: number }>(
      "version",
    ))!;
    const caps = { ...noCaps, uses: 100, money: 100_000 };
    await editCaps({ type: "promotion", id: target.id }, caps, version, { actor });
    await assertInvariants();
  });
});

describe("a month that is brought back", () => {
  beforeEach(openDatabase);

  it("is attached again, to the last row, and told so the second time", async () => {
    const first = await fill();
    const [before, rows] = [await figures(), await counts()];
    const all = () => query(db(), "select * from transactions t order by id");
    const transactions = await all();
    const files = [newFile(), newFile()];
    await archiveMonth(url, oldest, files[0]!);
    await archiveMonth(url, next, files[1]!);
    expect(await checkSummary()).toEqual([]);
    await rebuildSummary();
    expect(await figures()).toEqual(before);
    for (const file of files) await bringBack(url, file);
    expect(await counts()).toEqual(rows);
    expect(await all()).toEqual(transactions);
    expect(await checkSummary()).toEqual([]);
    await rebuildSummary();
    expect(await figures()).toEqual(before);
    expect((await redeem(first.sent, secret)).outcome).toBe("applied");
    await expect(bringBack(url, files[0]!)).rejects.toThrow(
      `${monthName(oldest)} is not archived: its rows are in the database.`,
    );
    await assertInvariants();
    await archiveMonth(url, oldest, newFile());
    expect(await checkSummary()).toEqual([]);
  });

  inSoak(it)(
    "leaves the first partition of a database that is older than its partitions",
    async () => {
      for (const parent of ["transactions", "redemption_attempts", "events"]) {
        const { rows } = await db().raw<{ rows: { name: string; ends: Date }[] }>(
          "select name, ends from table_partitions where parent = ? and begins <= now() and ends > now()",
          [parent],
        );
        const { name, ends } = rows[0]!;
        await db().raw(`alter table ${parent} detach partition ${name};
        alter table ${parent} attach partition ${name} for values from (minvalue) to ('${ends.toISOString()}')`);
      }
      await fill();
      const [before, rows] = [await figures(), await counts()];
      const file = newFile();
      await archiveMonth(url, oldest, file);
      expect((await counts()).transactions).toBe(rows.transactions! - 2);
      expect(await figures()).toEqual(before);
      expect(await checkSummary()).toEqual([]);
      await bringBack(url, file);
      expect(await counts()).toEqual(rows);
      expect(await checkSummary()).toEqual([]);
      const first = await one<{ begins: string }>(
        db(),
        `select to_char(min(begins) at time zone 'UTC', 'YYYY-MM') as begins from table_partitions
       where parent = 'transactions'`,
      );
      expect(first).toEqual({ begins: oldest });
    },
  );

  inSoak(it)(
    "takes the first partition of an older database along with its last month",
    async () => {
      const names = ["transactions", "redemption_attempts", "events"].map((parent) => {
        const end = addMonths(next, 1);
        return {
          parent,
          name: `${parent}_until_${end.replace("-", "_")}`,
          end: `${end}-01 00:00+00`,
        };
      });
      for (const { parent, name, end } of names)
        await db().raw(
          `create table ${name} partition of ${parent} for values from (minvalue) to ('${end}')`,
        );
      await fill();
      const rows = await counts();
      const files = [newFile(), newFile()];
      await archiveMonth(url, oldest, files[0]!);
      await archiveMonth(url, next, files[1]!);
      const detached = await query(
        db(),
        `select relname from pg_class where relkind = 'r' and not relispartition
         and relname ~ '^(transactions|redemption_attempts|events)_(until|[0-9])'`,
      );
      expect(detached).toEqual([]);
      for (const file of files) await bringBack(url, file);
      expect(await counts()).toEqual(rows);
    },
  );
});

describe("archiving", () => {
  beforeEach(openDatabase);

  it("refuses what is young, newer than others, empty or archived, and leaves no file", async () => {
    await fill();
    const file = newFile();
    const rejects = (month: string, message: string) =>
      expect(archiveMonth(url, month, file)).rejects.toThrow(message);
    await rejects(young, `${monthName(young)} is too young`);
    await rejects(next, `The oldest month goes first: archive ${monthName(oldest)} before`);
    await rejects(monthAgo(20), "has neither transactions nor attempts");
    await rejects("2025-13", "is no month");
    await redeemIn(oldest);
    await rejects(oldest, "The summary is not complete yet");
    expect(existsSync(file)).toBe(false);
    await summarize();
    await archiveMonth(url, oldest, file);
    await rejects(oldest, "is archived already");
    await expect(archiveMonth(url, next, file)).rejects.toThrow("already exists");
  });

  it("is refused while the site has sample data", async () => {
    await db()("site_settings").update({ sample_data_until: new Date() });
    const archiving = archiveMonth(url, oldest, newFile());
    await expect(archiving).rejects.toThrow("Remove the sample data first");
  });

  it("leaves its redemptions in the row of a report of their campaign", async () => {
    const generationId = await insertGeneration();
    target = await insertRedeemable({ mass_generation_id: generationId });
    await fill();
    const days = { from: `${oldest}-01`, to: `${young}-01` };
    const filters = { ...noFiltersOf(reportList.filters), ...days, generationId };
    const page = { sort: reportList.defaultSort, limit: 10, offset: 0 };
    const rows = async () => (await readReport(filters, page)).rows;
    const before = await rows();
    expect(before).toMatchObject([{ id: generationId, redemptions: 4 }]);
    await archiveMonth(url, oldest, newFile());
    expect(await rows()).toEqual(before);
  });

  it("leaves a feed that can be read past a rollback of an archived redemption", async () => {
    await fill();
    const endOfMonth = new Date(`${next}-01T00:00:00Z`).getTime();
    const sent = request(target);
    await redeem(sent, secret, new Date(endOfMonth - 120_000));
    await rollBack(sent.redemptionId, secret, { now: new Date(endOfMonth + 180_000) });
    await redeemIn(next);
    await summarize();
    const query = { after: null, limit: 100, waitMs: 0, reader: { role: "user" } } as const;
    const types = async () => {
      const { events } = await readFeed({ ...query, types: [] }, new AbortController().signal);
      return events.map(({ type }) => type);
    };
    const before = await types();
    expect(before.filter((type) => type === "promotion.rolled_back")).toHaveLength(1);
    const { events: archived } = await archiveMonth(url, oldest, newFile());
    const after = await types();
    expect(after).not.toContain("promotion.rolled_back");
    expect(after).toHaveLength(before.length - archived - 1);
  });

  it("keeps the file when the answer to its commit is lost, and removes rows only beside it", async () => {
    await fill();
    const rows = await counts();
    const file = newFile();
    const relay = await startRelay(url);
    await disconnect();
    connect(relay.url);
    const cut = relay.cutAt("COMMIT");
    const name = monthName(oldest);
    const lost = `The answer of the database was lost, so ${name} may be archived: keep ${file}, and run the command again.`;
    await Promise.all([expect(archiveMonth(url, oldest, file)).rejects.toThrow(lost), cut]);
    await disconnect();
    connect(url);
    const noted = () => db()("archived_months").pluck<boolean[]>("is_removed");
    await expect.poll(noted).toEqual([false]);

    const other = newFile();
    await expect(archiveMonth(url, oldest, other)).rejects.toThrow("can't be read");
    writeFileSync(other, "text");
    await expect(archiveMonth(url, oldest, other)).rejects.toThrow(
      `${other} is not the archive that was made of ${name}.`,
    );
    expect(await noted()).toEqual([false]);
    const done = `${name} was archived before, and what was left of its rows is removed now.`;
    await expect(archiveMonth(url, oldest, file)).rejects.toThrow(done);
    await bringBack(url, file);
    expect(await counts()).toEqual(rows);
  });

  inSoak(it)("is done by one process at a time, while machines redeem", async () => {
    await fill();
    let isDone = false;
    const redeeming = (async () => {
      for (let n = 0; !isDone; n++)
        expect(outcomeOf(await redeem(request(target), secret))).toBe("applied");
    })();
    const results = await Promise.allSettled(
      [1, 2].map(() => archiveMonth(url, oldest, newFile())),
    );
    isDone = true;
    await redeeming;
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await assertInvariants();
  });
});
