import { beforeAll, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  countMachinesByActivity,
  getMachine,
  listAssignableMachines,
  listMachines,
} from "../../app/features/machines/machines.server";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";

useDatabase();

const ids: Record<string, string> = {};

beforeAll(async () => {
  for (const [serial, row] of Object.entries({
    "A-1": { human_name: "Lobby" },
    "A-2": { human_name: "100% Canteen_2" },
    "B-1": { human_name: "Kitchen" },
    "B-2": { human_name: "Cellar", is_deleted: true },
  })) {
    ids[serial] = (await insertMachine({ serial_number: serial, ...row })).id;
  }

  // A-1 accepts two of these five singles; B-2 is deleted and accepts none.
  for (const row of [
    {},
    { discount_type: "free_drink" },
    { is_active: false },
    { expires_at: new Date("2020-01-01") },
    { is_single_use: true, period_uses: 1, activation_count: 1 },
  ]) {
    const id = await insertPromotion({ is_assigned: true, ...row });
    await assign("promotions", id, { machine_id: ids["A-1"]! });
    await assign("promotions", id, { machine_id: ids["B-2"]! });
  }
  await insertPromotion({ is_deleted: true, is_assigned: true });

  // A generation of three codes on A-2 and, through a group, on A-2 again and B-1; one of them
  // has machines of its own: B-1 only.
  const [generation] = await db()("mass_generations")
    .insert({
      ...{ name: "Batch", num_codes: 3, discount_type: "percentage", discount_value: 10 },
      ...{ is_single_use: false, is_renewable: false },
    })
    .returning<{ id: string }[]>("id");
  const [group] = await db()("machine_groups")
    .insert({ name: "All" })
    .returning<{ id: string }[]>("id");
  await db()("machine_group_members").insert([
    { group_id: group!.id, machine_id: ids["A-2"] },
    { group_id: group!.id, machine_id: ids["B-1"] },
  ]);
  await assign(
    "mass_generations",
    generation!.id,
    { machine_id: ids["A-2"]! },
    { group_id: group!.id },
  );
  const ofGeneration = { mass_generation_id: generation!.id };
  await insertPromotion({ ...ofGeneration, has_own_set: false });
  await insertPromotion({ ...ofGeneration, has_own_set: false });
  await assign("promotions", await insertPromotion(ofGeneration), { machine_id: ids["B-1"]! });
  await countPromotionsByMachine();
});

test("machines are listed with the promotions that they accept", async () => {
  const list = await listMachines({ page: 1, perPage: 25 });
  expect(list.machines.map((machine) => [machine.serialNumber, machine.activePromotions])).toEqual([
    ["A-1", 2],
    ["A-2", 2],
    ["B-1", 3],
  ]);
  expect(list).toMatchObject({ total: 3, page: 1 });
  expect(list.countedAt).toBeInstanceOf(Date);
});

test("counting again changes nothing, also several at once", async () => {
  await Promise.all([countPromotionsByMachine(), countPromotionsByMachine()]);
  const { machines } = await listMachines({ page: 1, perPage: 25 });
  expect(machines.map((machine) => machine.activePromotions)).toEqual([2, 2, 3]);
  expect(await getMachine("B-2")).toMatchObject({ activePromotions: 0, isDeleted: true });
});

test("a page after the last one is the last one", async () => {
  const list = await listMachines({ page: 99, perPage: 2 });
  expect(list).toMatchObject({ page: 2, total: 3 });
  expect(list.machines.map((machine) => machine.serialNumber)).toEqual(["B-1"]);
});

test("the selector offers no deleted machine", async () => {
  expect((await listAssignableMachines())[0]).toEqual({ serialNumber: "A-1", humanName: "Lobby" });
  expect(await listAssignableMachines()).toHaveLength(3);
});

test("machines are counted by their activity, as their list shows it", async () => {
  const { counts, countedAt } = await countMachinesByActivity();
  expect(counts).toEqual({ high: 0, medium: 0, low: 3, inactive: 0 });
  expect(countedAt).toBeInstanceOf(Date);
  await db()("machine_promotion_counts")
    .where({ machine_id: ids["A-1"]! })
    .update({ active_promotions: 11 });
  await db()("machine_promotion_counts")
    .where({ machine_id: ids["A-2"]! })
    .update({ active_promotions: 10 });
  await db()("machine_promotion_counts").where({ machine_id: ids["B-1"]! }).delete();
  const found: Record<string, string[]> = {};
  for (const activity of ["high", "medium", "low", "inactive"] as const) {
    const { machines, total } = await listMachines({ activity, page: 1, perPage: 25 });
    found[activity] = machines.map(({ serialNumber }) => serialNumber);
    expect(total).toBe((await countMachinesByActivity()).counts[activity]);
  }
  expect(found).toEqual({ high: ["A-1"], medium: ["A-2"], low: [], inactive: ["B-1"] });
});
