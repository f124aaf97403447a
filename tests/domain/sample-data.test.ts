import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seed } from "../../migrations/seeds/sample-data.js";
import { db } from "../../app/db/connection.server";
import { publishEvents } from "../../app/features/events/publish-events.server";
import { syncMachines } from "../../app/features/machines/sync-machines.server";
import { deleteOldRefusals } from "../../app/features/reports/refusal-retention.server";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import {
  findSampleData,
  removeSampleData,
} from "../../app/features/sample-data/sample-data.server";
import { samplePlatform } from "../../app/services/vending-platform/configured-platform.server";
import { insertMachine } from "../factories/people-and-machines";
import { useActor } from "../support/actor";
import { useImports } from "../support/import-files";
import { useDatabase } from "../support/postgres";
import { changeSettings } from "../factories/settings";

useDatabase();

async function rows<Row>(statement: string): Promise<Row[]> {
  return (await db().raw<{ rows: Row[] }>(statement)).rows;
}

it("fills an empty installation with data that agrees with itself", async () => {
  await db().transaction((transaction) => seed(transaction, "Europe/Berlin"));

  expect(
    await rows(`
      select p.id from promotions p left join transactions t on t.promotion_id = p.id and t.status = 'applied'
      group by p.id
      having count(t.id) <> p.activation_count
        or count(t.id) filter (where t.period_key = p.period_key) <> p.period_uses
    `),
  ).toEqual([]);
  expect(
    await rows(`
      select g.id from mass_generations g join promotions p on p.mass_generation_id = g.id
      group by g.id having count(*) <> g.num_codes
    `),
  ).toEqual([]);
  expect(
    await rows(`
      select s.id from assignment_sets s
      where s.is_assigned <> exists (select from assignments a where a.set_id = s.id)
    `),
  ).toEqual([]);
  expect(
    await rows(`
      select t.id from transactions t join promotions p on p.id = t.promotion_id
      where t.created_at < p.created_at or t.created_at > now()
        or t.created_at >= p.expires_at or t.created_at >= p.deleted_at
    `),
  ).toEqual([]);
  expect(await rows("select created_at from promotions where created_at > now()")).toEqual([]);
  expect(
    await rows(`
      select p.id from promotions p left join audit_log a
        on a.subject_type = 'promotion' and a.subject_id = p.id
      where p.mass_generation_id is null group by p.id
      having count(*) filter (where action = 'promotion.created' and a.created_at = p.created_at) <> 1
        or p.is_active = bool_or(action = 'promotion.deactivated')
        or p.is_deleted <> bool_or(action = 'promotion.deleted' and a.created_at = p.deleted_at)
    `),
  ).toEqual([]);

  const [counts] = await rows<Record<string, number>>(`
    select (select count(*)::int from machines) as machines,
      (select count(*)::int from machines where is_deleted) as deleted,
      (select count(*)::int from machines where last_qr_used_at is null) as unused,
      (select count(*)::int from machine_promotion_counts) as counted,
      (select count(*)::int from promotions where mass_generation_id is null) as singles,
      (select count(*)::int from mass_generations) as generations
  `);
  expect(counts).toMatchObject({
    machines: 25,
    deleted: 1,
    counted: 25,
    singles: 40,
    generations: 2,
  });
  expect(counts?.unused).toBeGreaterThanOrEqual(2);

  const statuses = await rows<{ status: string }>(`
    select distinct case
      when is_deleted then 'deleted' when not is_active then 'inactive'
      when expires_at <= now() then 'expired' when period_uses >= max_uses then 'used_up'
      when not is_assigned then 'not_assigned' else 'active' end as status
    from promotions join assignment_sets s on s.id = set_id order by 1
  `);
  expect(statuses.map((row) => row.status)).toEqual([
    "active",
    "deleted",
    "expired",
    "inactive",
    "not_assigned",
    "used_up",
  ]);
});

it("is no news: only what happens after it becomes events", async () => {
  expect(await publishEvents()).toBe("done");
  expect(await db()("events").pluck("type")).toEqual([]);
});

it("is what the built-in platform lists: the first sync changes nothing", async () => {
  const before = await db()("machines").orderBy("id").select();
  expect(before).toHaveLength(25);
  expect(await syncMachines({ platform: samplePlatform })).toEqual({
    kind: "done",
    flagged: 0,
    held: 0,
  });
  expect(await db()("machines").orderBy("id").select()).toEqual(before);
});

describe("its removal", () => {
  const { actor, options } = useActor();
  const { importAll } = useImports(actor, {
    kind: "assignments",
    heading: "campaign,code,machines,groups",
  });
  const setRetention = (refusal_days: number | null) => changeSettings({ refusal_days });
  beforeAll(async () => {
    await db()("site_settings").update({ sample_data_until: db().fn.now() });
    await setRetention(400);
  });
  afterAll(() => setRetention(null));

  it("leaves a campaign whose machines somebody imported", async () => {
    expect(await findSampleData()).toMatchObject({ staying: [] });
    const { id, name } = await db()("mass_generations").first<{ id: string; name: string }>();
    const single = await db()("promotions")
      .whereNull("mass_generation_id")
      .first<{ id: string; name: string; code: string }>();
    const { serial_number: serial } = await insertMachine();
    await importAll([`#${id},,${serial},`, `,${single.code},${serial},`]);
    expect((await findSampleData())!.staying).toEqual(
      expect.arrayContaining([
        { kind: "campaign", id, name, reason: "changed" },
        { kind: "code", id: single.id, name: single.name, reason: "changed" },
      ]),
    );
  });

  it("leaves no refusals in the figures but those of what stays, whatever their retention", async () => {
    await rebuildSummary();
    await deleteOldRefusals();
    await removeSampleData(options());
    // Comes before the summary is built anew.
    await deleteOldRefusals();
    await rebuildSummary();
    const sums = await db()("daily_activity").where({ machine_id: 0 }).pluck<number[][]>("refused");
    const refused = sums.flat().reduce((sum, number) => sum + number, 0);
    const attempts = db()("redemption_attempts").whereNot({ outcome: "accepted" });
    expect(await attempts.count()).toEqual([{ count: String(refused) }]);
  });
});
