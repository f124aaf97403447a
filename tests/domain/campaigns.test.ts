import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { toCampaigns } from "../../app/features/promotions/list/campaigns.server";
import { listPromotions } from "../../app/features/promotions/list/list-promotions.server";
import {
  campaignList,
  noFilters,
  type PromotionFilters,
  type PromotionSort,
} from "../../app/features/promotions/list/promotion-filters";
import { promotionStatuses, type PromotionStatus } from "../../app/features/promotions/promotion";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import { assign } from "../factories/assignments";
import { previewBulk } from "../factories/bulk";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";
import { readAllPages } from "../support/promotion-pages";
import { rowById } from "../factories/rows";

useDatabase();

const day = 24 * 60 * 60 * 1_000;
const inDays = (days: number) => new Date(Date.now() + days * day);

beforeAll(async () => {
  const machine = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  for (let i = 0; i < 12; i++)
    await insertPromotion({
      name: `Single ${i % 3}`,
      created_at: inDays(-i),
      expires_at: i % 2 ? inDays(i) : null,
      is_assigned: true,
      activation_count: i % 2,
    });
  const generations = {
    live: { created_at: inDays(-2.5), is_single_use: true, discount_value: 1, is_assigned: true },
    stopped: { created_at: inDays(-3.5), is_active: false },
    over: { created_at: inDays(-4.5), expires_at: inDays(-1) },
    "used up": { created_at: inDays(-5.5), is_assigned: true },
    unassigned: { created_at: inDays(-6.5), discount_type: "percentage", discount_value: 10 },
    removed: { created_at: inDays(-7.5), is_deleted: true },
  };
  for (const [name, row] of Object.entries(generations)) {
    const id = await insertMassGeneration({ name: `Batch ${name}`, num_codes: 20, ...row });
    const codes = db()("promotions").where({ mass_generation_id: id });
    if (name === "live") {
      await assign("mass_generations", id, { machine_id: machine.id });
      // The first code alone must not decide what its campaign is.
      const first = await codes.clone().min<{ min: string }[]>("id");
      await rowById("promotions", first[0]!.min).update({
        is_active: false,
        period_uses: 1,
        activation_count: 1,
      });
    }
    if (name === "used up") await codes.update({ period_uses: 2, activation_count: 2 });
  }
});

const campaigns = { ...noFilters, view: "campaigns" as const };

async function walk(filters: Partial<PromotionFilters> = {}, sort?: PromotionSort) {
  const query = { filters: { ...campaigns, ...filters }, perPage: 5, ...(sort && { sort }) };
  const rows = await readAllPages(query);
  return { names: rows.map(({ name }) => name), ids: rows.map(({ id }) => id) };
}

const batchesOf = (names: string[]) => names.filter((name) => name.startsWith("Batch")).sort();
const batches = async (filters: Partial<PromotionFilters>) =>
  batchesOf((await walk(filters)).names);

test("each single promotion and each mass generation is one row, the newest first", async () => {
  const { names, ids } = await walk();
  expect(new Set(ids).size).toBe(17);
  expect(names.slice(0, 5)).toEqual(["Single 0", "Single 1", "Single 2", "Batch live", "Single 0"]);
});

test.each(Object.keys(campaignList.sorts) as PromotionSort["by"][])(
  "sorted by %s, each row comes once, and the way back is the way there reversed",
  async (by) => {
    const { ids } = await walk({}, { by, isDescending: true });
    expect(new Set(ids).size).toBe(17);
    const up = await walk({}, { by, isDescending: false });
    expect(up.ids).toEqual([...ids].reverse());
    const query = { filters: campaigns, sort: { by, isDescending: false }, perPage: 5 };
    const back = await listPromotions({ ...query, page: 2, after: null, before: up.ids[10]! });
    expect(back.promotions.map(({ id }) => id)).toEqual(up.ids.slice(5, 10));
  },
);

describe("filters", () => {
  test.each([
    ["active", ["Batch live"]],
    ["inactive", ["Batch stopped"]],
    ["expired", ["Batch over"]],
    ["used_up", ["Batch used up"]],
    ["not_assigned", ["Batch unassigned"]],
  ] as const)("status %s is that of the whole generation", async (status, expected) => {
    const { names } = await walk({ status });
    expect(batchesOf(names)).toEqual(expected);
    expect(names.filter((name) => name.startsWith("Single"))).toHaveLength(
      status === "active" ? 12 : 0,
    );
  });

  test("a text is looked for in names, and anywhere in codes", async () => {
    expect(await batches({ text: "batch li" })).toEqual(["Batch live"]);
    const last = await db()("promotions")
      .where({ name: "Batch over" })
      .orderBy("id", "desc")
      .first();
    const code = String(last.code);
    for (const part of [code, code.slice(1, -1), code.slice(0, 2)])
      expect(await batches({ text: part }), part).toContain("Batch over");
    expect((await walk({ text: "single 1" })).names).toHaveLength(4);
  });

  test("machine, type, use and deletion", async () => {
    expect((await walk({ serialNumber: "vm-1" })).names).toEqual(["Batch live"]);
    expect((await walk({ type: "single" })).names).toHaveLength(12);
    expect((await walk({ type: "mass" })).names).toHaveLength(5);
    expect(await batches({ isUsed: true })).toEqual(["Batch live", "Batch used up"]);
    expect(await batches({ deleted: "only" })).toEqual(["Batch removed"]);
    expect(await batches({ deleted: "with" })).toHaveLength(6);
  });
});

test("a row counts the codes that were used and those with uses left", async () => {
  const { promotions } = await listPromotions({
    filters: { ...campaigns, type: "mass", deleted: "with" },
    sort: { by: "name", isDescending: false },
    page: 1,
    perPage: 10,
    after: null,
    before: null,
  });
  const rows = await toCampaigns(promotions);
  expect(
    rows.map(({ name, status, campaign }) => [name, status, campaign!.used, campaign!.left]),
  ).toEqual([
    ["Batch live", "active", 1, 19],
    ["Batch over", "expired", 0, 20],
    ["Batch removed", "deleted", 0, 20],
    ["Batch stopped", "inactive", 0, 20],
    ["Batch unassigned", "not_assigned", 0, null],
    ["Batch used up", "used_up", 20, 0],
  ]);
});

test("an expiration that its codes have of their own counts for the generation", async () => {
  await db()("promotions")
    .where({ name: "Batch over" })
    .update({ expires_at: inDays(9), has_own_expiration: true });
  expect(await batches({ status: "expired" })).toEqual([]);
  expect(await batches({ isExpired: false })).toContain("Batch over");
});

describe("a selection", () => {
  test("covers all codes of a selected campaign", async () => {
    const generation = await db()("mass_generations").where({ name: "Batch live" }).first();
    const single = await db()("promotions").where({ name: "Single 0" }).first();
    const selection = { kind: "ticked" as const, ids: [single.id], generations: [generation.id] };
    const preview = await previewBulk("deactivate", selection);
    // One code is already inactive.
    expect(preview).toMatchObject({ codes: 20, singles: 1, generationCodes: 19, generations: 1 });
  });

  test("covers the codes of all campaigns that match", async () => {
    const filters = { ...campaigns, status: "active" as const };
    const preview = await previewBulk("deactivate", { kind: "matching", filters });
    expect(preview).toMatchObject({ singles: 12, generations: 1 });
  });
});

test("a campaign has the best status that one of its codes has, in the list and in its filter", async () => {
  const [passed, ahead] = [inDays(-1), inDays(9)];
  const kinds = [
    {},
    { is_active: false },
    { period_uses: 1, activation_count: 1 },
    { expires_at: passed },
    { expires_at: ahead },
    { expires_at: passed, period_uses: 1, activation_count: 1 },
    { expires_at: ahead, is_active: false },
    { has_own_set: true, is_assigned: false },
    { has_own_set: true, is_assigned: true },
  ];
  const campaignsOf = [{ is_assigned: true }, { is_assigned: false }, { expires_at: passed }];
  const best = new Map<string, PromotionStatus>();
  for (const campaign of campaignsOf) {
    const rankOf = new Map<object, number>();
    for (const [index, one] of kinds.entries())
      for (const other of kinds.slice(index)) {
        const id = await insertGeneration({ name: "Mixed", num_codes: 2, ...campaign });
        const values = { is_single_use: true, ...campaign };
        for (const kind of [one, other]) {
          const expiration = { has_own_expiration: "expires_at" in kind };
          const [code] = await insertCodes(id, 1, { ...values, ...expiration, ...kind });
          if (!rankOf.has(kind))
            rankOf.set(kind, promotionStatuses.indexOf((await getPromotion(code!)).status));
        }
        best.set(id, promotionStatuses[Math.max(rankOf.get(one)!, rankOf.get(other)!)]!);
      }
  }
  const statuses = new Map<string, string>();
  for (const status of promotionStatuses) {
    const rows = await readAllPages({
      filters: { ...campaigns, text: "mixed", status },
      perPage: 50,
    });
    for (const row of await toCampaigns(rows)) {
      expect(row.status).toBe(status);
      statuses.set(row.massGenerationId!, row.status);
    }
  }
  expect(statuses).toEqual(best);
});
