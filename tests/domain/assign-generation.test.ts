import { getGenerationDetails } from "../../app/features/mass-generations/generation-details.server";
import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { deleteMachineGroup } from "../../app/features/assignments/group-assignments.server";
import { addMachines } from "../../app/features/machines/group-members.server";
import { listMachines } from "../../app/features/machines/machines.server";
import {
  readGenerationAssigned,
  copyMassGeneration,
} from "../../app/features/mass-generations/mass-generation.server";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { readPromotionMachines } from "../../app/features/promotions/promotions.server";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { generationHistory } from "../../app/features/activity/audit-log.server";
import { assignMachines, ofGeneration, ofPromotion, setFactsOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { newPromotion } from "../factories/promotions";
import { useActor, type AuditedTargets } from "../support/actor";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();
const { actor, options } = useActor();
const onlyMachines = (...machines: string[]) => ({ machines, groups: [] });
const onlyGroups = (...groups: string[]) => ({ machines: [], groups });

const codesOf = (id: string) =>
  db()("promotions").where({ mass_generation_id: id }).orderBy("id").pluck<string[]>("id");
const statesOf = async (id: string): Promise<[boolean, boolean][]> =>
  (await setFactsOf(await codesOf(id))).map((facts) => [facts.has_own_set, facts.is_assigned]);

type Audited = { action: string; covered: number; details: AuditedTargets };
const history = (id: string): Promise<Audited[]> =>
  db()("audit_log").where({ subject_type: "mass_generation", subject_id: id }).orderBy("id");

describe("machines and groups of a generation", () => {
  test("are those of all its codes, but of those edited alone", async () => {
    const id = await insertMassGeneration({ num_codes: 4 });
    const [alone] = await codesOf(id);
    const [a, b] = [await insertMachine(), await insertMachine()];
    const group = await insertGroup([b.id], { name: "North" });
    await assignMachines(alone!, [a.serial_number], options());

    const chosen = { machines: [a.serial_number], groups: [group] };
    expect(await ofGeneration.add(id, chosen, options())).toEqual({ changed: true, covered: 3 });
    expect(await ofGeneration.add(id, chosen, options())).toEqual({ changed: false, covered: 0 });
    expect(await readGenerationAssigned(id)).toMatchObject({
      ownCodes: 1,
      machines: [{ serialNumber: a.serial_number }],
      groups: [{ id: group }],
      effective: { count: 2, directCount: 1 },
    });
    expect((await getGenerationDetails(id)).status).toBe("active");
    expect(await statesOf(id)).toEqual([
      [true, true],
      [false, true],
      [false, true],
      [false, true],
    ]);

    await ofGeneration.removeMachine(id, a.serial_number, options());
    await expect(ofGeneration.removeMachine(id, "nowhere", options())).rejects.toThrow(
      "Machine not found",
    );
    await expect(ofGeneration.removeMachine(id, b.serial_number, options())).rejects.toThrow(
      `${b.serial_number} is assigned through the group North.`,
    );
    expect(await statesOf(id)).toContainEqual([false, true]);
    await ofGeneration.removeGroup(id, group, options());
    expect(await ofGeneration.removeGroup(id, group, options())).toMatchObject({
      changed: false,
    });
    // The code with machines of its own still has them.
    expect((await getGenerationDetails(id)).byStatus).toEqual([
      { status: "active", codes: 1 },
      { status: "not_assigned", codes: 3 },
    ]);
    expect(await statesOf(id)).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
    expect(await history(id)).toMatchObject([
      {
        action: "mass_generation.machines_and_groups_added",
        covered: 3,
        details: {
          machines: { from: [], to: [a.serial_number] },
          groups: { from: [], to: ["North"] },
        },
        actor_id: actor.id,
        request_id: "r-1",
      },
      { action: "mass_generation.machine_removed", covered: 3 },
      { action: "mass_generation.group_removed", details: { groups: { to: [] } } },
    ]);
    expect((await generationHistory(id, "UTC"))[0]).toMatchObject({
      action: "Group removed (3 codes)",
    });
  });

  test("leave the rows of the codes as they are", async () => {
    const id = await insertMassGeneration({ num_codes: 2 });
    const [a, b] = [await insertMachine(), await insertMachine()];
    const versions = () =>
      db()("promotions").where({ mass_generation_id: id }).distinct("version").pluck("version");
    await ofGeneration.add(id, onlyMachines(a.serial_number), options());
    await ofGeneration.add(id, onlyMachines(b.serial_number), options());
    await ofGeneration.removeMachine(id, a.serial_number, options());
    await ofGeneration.removeAll(id, options());
    expect(await ofGeneration.removeAll(id, options())).toMatchObject({ changed: false });
    expect(await versions()).toEqual([1]);
    expect(await db()("mass_generations").where({ id }).first("version")).toEqual({ version: 5 });
  });

  test("are refused where nothing is changed then", async () => {
    const id = await insertMassGeneration({ num_codes: 2 });
    const gone = await insertMachine({ is_deleted: true });
    for (const [chosen, sentence] of [
      [onlyMachines(), "Choose at least one machine."],
      [onlyMachines(gone.serial_number), "Not available:"],
      [onlyMachines("a\0b"), "A serial number is not valid"],
      [onlyGroups("99999"), "A chosen group no longer exists. Nothing was added."],
      [onlyGroups("x"), "A group is not valid"],
    ] as const)
      await expect(ofGeneration.add(id, chosen, options())).rejects.toThrow(sentence);
    expect(await history(id)).toEqual([]);
    const deleted = await insertMassGeneration({ num_codes: 1, is_deleted: true });
    await expect(ofGeneration.removeAll(deleted, options())).rejects.toMatchObject({
      reason: "conflict",
      message: "This mass generation is deleted. Its machines can't be changed.",
    });
    for (const wrong of ["0", "x", "99999999"])
      await expect(ofGeneration.removeAll(wrong, options())).rejects.toMatchObject({
        reason: "not_found",
      });
  });

  test("are given when it is made, copied, and counted with who joins later", async () => {
    const early = await insertMachine({ serial_number: "G-1" });
    const group = await insertGroup([early.id]);
    const input = { ...newPromotion({ groups: [group] }), numCodes: 5 };
    const { id } = await createMassGeneration(input, { actor: actor, idempotencyKey: null });
    expect((await getGenerationDetails(id)).status).toBe("active");
    expect(new Set((await statesOf(id)).map(String))).toEqual(new Set(["false,true"]));
    expect((await copyMassGeneration(id))?.groups).toEqual([group]);
    await insertMachine({ serial_number: "G-2" });
    await addMachines(group, ["G-2"], options());
    expect((await readGenerationAssigned(id)).effective).toEqual({ count: 2, directCount: 0 });
    await countPromotionsByMachine();
    const { machines } = await listMachines({ serialNumber: "G-", page: 1, perPage: 25 });
    expect(machines.map((machine) => machine.activePromotions)).toEqual([5, 5]);
    const missing = { ...input, groups: ["99999"] };
    await expect(
      createMassGeneration(missing, { actor: actor, idempotencyKey: null }),
    ).rejects.toThrow("A chosen group no longer exists. Nothing was created.");
  });
});

describe("at once", () => {
  test("50 changes: no deadlock, and the log in its order explains the end", async () => {
    const serials: string[] = [];
    for (let i = 0; i < 8; i++) serials.push((await insertMachine()).serial_number);
    const groups = [await insertGroup(), await insertGroup(), await insertGroup()];
    const ids = [
      await insertMassGeneration({ num_codes: 20 }),
      await insertMassGeneration({ num_codes: 20 }),
    ];
    const codes = [await codesOf(ids[0]!), await codesOf(ids[1]!)];
    let seed = 3;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const some = <Kind>(all: Kind[]) =>
      [...all].sort(() => random(3) - 1).slice(0, 1 + random(all.length));
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, turn): Promise<unknown> => {
        const id = ids[turn % 2]!;
        const kind = random(8);
        if (kind === 0) return ofGeneration.removeAll(id, options());
        if (kind === 1) return ofGeneration.removeMachine(id, some(serials)[0]!, options());
        if (kind === 2) return ofGeneration.removeGroup(id, some(groups)[0]!, options());
        // Codes leave the common machines meanwhile.
        if (kind === 3) return assignMachines(some(codes[turn % 2]!)[0]!, some(serials), options());
        if (kind === 4) return ofPromotion.removeAll(some(codes[turn % 2]!)[0]!, options());
        const chosen = { machines: some(serials), groups: kind === 5 ? some(groups) : [] };
        return ofGeneration.add(id, chosen, options());
      }),
    );
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const id of ids) await expectSerial(id);
  });

  test("groups are deleted while they are assigned", async () => {
    const machine = await insertMachine();
    for (let round = 0; round < 12; round++) {
      const groups = [await insertGroup(), await insertGroup()];
      const id = await insertMassGeneration({ num_codes: 30 });
      const [code] = await codesOf(id);
      await ofGeneration.add(id, onlyGroups(groups[0]!), options());
      const outcomes = await Promise.allSettled([
        ofGeneration.add(id, onlyGroups(...groups), options()),
        deleteMachineGroup(groups[0]!, options()),
        assignMachines(code!, [machine.serial_number], options()),
        ofGeneration.removeAll(id, options()),
        deleteMachineGroup(groups[1]!, options()),
        ofGeneration.add(id, onlyMachines(machine.serial_number), options()),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          expect(outcome.reason).toMatchObject({
            message: "A chosen group no longer exists. Nothing was added.",
          });
      expect(outcomes[1]!.status).toBe("fulfilled");
      expect(outcomes[4]!.status).toBe("fulfilled");
      await expectSerial(id);
    }
  });

  /** Asserts that replaying the audit log ends with the current state. */
  async function expectSerial(id: string): Promise<void> {
    let [machines, groups]: [string[], string[]] = [[], []];
    for (const { details } of await history(id)) {
      if (details.machines) {
        expect(details.machines.from).toEqual(machines);
        machines = details.machines.to;
      }
      if (details.groups) {
        expect(details.groups.from).toEqual(groups);
        groups = details.groups.to;
      }
      const removed = details.groups_removed?.from ?? [];
      groups = groups.filter((name) => !removed.includes(name));
    }
    const now = await readGenerationAssigned(id);
    expect(now.machines.map((machine) => machine.serialNumber)).toEqual(machines);
    expect(now.groups.map((group) => group.name).sort()).toEqual(groups);
    for (const code of await codesOf(id)) {
      const own = await readPromotionMachines(code);
      const [facts] = await setFactsOf([code]);
      expect(facts!.is_assigned).toBe(own.machines.length + own.groups.length > 0);
    }
  }
});

test(
  "a generation of many codes is assigned and unassigned in less than 2 s",
  { timeout: 120_000 },
  async () => {
    const id = await insertMassGeneration({ num_codes: repetitions(5_000, 100_000) });
    const group = await insertGroup([(await insertMachine()).id]);
    const timed = async (work: Promise<unknown>) => {
      const started = performance.now();
      await work;
      return (performance.now() - started) / 1_000;
    };
    const [first, second, last] = [
      await timed(ofGeneration.add(id, onlyGroups(group), options())),
      await timed(
        ofGeneration.add(id, onlyMachines((await insertMachine()).serial_number), options()),
      ),
      await timed(ofGeneration.removeAll(id, options())),
    ];
    for (const seconds of [first, second, last]) expect(seconds).toBeLessThan(2);
  },
);
