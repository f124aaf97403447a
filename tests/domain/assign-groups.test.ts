import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { deleteMachineGroup } from "../../app/features/assignments/group-assignments.server";
import { addMachines } from "../../app/features/machines/group-members.server";
import { listMachines } from "../../app/features/machines/machines.server";
import { effectiveLabel } from "../../app/features/assignments/assigned";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import {
  copyPromotion,
  createPromotion,
} from "../../app/features/promotions/form/create-promotion.server";
import { listPromotions } from "../../app/features/promotions/list/list-promotions.server";
import { parsePromotionFilters } from "../../app/features/promotions/list/promotion-filters";
import {
  getPromotion,
  getPromotionDetails,
  readPromotionMachines,
} from "../../app/features/promotions/promotions.server";
import { promotionHistory } from "../../app/features/activity/audit-log.server";
import {
  assign,
  assignMachines,
  findWrongSets,
  ofPromotion,
  setFactsOf,
} from "../factories/assignments";
import { applyBulk } from "../factories/bulk";
import { insertGroup } from "../factories/machine-groups";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertMachines } from "../factories/people-and-machines";
import { insertPromotion, newPromotion } from "../factories/promotions";
import { useActor, type AuditedTargets } from "../support/actor";
import { useDatabase } from "../support/postgres";

useDatabase();
const { actor, options } = useActor();

type Audited = { action: string; details: AuditedTargets };
const history = (id: string): Promise<Audited[]> =>
  db()("audit_log")
    .where({ subject_type: "promotion" })
    .whereRaw("(subject_id = :id or subject_ids @> array[cast(:id as bigint)])", { id })
    .orderBy("id");

const rowOf = (id: string) => setFactsOf([id]).then(([facts]) => facts!);

const groupsOf = async (id: string) => (await readPromotionMachines(id)).groups.map(({ id }) => id);

describe("groups of a promotion", () => {
  test("are added and removed, each once in the audit log", async () => {
    const id = await insertPromotion();
    const [a, b] = [
      await insertGroup([], { name: "North" }),
      await insertGroup([], { name: "South" }),
    ];
    expect(await ofPromotion.add(id, { machines: [], groups: [b, a, a] }, options())).toMatchObject(
      { changed: true },
    );
    expect(await groupsOf(id)).toEqual([a, b]);
    // A group without machines counts as assigned: machines may join it.
    expect((await getPromotion(id)).status).toBe("active");
    expect(await ofPromotion.add(id, { machines: [], groups: [a] }, options())).toMatchObject({
      changed: false,
    });
    expect(await ofPromotion.removeGroup(id, a, options())).toMatchObject({ changed: true });
    expect(await ofPromotion.removeGroup(id, a, options())).toMatchObject({ changed: false });
    expect(await ofPromotion.removeGroup(id, "x", options())).toMatchObject({ changed: false });
    expect(await rowOf(id)).toMatchObject({ is_assigned: true, version: 3 });
    await ofPromotion.removeGroup(id, b, options());
    expect((await getPromotion(id)).status).toBe("not_assigned");
    expect(await history(id)).toMatchObject([
      {
        action: "promotion.groups_added",
        details: { groups: { from: [], to: ["North", "South"] } },
        actor_id: actor.id,
        request_id: "r-1",
      },
      {
        action: "promotion.group_removed",
        details: { groups: { from: ["North", "South"], to: ["South"] } },
      },
      { action: "promotion.group_removed" },
    ]);
    const [newest] = await promotionHistory({ id, massGenerationId: null }, "UTC");
    expect(newest).toMatchObject({
      action: "Group removed",
      changes: ["Groups: South → none"],
    });
  });

  test("come together with machines, or nothing comes", async () => {
    const id = await insertPromotion();
    const [machine] = await insertMachines(1);
    const group = await insertGroup();
    for (const [chosen, sentence] of [
      [{ machines: [], groups: [] }, "Choose at least one machine."],
      [{ machines: ["nowhere"], groups: [group] }, "Not available: nowhere. Nothing was added."],
      [
        { machines: [machine!.serial_number], groups: ["99999"] },
        "A chosen group no longer exists. Nothing was added.",
      ],
      [{ machines: [], groups: ["0"] }, "A group is not valid"],
      [{ machines: [], groups: ["1; drop table machine_groups"] }, "A group is not valid"],
    ] as const)
      await expect(ofPromotion.add(id, chosen, options())).rejects.toThrow(sentence);
    expect(await history(id)).toEqual([]);
    const chosen = { machines: [machine!.serial_number], groups: [group] };
    await ofPromotion.add(id, chosen, options());
    expect(await readPromotionMachines(id)).toMatchObject({
      machines: [{ serialNumber: machine!.serial_number }],
      groups: [{ id: group }],
    });
    expect(await history(id)).toMatchObject([{ action: "promotion.machines_and_groups_added" }]);
  });

  test("of a deleted promotion can't be changed", async () => {
    const id = await insertPromotion({ is_deleted: true });
    const group = await insertGroup();
    for (const attempt of [
      () => ofPromotion.add(id, { machines: [], groups: [group] }, options()),
      () => ofPromotion.removeGroup(id, group, options()),
    ])
      await expect(attempt()).rejects.toMatchObject({ reason: "conflict" });
    await expect(
      ofPromotion.add("x", { machines: [], groups: [group] }, options()),
    ).rejects.toMatchObject({
      reason: "not_found",
    });
  });

  test("are given when it is made, and copied", async () => {
    const group = await insertGroup();
    const { promotion } = await createPromotion(newPromotion({ groups: [group] }), {
      actor,
      idempotencyKey: null,
    });
    expect(promotion.status).toBe("active");
    expect(await groupsOf(promotion.id)).toEqual([group]);
    const copy = await copyPromotion(promotion.id);
    expect(copy?.groups).toEqual([group]);
    expect(copy?.note.text).not.toContain("Not copied");
    await expect(
      createPromotion(newPromotion({ groups: [group, "99999"] }), {
        actor,
        idempotencyKey: null,
      }),
    ).rejects.toMatchObject({
      fields: { groups: "A chosen group no longer exists. Nothing was created." },
    });
  });

  test("of a mass generation become a code's own with its first change", async () => {
    const group = await insertGroup();
    const batch = await insertMassGeneration({ num_codes: 2, is_assigned: true });
    await assign("mass_generations", batch, { group_id: group });
    const [one, two] = await db()("promotions")
      .where({ mass_generation_id: batch })
      .orderBy("id")
      .pluck<string[]>("id");
    const more = await insertGroup();
    await ofPromotion.add(one!, { machines: [], groups: [more] }, options());
    expect((await groupsOf(one!)).sort()).toEqual([group, more].sort());
    expect(await groupsOf(two!)).toEqual([group]);
    await ofPromotion.removeGroup(two!, group, options());
    expect(await rowOf(two!)).toMatchObject({ is_assigned: false, has_own_set: true });
    expect(await rowOf(one!)).toMatchObject({ is_assigned: true, has_own_set: true });
  });
});

describe("effective machines", () => {
  test("are those of their own and those of groups, each once, without deleted ones", async () => {
    const id = await insertPromotion();
    const both = await insertMachine({ serial_number: "E-1" });
    await insertMachine({ serial_number: "E-2", human_name: "Canteen" });
    const grouped = await insertMachine({ serial_number: "E-3" });
    const gone = await insertMachine({ serial_number: "E-4", is_deleted: true });
    const ownGone = await insertMachine({ serial_number: "E-5", is_deleted: true });
    const west = await insertGroup([both.id, grouped.id, gone.id], { name: "West" });
    const east = await insertGroup([grouped.id], { name: "East", kind: "route" });
    await assignMachines(id, ["E-1", "E-2"], options());
    await assign("promotions", id, { machine_id: ownGone.id });
    await ofPromotion.add(id, { machines: [], groups: [west, east] }, options());

    const { machines: direct, groups, effective } = await readPromotionMachines(id);
    expect(direct.map((machine) => machine.serialNumber)).toEqual(["E-1", "E-2", "E-5"]);
    expect(groups).toEqual([
      { id: east, name: "East", kind: "route", machineCount: 1 },
      { id: west, name: "West", kind: "site", machineCount: 2 },
    ]);
    expect(effective).toEqual({ count: 3, directCount: 2 });
    expect(effectiveLabel({ effective, groups }, true)).toBe(
      "Redeemable at 3 machines: 2 directly, 1 through 2 groups",
    );
    expect(await getPromotionDetails(id)).toMatchObject({ groups, effective });

    // Who joins a group, or comes back, is there at once.
    await insertMachine({ serial_number: "E-0" });
    await addMachines(east, ["E-0"], options());
    await db()("machines").where({ id: gone.id }).update({ is_deleted: false, deleted_at: null });
    expect((await readPromotionMachines(id)).effective).toEqual({ count: 5, directCount: 2 });
    await countPromotionsByMachine();
    const { machines: counted } = await listMachines({ serialNumber: "E-", page: 1, perPage: 25 });
    expect(
      counted
        .filter(({ serialNumber }) => /^E-\d$/.test(serialNumber))
        .map((m) => m.activePromotions),
    ).toEqual([1, 1, 1, 1, 1]);
  });

  test.each([
    [0, 0, 0, true, "Redeemable at 0 machines"],
    [0, 0, 2, true, "Redeemable at 0 machines"],
    [1, 1, 0, true, "Redeemable at 1 machine"],
    [1, 0, 1, true, "Redeemable at 1 machine: 0 directly, 1 through 1 group"],
    [1_200, 3, 2, false, "Assigned to 1,200 machines: 3 directly, 1,197 through 2 groups"],
  ])(
    "%i of which %i directly, %i groups, active: %s: %s",
    (count, directCount, groups, ...rest) => {
      const [isActive, words] = rest;
      const assigned = { effective: { count, directCount }, groups: Array(groups) };
      expect(effectiveLabel(assigned, isActive)).toBe(words);
    },
  );

  test("are found by the list's filters too", async () => {
    const machine = await insertMachine({ serial_number: "F-77", human_name: "Filtered hall" });
    const group = await insertGroup([machine.id]);
    const single = await insertPromotion();
    await ofPromotion.add(single, { machines: [], groups: [group] }, options());
    const batch = await insertMassGeneration({ num_codes: 2, is_assigned: true });
    await assign("mass_generations", batch, { group_id: group });
    for (const params of ["serial_number=f-77", "controller=filtered+HALL"]) {
      const { filters } = parsePromotionFilters(new URLSearchParams(params));
      const { promotions } = await listPromotions({
        ...{ filters, page: 1, perPage: 25, after: null, before: null },
        sort: { by: "created", isDescending: true },
      });
      expect(promotions.map(({ id, massGenerationId }) => massGenerationId ?? id).sort()).toEqual(
        [single, batch, batch].sort(),
      );
    }
  });
});

/** Asserts that replaying the audit log ends with the current state. */
async function expectSerial(id: string): Promise<void> {
  let groups: string[] = [];
  for (const { details } of await history(id)) {
    if (details.groups) {
      expect(details.groups.from).toEqual(groups);
      groups = details.groups.to;
    }
    const removed = details.groups_removed?.from ?? [];
    groups = groups.filter((name) => !removed.includes(name));
  }
  const { groups: now, machines } = await readPromotionMachines(id);
  expect(now.map(({ name }) => name).sort()).toEqual(groups);
  expect((await rowOf(id)).is_assigned).toBe(now.length + machines.length > 0);
}

describe("at once", () => {
  test("50 changes: no deadlock, and the log in its order explains the end", async () => {
    const serials = (await insertMachines(6)).map((machine) => machine.serial_number);
    const groups: string[] = [];
    for (let i = 0; i < 6; i++) groups.push(await insertGroup());
    const ids = [await insertPromotion(), await insertPromotion()];
    let seed = 5;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, turn) => {
        const id = ids[turn % 2]!;
        const some = [...groups].sort(() => random(3) - 1).slice(0, 1 + random(groups.length));
        const kind = random(7);
        if (kind === 0) return ofPromotion.removeAll(id, options());
        if (kind < 3) return ofPromotion.removeGroup(id, some[0]!, options());
        const machinesToo = kind === 3 ? serials.slice(random(3)) : [];
        return ofPromotion.add(id, { machines: machinesToo, groups: some }, options());
      }),
    );
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const id of ids) await expectSerial(id);
  });

  test("groups are deleted while they are assigned, to singles and codes of batches", async () => {
    const [machine] = await insertMachines(1);
    for (let round = 0; round < 12; round++) {
      const groups = [await insertGroup([machine!.id]), await insertGroup(), await insertGroup()];
      const single = await insertPromotion();
      const batch = await insertMassGeneration({ num_codes: 4, is_assigned: true });
      await assign("mass_generations", batch, { group_id: groups[0]! });
      if (round % 2) await assign("mass_generations", batch, { group_id: groups[1]! });
      const codes = await db()("promotions")
        .where({ mass_generation_id: batch })
        .orderBy("id")
        .pluck<string[]>("id");
      const outcomes = await Promise.allSettled([
        ofPromotion.add(single, { machines: [], groups: groups }, options()),
        assignMachines(codes[0]!, [machine!.serial_number], options()),
        deleteMachineGroup(groups[0]!, options()),
        ofPromotion.add(codes[1]!, { machines: [], groups: [groups[2]!] }, options()),
        applyBulk(
          "assign",
          codes.slice(2, 3),
          { machines: [machine!.serial_number], groups: [groups[0]!] },
          { actor: { ...actor, role: "user" } },
        ),
        deleteMachineGroup(groups[1]!, options()),
        ofPromotion.add(single, { machines: [], groups: [groups[2]!] }, options()),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled") continue;
        // A request for a group that was deleted first says so; nothing else may happen.
        expect(outcome.reason).toMatchObject({
          reason: "invalid",
          message: expect.stringMatching(/^A chosen group no longer exists\. Nothing was/),
        });
      }
      expect(outcomes[2]!.status).toBe("fulfilled");
      expect(outcomes[5]!.status).toBe("fulfilled");
      await expectSerial(single);
      expect(await findWrongSets()).toEqual([]);
    }
  });
});
