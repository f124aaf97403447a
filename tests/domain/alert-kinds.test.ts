import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { alertKinds } from "../../app/features/alerts/alert-kinds.server";
import { updateAlerts } from "../../app/features/alerts/update-alerts.server";
import { listUnassignedCampaigns } from "../../app/features/promotions/campaigns-to-mend.server";
import { rebuildSummary } from "../../app/features/reports/summary.server";
import { alertRows, insertRedemptions, insertRefusedUse, type AlertRow } from "../factories/alerts";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertMachines } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { makeKey } from "../factories/redemptions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { alertCases, usedCampaign, type ArrangedAlert } from "../support/alert-cases";
import { useDatabase } from "../support/postgres";
import { ago, rowById } from "../factories/rows";

useDatabase();

describe("an alert", () => {
  const raised: AlertRow[][] = [];
  const cleared: AlertRow[][] = [];
  const arranged: ArrangedAlert[] = [];
  const readAll = () =>
    Promise.all(alertCases.map(({ kind }, index) => alertRows(kind, arranged[index]!.subject)));

  beforeAll(async () => {
    for (const { arrange } of alertCases) arranged.push(await arrange());
    await rebuildSummary();
    for (let run = 0; run < 2; run++) await updateAlerts();
    raised.push(...(await readAll()));
    for (const { mend } of arranged) await mend();
    await updateAlerts();
    cleared.push(...(await readAll()));
  });

  it.each(alertCases.map(({ kind, what }, index): [string, string, number] => [kind, what, index]))(
    "of the kind %s is raised by %s, once, and cleared when it is mended",
    (_kind, _what, index) => {
      expect(raised[index]).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(arranged[index]!.message),
          clearedAt: null,
        }),
      ]);
      expect(cleared[index]).toEqual([expect.objectContaining({ clearedAt: expect.any(Date) })]);
    },
  );

  it("has a case of each kind", () => {
    expect([...new Set(alertCases.map(({ kind }) => kind))].sort()).toEqual(
      Object.keys(alertKinds).sort(),
    );
  });
});

it("counts the uses of campaigns with more than 26 million", async () => {
  const drinks = { discount_type: "free_drink", discount_value: 1_000 };
  const id = await insertGeneration({ ...drinks, num_codes: 100_000 });
  const [promotion_id = ""] = await insertCodes(id, 1, drinks);
  await insertTransaction({ promotion_id, machine_id: (await insertMachine()).id });
  await rebuildSummary();
  expect(await alertKinds.campaign_nearly_used.find()).toEqual(expect.any(Array));
});

it("counts the uses of a year that begins at the site before it does in the database's zone", async () => {
  const { subject } = await usedCampaign(8)();
  const year = `${new Date().getUTCFullYear() + 1}-01-01`;
  await db()("campaign_years")
    .where({ campaign_id: `-${subject.split(":")[1]}` })
    .update({ year });
  const found = await alertKinds.campaign_nearly_used.find();
  expect(found!.map((alert) => alert.subject)).toContain(subject);
});

describe("no alert is raised", () => {
  beforeAll(async () => {
    await updateAlerts();
  });

  it("raises no alert of deleted and inactive campaigns, expired and used up codes, and deleted machines", async () => {
    const before = await db()("alerts").pluck("id");
    const gone = { is_deleted: true, deleted_at: ago("0") };
    const soon = { expires_at: ago("-1 day") };
    await insertPromotion({ ...soon, ...gone });
    await insertPromotion({ ...soon, is_active: false });
    await insertPromotion({ expires_at: ago("1 day") });
    await insertPromotion({ is_single_use: true, period_uses: 1, activation_count: 1 });
    await insertGeneration({ ...soon, ...gone });
    await insertGeneration({ ...soon, is_active: false });
    const machine = await insertMachine({ is_deleted: true });
    for (const days of [6, 5, 4, 3, 2]) await insertRedemptions(1, `${days} days`, machine.id);
    await insertRefusals(30, { machine_id: machine.id, outcome: "machine_unknown" });
    const burst = await insertRedemptions(21, "1 minute", (await insertMachine()).id);
    await rowById("promotions", burst).update(gone);
    await updateAlerts();
    expect(await db()("alerts").pluck("id")).toEqual(before);
  });

  it("that a campaign ends soon whose codes are all used up", async () => {
    const id = await insertGeneration({
      expires_at: ago("-1 day"),
      num_codes: 2,
      is_assigned: true,
    });
    const used = { is_single_use: true, max_uses: 1, period_uses: 1, activation_count: 1 };
    const [code] = await insertCodes(id, 2, used);
    const find = async () =>
      (await alertKinds.campaign_ending.find())!.map(({ subject }) => subject);
    expect(await find()).not.toContain(`mass_generation:${id}`);
    await rowById("promotions", code).update({ period_uses: 0, activation_count: 0 });
    expect(await find()).toContain(`mass_generation:${id}`);
  });

  it("raises no alert of a machine that has always refused so often", async () => {
    const machine = await insertMachine();
    for (const at of ["3 days", "1 hour"]) {
      await insertRedemptions(15, at, machine.id);
      await insertRefusals(5, { machine_id: machine.id }, at);
    }
    await updateAlerts();
    expect(await alertRows("machine_refusals", `machine:${machine.id}`)).toEqual([]);
  });

  it("while the summary is built anew, nor cleared", async () => {
    const { subject } = await usedCampaign(8)();
    await updateAlerts();
    const { version } = await db()("activity_summary").first("version");
    await db()("activity_summary").update({ version: 0 });
    await updateAlerts();
    expect(await alertRows("campaign_nearly_used", subject)).toMatchObject([{ clearedAt: null }]);
    await db()("activity_summary").update({ version });
  });
});

it("lists campaigns that are not assigned by their age, whether single codes or mass generations", async () => {
  for (const [insert, type] of [
    [insertMassGeneration, "mass_generation"],
    [insertPromotion, "promotion"],
  ] as const) {
    const id = await insert({ name: "Newest" });
    expect(await listUnassignedCampaigns(1)).toMatchObject([{ type, id }]);
  }
});

it("keeps the 100 alerts of machines that refuse often while others refuse, too", async () => {
  const machines = await insertMachines(101);
  for (const { id } of machines) await insertRefusals(20, { machine_id: id });
  await updateAlerts(["machine_refusals"]);
  const open = () =>
    db()("alerts").where({ kind: "machine_refusals", cleared_at: null }).pluck("subject");
  const before = await open();
  expect(before).toHaveLength(100);
  for (const { id } of machines.slice(50, 100))
    await rowById("machines", id).update({ last_qr_used_at: ago("0") });
  await updateAlerts(["machine_refusals"]);
  expect((await open()).sort()).toEqual(before.sort());
});

it("lists no mass generation as not assigned while one of its codes has machines of its own", async () => {
  const id = await insertMassGeneration({ num_codes: 1 });
  const listed = async () =>
    (await listUnassignedCampaigns(1_000)).filter((campaign) => campaign.id === id);
  expect(await listed()).toMatchObject([{ type: "mass_generation" }]);
  await insertCodes(id, 1, { has_own_set: true, is_assigned: true });
  expect(await listed()).toEqual([]);
});

describe("many keys", () => {
  const makeKeys = (length: number) => Promise.all(Array.from({ length }, () => makeKey()));

  it("that are used after their end have one alert each, whichever was used last", async () => {
    const keys = await makeKeys(12);
    for (const { id } of keys) await insertRefusedUse(id);
    for (const { id } of keys) {
      await db()("refused_key_requests")
        .where({ key_id: id })
        .update({ last_at: ago("-1 second") });
      await updateAlerts(["key_refused"]);
    }
    for (const { id } of keys)
      expect(await alertRows("key_refused", `key:${id}`)).toMatchObject([{ clearedAt: null }]);
  });

  it("that end soon have one alert for each integration", async () => {
    const keys = await makeKeys(21);
    await db()("api_keys")
      .whereIn(
        "id",
        keys.map(({ id }) => id),
      )
      .update({ expires_at: ago("-13 days") });
    const found = (await alertKinds.key_ending.find())!;
    expect(found.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(keys.map(({ integrationId }) => `integration:${integrationId}`)),
    );
  });
});
