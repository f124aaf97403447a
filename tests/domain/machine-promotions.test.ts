import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { getMachine } from "../../app/features/machines/machines.server";
import {
  countPromotionsByMachine,
  listMachinePromotions,
} from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { assign as assignTo } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";
import { property } from "../support/property";

useDatabase();

const assigned = { is_assigned: true };

type Target = { machine_id: string } | { group_id: string };
const assign = (id: string, to: Target) => assignTo("promotions", id, to);
const assignGeneration = (id: string, to: Target) => assignTo("mass_generations", id, to);

const list = (machineId: string, page = 1, perPage = 25) =>
  listMachinePromotions(machineId, { page, perPage });
const linesOf = async (machineId: string) =>
  (await list(machineId)).promotions.map(({ kind, name, codes }) => [kind, name, codes]);

describe("every way that leads to a machine", () => {
  let machine = "";
  let other = "";

  beforeAll(async () => {
    machine = (await insertMachine({ serial_number: "A-1" })).id;
    other = (await insertMachine({ serial_number: "A-2" })).id;
    const group = await insertGroup([machine, other]);
    const generation = await insertGeneration({ name: "Direct", num_codes: 3, ...assigned });
    const viaGroup = await insertGeneration({
      name: "By group",
      num_codes: 2,
      is_single_use: true,
      ...assigned,
      discount_type: "free_drink",
      discount_value: 1,
    });
    await assignGeneration(generation, { machine_id: machine });
    await assignGeneration(generation, { group_id: group });
    await assignGeneration(viaGroup, { group_id: group });
    await insertCodes(generation, 3, assigned);
    await insertCodes(viaGroup, 2, { is_single_use: true, ...assigned });
    // Edited alone: one code is for the other machine only, one is for this machine by itself.
    const [away] = await insertCodes(generation, 1, { has_own_set: true, ...assigned });
    await assign(away!, { machine_id: other });
    const elsewhere = await insertGeneration({ name: "Elsewhere", ...assigned });
    await insertCodes(elsewhere, 1, assigned);
    const [here] = await insertCodes(elsewhere, 1, { has_own_set: true, ...assigned });
    await assign(here!, { machine_id: machine });

    const single = await insertPromotion({ name: "Single", ...assigned });
    await assign(single, { machine_id: machine });
    await assign(single, { group_id: group });
    await assign(await insertPromotion({ name: "Single by group", ...assigned }), {
      group_id: group,
    });
    for (const row of [
      { is_active: false },
      { is_deleted: true },
      { expires_at: new Date("2020-01-01") },
      { is_single_use: true, period_uses: 1, activation_count: 1 },
    ])
      await assign(await insertPromotion({ ...row, ...assigned }), { machine_id: machine });
  });

  test("is followed, a mass generation is one line, and nothing counts twice", async () => {
    expect(await linesOf(machine)).toEqual([
      ["generation", "Elsewhere", 1],
      ["generation", "By group", 2],
      ["generation", "Direct", 3],
      ["promotion", "Single by group", 1],
      ["promotion", "Single", 1],
    ]);
    expect(await list(machine)).toMatchObject({ total: 5, codes: 8, page: 1 });
    expect(await linesOf(other)).toEqual([
      ["generation", "By group", 2],
      ["generation", "Direct", 4],
      ["promotion", "Single by group", 1],
      ["promotion", "Single", 1],
    ]);
  });

  test("a line says what it gives", async () => {
    const { promotions } = await list(machine);
    expect(promotions.find(({ name }) => name === "By group")).toMatchObject({
      discountType: "free_drink",
      discountValue: 1,
      isSingleUse: true,
    });
    expect(promotions.find(({ name }) => name === "Single")).toMatchObject({
      discountType: "percentage",
      discountValue: 25,
      isSingleUse: false,
    });
  });

  test("comes in pages; one after the last is the last", async () => {
    expect(await list(machine, 2, 2)).toMatchObject({ page: 2, total: 5, codes: 8 });
    const pages = await Promise.all([1, 2, 3].map((page) => list(machine, page, 2)));
    expect(pages.flatMap(({ promotions }) => promotions)).toEqual((await list(machine)).promotions);
    expect(await list(machine, 9, 2)).toEqual(pages[2]);
  });

  test("a renewable code counts again in its next month", async () => {
    const { id } = await insertMachine();
    const promotion = await insertPromotion({
      discount_type: "free_drink",
      discount_value: 1,
      is_renewable: true,
      ...assigned,
      period_key: 202611,
      period_uses: 1,
      activation_count: 1,
    });
    await assign(promotion, { machine_id: id });
    const codesAt = async (now: string) =>
      (await listMachinePromotions(id, { page: 1, perPage: 25, now: new Date(now) })).codes;
    // Midnight in Berlin.
    expect(await codesAt("2026-11-30T22:59:59.999Z")).toBe(0);
    expect(await codesAt("2026-11-30T23:00:00Z")).toBe(1);
  });

  test("a machine flagged deleted accepts none, and one without any says so", async () => {
    const gone = await insertMachine({ is_deleted: true });
    await assign(await insertPromotion(assigned), { machine_id: gone.id });
    const none = { promotions: [], total: 0, codes: 0, page: 1, perPage: 25 };
    expect(await list(gone.id)).toEqual(none);
    expect(await list((await insertMachine()).id, 3)).toEqual(none);
  });
});

describe("a machine of an address", () => {
  test("is the first serial number that is one's", async () => {
    await insertMachine({ serial_number: "~x", human_name: "Tilde" });
    await insertMachine({ serial_number: "x", human_name: "Plain" });
    expect((await getMachine("~x", "x")).humanName).toBe("Tilde");
    expect((await getMachine("~~x", "x")).humanName).toBe("Plain");
  });

  test.each(["", "nobody's", "a\0b", "\ud800", "x".repeat(101)])("%j is none", async (serial) => {
    await expect(getMachine(serial)).rejects.toMatchObject({
      reason: "not_found",
      message: "Machine not found",
    });
  });
});

/** Codes and generations with any assignment to three machines and two groups. */
const target = fc.constantFrom("m0", "m1", "m2", "g0", "g1");
const targets = fc.uniqueArray(target, { maxLength: 3 });
const state = fc.constantFrom(
  {},
  { is_active: false },
  { is_deleted: true },
  { expires_at: new Date("2020-01-01") },
);
const world = fc.record({
  members: fc.record({ g0: fc.subarray([0, 1, 2]), g1: fc.subarray([0, 1, 2]) }),
  deleted: fc.option(fc.constantFrom(0, 1, 2)),
  singles: fc.array(fc.record({ to: targets, state }), { maxLength: 4 }),
  generations: fc.array(
    fc.record({
      to: targets,
      codes: fc.array(fc.record({ to: fc.option(targets), state }), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
});

property([world], { numRuns: repetitions(10, 100) })(
  "one machine counts what the count of all machines says",
  async ({ members, deleted, singles, generations }) => {
    const machines = await Promise.all(
      [0, 1, 2].map((at) => insertMachine({ is_deleted: at === deleted })),
    );
    const ids = machines.map(({ id }) => id);
    const groups: Record<string, string> = {};
    for (const [name, of] of Object.entries(members))
      groups[name] = await insertGroup(of.map((at) => ids[at]!));
    const targetOf = (name: string): Target =>
      name.startsWith("m") ? { machine_id: ids[Number(name[1])]! } : { group_id: groups[name]! };
    for (const single of singles) {
      const id = await insertPromotion({ is_assigned: single.to.length > 0, ...single.state });
      for (const to of single.to) await assign(id, targetOf(to));
    }
    for (const generation of generations) {
      const isAssigned = { is_assigned: generation.to.length > 0 };
      const id = await insertGeneration(isAssigned);
      for (const to of generation.to) await assignGeneration(id, targetOf(to));
      for (const code of generation.codes) {
        const isOwn = code.to !== null;
        const [codeId] = await insertCodes(id, 1, {
          ...(isOwn ? { has_own_set: true, is_assigned: code.to!.length > 0 } : isAssigned),
          ...code.state,
        });
        for (const to of code.to ?? []) await assign(codeId!, targetOf(to));
      }
    }
    await Promise.all([countPromotionsByMachine(), countPromotionsByMachine()]);
    for (const { id, serial_number } of machines) {
      const { activePromotions } = await getMachine(serial_number);
      const { codes, promotions } = await list(id, 1, 100);
      expect(codes).toBe(activePromotions);
      expect(promotions.reduce((sum, line) => sum + line.codes, 0)).toBe(activePromotions);
    }
  },
);
