import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { generationHistory, promotionHistory } from "../../app/features/activity/audit-log.server";
import { effectiveLabel } from "../../app/features/assignments/assigned";
import { deleteMachineGroup } from "../../app/features/assignments/group-assignments.server";
import { addMachines } from "../../app/features/machines/group-members.server";
import { listMachines } from "../../app/features/machines/machines.server";
import { getGenerationDetails } from "../../app/features/mass-generations/generation-details.server";
import { readGenerationAssigned } from "../../app/features/mass-generations/mass-generation.server";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import {
  getPromotion,
  getPromotionDetails,
  readPromotionMachines,
} from "../../app/features/promotions/promotions.server";
import {
  assign,
  assignMachines,
  findWrongSets,
  ofGeneration,
  ofPromotion,
  setFactsOf,
  setIdOf,
} from "../factories/assignments";
import { applyBulk } from "../factories/bulk";
import { insertGroup } from "../factories/machine-groups";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertMachines } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { useActor, type AuditedTargets } from "../support/actor";
import { makeChangesAtOnce } from "../support/changes-at-once";
import { useDatabase } from "../support/postgres";
import { inSoak, repetitions } from "../support/repetitions";

useDatabase();
const { actor, options } = useActor();

type Row = Record<string, unknown>;
const promotions = {
  name: "promotion",
  word: "code",
  table: "promotions",
  insert: (row: Row = {}) => insertPromotion(row),
  change: ofPromotion,
  read: readPromotionMachines,
  statusOf: async (id: string) => (await getPromotion(id)).status,
  history: (id: string) => promotionHistory({ id, massGenerationId: null }, { hasCodes: true }),
  covered: 1,
  removal: "Group removed",
};
const generations = {
  name: "mass generation",
  word: "campaign",
  table: "mass_generations",
  insert: (row: Row = {}) => insertMassGeneration({ num_codes: 4, ...row }),
  change: ofGeneration,
  read: readGenerationAssigned,
  statusOf: async (id: string) => (await getGenerationDetails(id)).status,
  history: (id: string) => generationHistory(id),
  covered: 4,
  removal: "Group removed (4 codes)",
};

type Audited = { action: string; details: AuditedTargets };
const auditedOf = ({ name }: { name: string }, id: string): Promise<Audited[]> =>
  db()("audit_log")
    .where({ subject_type: name.replace(" ", "_") })
    .whereRaw("(subject_id = :id or subject_ids @> array[cast(:id as bigint)])", { id })
    .orderBy("id");

type Owner = typeof promotions | typeof generations;

async function targetsOf({ read }: Owner, id: string) {
  const { machines, groups } = await read(id);
  const serials = machines.map(({ serialNumber }) => serialNumber);
  return { machines: serials, groups: groups.map(({ name }) => name).sort() };
}

async function versionOf({ table }: Owner, id: string): Promise<number> {
  return (await db()(table).where({ id }).first<{ version: number }>("version")).version;
}

/** Asserts that replaying the audit log ends with the current state. @returns how many entries it has */
async function expectLogToExplain(owner: Owner, id: string): Promise<void> {
  const state: Record<"machines" | "groups", string[]> = { machines: [], groups: [] };
  const audited = await auditedOf(owner, id);
  for (const { details } of audited) {
    for (const kind of ["machines", "groups"] as const) {
      const change = details[kind];
      if (!change) continue;
      expect(change.from).toEqual(state[kind]);
      state[kind] = change.to;
    }
    const removed = details.groups_removed?.from ?? [];
    state.groups = state.groups.filter((name) => !removed.includes(name));
  }
  expect(await targetsOf(owner, id)).toEqual(state);
  // The rows of codes don't change when their group is deleted, because redemptions would wait for them.
  const moving = audited.filter(({ action }) => action !== "promotion.group_deleted");
  expect(await versionOf(owner, id)).toBe(1 + moving.length);
  expect(await findWrongSets()).toEqual([]);
}

const owners = [promotions, generations].map((owner) => [owner.name, owner] as const);

describe.each(owners)("machines and groups of a %s", (_name, owner) => {
  const { insert, change, statusOf, name, word } = owner;

  test("are added, removed and cleared, each once in the audit log", async () => {
    const id = await insert();
    const { serial_number: serial } = await insertMachine();
    const [a, b] = [`A ${name}`, `B ${name}`];
    const groups = [await insertGroup([], { name: a }), await insertGroup([], { name: b })];
    const chosen = { machines: [serial, serial], groups: [...groups, groups[0]!] };
    const changed = { changed: true, covered: owner.covered };
    const unchanged = { changed: false, covered: 0 };

    expect(await change.add(id, chosen, options())).toEqual(changed);
    expect(await change.add(id, chosen, options())).toEqual(unchanged);
    expect(await targetsOf(owner, id)).toEqual({ machines: [serial], groups: [a, b] });
    expect(await change.removeMachine(id, serial, options())).toEqual(changed);
    expect(await change.removeMachine(id, serial, options())).toEqual(unchanged);
    expect(await change.removeGroup(id, groups[0]!, options())).toEqual(changed);
    for (const gone of [groups[0]!, "x"])
      expect(await change.removeGroup(id, gone, options())).toEqual(unchanged);
    // A group without machines counts as assigned: machines may join it.
    expect(await statusOf(id)).toBe("active");
    expect(await change.removeAll(id, options())).toEqual(changed);
    expect(await change.removeAll(id, options())).toEqual(unchanged);
    expect(await statusOf(id)).toBe("not_assigned");

    const kind = name.replace(" ", "_");
    expect(await auditedOf(owner, id)).toMatchObject([
      {
        action: `${kind}.machines_and_groups_added`,
        details: { machines: { from: [], to: [serial] }, groups: { from: [], to: [a, b] } },
        covered: owner.covered,
        actor_id: actor.id,
        request_id: "r-1",
      },
      {
        action: `${kind}.machine_removed`,
        details: { machines: { from: [serial], to: [] } },
      },
      { action: `${kind}.group_removed`, details: { groups: { from: [a, b], to: [b] } } },
      { action: `${kind}.machines_unassigned`, details: { groups: { from: [b], to: [] } } },
    ]);
    expect((await owner.history(id))[1]).toMatchObject({
      action: owner.removal,
      changes: [`Groups: ${a}, ${b} → ${b}`],
    });
    expect(await versionOf(owner, id)).toBe(5);
  });

  test("are never half added", async () => {
    const id = await insert();
    const { serial_number: known } = await insertMachine();
    const { serial_number: gone } = await insertMachine({ is_deleted: true });
    const group = await insertGroup();
    const chosenGroupIsGone = "A chosen group no longer exists. Nothing was added.";
    for (const [machines, groups, message] of [
      [[], [], "Choose at least one machine."],
      [[known, gone], [], `Not available: ${gone}. Nothing was added.`],
      [["nowhere"], [group], "Not available: nowhere. Nothing was added."],
      [["a\0b"], [], "A serial number is not valid"],
      [[""], [], "A serial number is not valid"],
      [Array.from({ length: 2_001 }, (_, at) => `${at}`), [], "No more than 2,000 machines"],
      [[known], ["99999"], chosenGroupIsGone],
      [[], ["0"], "A group is not valid"],
      [[], ["1; drop table machine_groups"], "A group is not valid"],
    ] as const)
      await expect(change.add(id, { machines, groups }, options())).rejects.toThrow(message);
    expect(await targetsOf(owner, id)).toEqual({ machines: [], groups: [] });
    expect(await auditedOf(owner, id)).toEqual([]);
  });

  test("can be removed when the machine was deleted since", async () => {
    const id = await insert();
    const { id: machineId, serial_number: serial } = await insertMachine();
    await change.add(id, { machines: [serial] }, options());
    const deletion = { is_deleted: true, deleted_at: new Date() };
    await db()("machines").where({ id: machineId }).update(deletion);
    expect((await owner.read(id)).machines).toMatchObject([{ isDeleted: true }]);
    await change.removeMachine(id, serial, options());
    expect(await targetsOf(owner, id)).toEqual({ machines: [], groups: [] });
  });

  test("can't be removed where they are unknown, or assigned through a group", async () => {
    const id = await insert();
    const member = await insertMachine();
    const north = await insertGroup([member.id], { name: `North of a ${name}` });
    await change.add(id, { groups: [north] }, options());
    for (const serial of ["nowhere", "a\0b", ""])
      await expect(change.removeMachine(id, serial, options())).rejects.toMatchObject({
        reason: "not_found",
        message: "Machine not found",
      });
    await expect(change.removeMachine(id, member.serial_number, options())).rejects.toThrow(
      `${member.serial_number} is assigned through the group "North of a ${name}".`,
    );
  });

  test("can't be changed once it is deleted", async () => {
    const id = await insert({ is_deleted: true });
    const { serial_number: serial } = await insertMachine();
    const group = await insertGroup();
    for (const attempt of [
      () => change.add(id, { machines: [serial], groups: [group] }, options()),
      () => change.removeMachine(id, serial, options()),
      () => change.removeGroup(id, group, options()),
      () => change.removeAll(id, options()),
    ])
      await expect(attempt()).rejects.toMatchObject({
        reason: "conflict",
        message: `This ${word} is deleted. Its machines can't be changed.`,
      });
  });

  test.each(["0", "x", "99999999", "1; drop table promotions"])("are not found for %j", (id) =>
    expect(change.removeAll(id, options())).rejects.toMatchObject({ reason: "not_found" }),
  );

  test("are what the log says in its order after 50 changes at once", async () => {
    const serials = (await insertMachines(8)).map((machine) => machine.serial_number);
    const groups = await Promise.all([1, 2, 3].map(() => insertGroup()));
    const ids = [await insert(), await insert()];
    // Codes leave the common set of their generation meanwhile; a promotion has none.
    const codes = await Promise.all(ids.map(codesOf));
    await makeChangesAtOnce(5, (turn, { below, some }): Promise<unknown> => {
      const id = ids[turn % 2]!;
      const [code] = some(codes[turn % 2]!);
      const kind = below(9);
      if (kind === 0) return change.removeAll(id, options());
      if (kind === 1) return change.removeMachine(id, some(serials)[0]!, options());
      if (kind === 2) return change.removeGroup(id, some(groups)[0]!, options());
      if (kind === 3 && code) return assignMachines(code, some(serials), options());
      if (kind === 4 && code) return ofPromotion.removeAll(code, options());
      const chosen = { machines: some(serials), groups: kind < 7 ? some(groups) : [] };
      return change.add(id, chosen, options());
    });
    for (const id of ids) await expectLogToExplain(owner, id);
  });
});

test.each(["0", "x", "99999999"])("no machines are read of the promotion %j", (id) =>
  expect(readPromotionMachines(id)).rejects.toMatchObject({ reason: "not_found" }),
);

describe("the codes of a mass generation", () => {
  /** A generation with two machines and a group. */
  async function arrange(numCodes: number) {
    const serials = (await insertMachines(2)).map((machine) => machine.serial_number).sort();
    const id = await insertMassGeneration({ num_codes: numCodes });
    const groupName = `Shared by ${id}`;
    const group = await insertGroup([], { name: groupName });
    await ofGeneration.add(id, { machines: serials, groups: [group] }, options());
    return { id, serials, group, groupName, codes: await codesOf(id) };
  }
  const factsOf = async (id: string) => (await setFactsOf([id]))[0];

  test("share its machines and groups until one of them is changed", async () => {
    const { serials, group, groupName, codes } = await arrange(4);
    const [added, emptied, removed, untouched] = codes as [string, string, string, string];
    const { serial_number: more } = await insertMachine();
    const other = await insertGroup([], { name: `${groupName} too` });
    expect(await readPromotionMachines(added)).toMatchObject({ isShared: true });

    await assignMachines(added, [more], options());
    await ofPromotion.add(added, { groups: [other] }, options());
    await ofPromotion.removeAll(emptied, options());
    await ofPromotion.removeMachine(removed, serials[0]!, options());
    await ofPromotion.removeGroup(removed, group, options());

    const of = (id: string) => targetsOf(promotions, id);
    const shared = { machines: serials, groups: [groupName] };
    const all = [...serials, more].sort();
    expect(await of(added)).toEqual({ machines: all, groups: [groupName, `${groupName} too`] });
    expect(await of(emptied)).toEqual({ machines: [], groups: [] });
    expect(await of(removed)).toEqual({ machines: [serials[1]], groups: [] });
    expect(await of(untouched)).toEqual(shared);
    const own = { has_own_set: true };
    expect(await factsOf(added)).toMatchObject({ ...own, is_assigned: true, version: 3 });
    expect(await factsOf(emptied)).toMatchObject({ ...own, is_assigned: false, version: 2 });
    expect(await factsOf(untouched)).toMatchObject({ has_own_set: false, version: 1 });
    expect(await auditedOf(promotions, added)).toMatchObject([
      { action: "promotion.machines_added", details: { machines: { from: serials, to: all } } },
      { action: "promotion.groups_added", details: { groups: { from: [groupName] } } },
    ]);
  });

  test("share them still when nothing changes", async () => {
    const { serials, codes } = await arrange(1);
    const unchanged = { changed: false };
    expect(await assignMachines(codes[0]!, serials, options())).toMatchObject(unchanged);
    expect(await readPromotionMachines(codes[0]!)).toMatchObject({ isShared: true });
  });

  test("get a set of their own once, however many changes come at once", async () => {
    const { serials, groupName, codes } = await arrange(1);
    const more = (await insertMachines(6)).map((machine) => machine.serial_number);
    await Promise.all(more.map((serial) => assignMachines(codes[0]!, [serial], options())));
    expect(await targetsOf(promotions, codes[0]!)).toEqual({
      machines: [...serials, ...more].sort(),
      groups: [groupName],
    });
    expect(await factsOf(codes[0]!)).toMatchObject({ version: 7 });
  });

  test("are not covered by changes of the generation once they were edited alone", async () => {
    const id = await insertMassGeneration({ num_codes: 4 });
    const codes = await codesOf(id);
    const [own, member] = [await insertMachine(), await insertMachine()];
    const group = await insertGroup([member.id]);
    await assignMachines(codes[0]!, [own.serial_number], options());

    const chosen = { machines: [own.serial_number], groups: [group] };
    expect(await ofGeneration.add(id, chosen, options())).toEqual({ changed: true, covered: 3 });
    expect(await readGenerationAssigned(id)).toMatchObject({
      ownCodes: 1,
      effective: { count: 2, directCount: 1 },
    });
    expect(await ofGeneration.removeAll(id, options())).toMatchObject({ covered: 3 });
    expect((await getGenerationDetails(id)).byStatus).toEqual([
      { status: "active", codes: 1 },
      { status: "not_assigned", codes: 3 },
    ]);
    // A change of the generation writes no row of a code.
    expect((await setFactsOf(codes)).map((facts) => facts.version)).toEqual([2, 1, 1, 1]);
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
    await ofPromotion.add(id, { groups: [west, east] }, options());

    const { machines: direct, groups, effective } = await readPromotionMachines(id);
    expect(direct.map((machine) => machine.serialNumber)).toEqual(["E-1", "E-2", "E-5"]);
    expect(groups).toEqual([
      { id: east, name: "East", kind: "route", machineCount: 1 },
      { id: west, name: "West", kind: "site", machineCount: 2 },
    ]);
    expect(effective).toEqual({ count: 3, directCount: 2 });
    expect(await getPromotionDetails(id)).toMatchObject({ groups, effective });

    // A machine that joins a group, or comes back, is there at once.
    await insertMachine({ serial_number: "E-0" });
    await addMachines(east, ["E-0"], options());
    await db()("machines").where({ id: gone.id }).update({ is_deleted: false, deleted_at: null });
    expect((await readPromotionMachines(id)).effective).toEqual({ count: 5, directCount: 2 });
    await countPromotionsByMachine();
    const { machines: counted } = await listMachines({ serialNumber: "E-", page: 1, perPage: 25 });
    expect(
      counted
        .filter(({ serialNumber }) => /^E-\d$/.test(serialNumber))
        .map((machine) => machine.activePromotions),
    ).toEqual([1, 1, 1, 1, 1]);
  });

  test.each([
    [0, 0, 0, true, "Redeemable at 0 machines"],
    [0, 0, 2, true, "Redeemable at 0 machines"],
    [1, 1, 0, true, "Redeemable at 1 machine"],
    [1, 0, 1, true, "Redeemable at 1 machine: 0 directly, 1 through 1 group"],
    [3, 2, 2, true, "Redeemable at 3 machines: 2 directly, 1 through 2 groups"],
    [1_200, 3, 2, false, "Assigned to 1,200 machines: 3 directly, 1,197 through 2 groups"],
  ])(
    "%i of which %i directly, %i groups, active: %s: %s",
    (count, directCount, groups, ...rest) => {
      const [isActive, words] = rest;
      const assigned = { effective: { count, directCount }, groups: Array(groups) };
      expect(effectiveLabel(assigned, isActive)).toBe(words);
    },
  );
});

test("groups are deleted while they are assigned, and only requests for them are refused", async () => {
  const machine = await insertMachine();
  const machines = [machine.serial_number];
  for (let round = 0; round < repetitions(2, 12); round++) {
    const groups = [await insertGroup([machine.id]), await insertGroup(), await insertGroup()];
    const [one, two, three] = groups as [string, string, string];
    const single = await insertPromotion();
    const batch = await insertMassGeneration({ num_codes: 30 });
    await ofGeneration.add(batch, { groups: round % 2 ? [one, two] : [one] }, options());
    const codes = await codesOf(batch);
    const user = { actor: { ...actor, role: "user" as const } };
    const outcomes = await Promise.allSettled([
      deleteMachineGroup(one, options()),
      deleteMachineGroup(two, options()),
      ofPromotion.add(single, { groups }, options()),
      assignMachines(codes[0]!, machines, options()),
      ofPromotion.add(codes[1]!, { groups: [three] }, options()),
      applyBulk("assign", [codes[2]!], { machines, groups: [one] }, user),
      ofGeneration.add(batch, { groups: [one, two] }, options()),
      ofGeneration.removeAll(batch, options()),
      ofPromotion.add(single, { groups: [three] }, options()),
      ofGeneration.add(batch, { machines }, options()),
    ]);
    expect(outcomes.slice(0, 2).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({
          reason: "invalid",
          message: expect.stringMatching(
            /^A chosen group no longer exists\. Nothing was/,
          ) as string,
        });
    await expectLogToExplain(promotions, single);
    await expectLogToExplain(generations, batch);
  }
});

inSoak(test)("a generation of many codes is assigned and unassigned in less than 2 s", async () => {
  const id = await insertMassGeneration({ num_codes: 100_000 });
  const machine = await insertMachine();
  const group = await insertGroup([machine.id]);
  for (const change of [
    () => ofGeneration.add(id, { groups: [group] }, options()),
    () => ofGeneration.add(id, { machines: [machine.serial_number] }, options()),
    () => ofGeneration.removeAll(id, options()),
  ]) {
    const started = performance.now();
    await change();
    expect(performance.now() - started).toBeLessThan(2_000);
  }
});

inSoak(test)("a machine is added to 40,000 others within a moment of the event loop", async () => {
  const id = await insertPromotion();
  const { serial_number: serial } = await insertMachine();
  await db().raw(
    `with many as (
       insert into machines (serial_number, human_name)
       select gen_random_uuid(), 'Many' from generate_series(1, 40000) returning id)
     insert into assignments (set_id, machine_id) select cast(:setId as bigint), id from many`,
    { setId: await setIdOf("promotions", id) },
  );
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  expect((await assignMachines(id, [serial], options())).changed).toBe(true);
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(1_500);
});
