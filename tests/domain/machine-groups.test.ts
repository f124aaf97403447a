import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  deleteMachineGroup,
  previewGroupDeletion,
  withUse,
} from "../../app/features/assignments/group-assignments.server";
import {
  addMachines,
  listGroupMembers,
  listNonMembers,
  pasteMachines,
  removeMachines,
} from "../../app/features/machines/group-members.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { fieldError, nameText } from "../../app/forms/fields";
import {
  createMachineGroup,
  editMachineGroup,
  getMachineGroup,
  listGroupChoices,
  listMachineGroups,
  withGroupLocks,
} from "../../app/features/machines/machine-groups.server";
import { assign, editAlone, setFactsOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertMachines } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { makeChangesAtOnce } from "../support/changes-at-once";
import { countSessions, openTransaction } from "../support/database-sessions";
import { assertInvariants } from "../support/invariants";
import { everyNth } from "../support/naughty-strings";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();

const { actor, options } = useActor();
const create = (name: string, idempotencyKey: string | null = null) =>
  createMachineGroup({ name, kind: "site" }, { actor: actor, idempotencyKey });

type Audited = { action: string; details: Record<string, unknown> };
const history = (id: string): Promise<Audited[]> =>
  db()("audit_log").where({ subject_type: "machine_group", subject_id: id }).orderBy("id");

async function serialsIn(groupId: string): Promise<string[]> {
  const { machines } = await listGroupMembers(groupId, { page: 1, perPage: 5_000 });
  return machines.map((machine) => machine.serialNumber);
}

test("a change begins again if a group that it assigns is deleted meanwhile", async () => {
  const promotion = await insertPromotion();
  const group = await insertGroup();
  await deleteMachineGroup(group, options());
  const attempts: string[] = [];
  await withGroupLocks([], async (trx) => {
    attempts.push(group);
    const { set_id } = await trx("promotions").where({ id: promotion }).first("set_id");
    if (attempts.length === 1) await trx("assignments").insert({ set_id, group_id: group });
  });
  expect(attempts).toHaveLength(2);
});

describe("a group", () => {
  test("takes an edit that is sent again after a lost answer for done, and keeps what somebody else saved since", async () => {
    const { id } = await create("Lost answer");
    const edit = { name: "First", kind: "route" as const, version: 1 };
    const sent = { ...options(), idempotencyKey: "lost-answer" };
    await editMachineGroup(id, edit, sent);
    await editMachineGroup(id, { ...edit, name: "Second", version: 2 }, options());
    expect(await editMachineGroup(id, edit, sent)).toEqual({ changed: true });
    expect(await getMachineGroup(id)).toMatchObject({ name: "Second", version: 3 });
  });

  test("is made, read, edited, each once in the audit log", async () => {
    const { id } = await create("Central Station");
    expect((await withUse([await getMachineGroup(id)]))[0]).toMatchObject({
      id,
      name: "Central Station",
      kind: "site",
      version: 1,
      machines: { live: 0, deleted: 0 },
      assigned: { promotions: 0, generations: 0, codes: 0 },
    });
    const edit = { name: "Central Station", kind: "route" as const, version: 1 };
    expect(await editMachineGroup(id, edit, options())).toEqual({ changed: true });
    // The same once more is no conflict, and no change.
    expect(await editMachineGroup(id, edit, options())).toEqual({ changed: false });
    await expect(editMachineGroup(id, { ...edit, name: "Other" }, options())).rejects.toMatchObject(
      {
        reason: "conflict",
        message: expect.stringContaining("Someone else changed this group after you opened it."),
      },
    );
    expect(await getMachineGroup(id)).toMatchObject({ name: "Central Station", version: 2 });
    expect(await history(id)).toMatchObject([
      { action: "machine_group.created", details: { name: "Central Station", kind: "site" } },
      {
        action: "machine_group.edited",
        details: { kind: { from: "site", to: "route" } },
        actor_id: actor.id,
        request_id: "r-1",
      },
    ]);
  });

  test("is created once for one idempotency key, however many requests arrive at once", async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => create("Once", "key-1")));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ wasReplayed }) => !wasReplayed)).toHaveLength(1);
    await expect(create("Twice", "key-1")).rejects.toMatchObject({ reason: "conflict" });
  });

  test("has a name of its own, whatever the case", async () => {
    const { id } = await create("Airport");
    const taken = { reason: "invalid", fields: { name: "A group with this name already exists" } };
    await expect(create("AIRPORT")).rejects.toMatchObject(taken);
    const other = await create("Harbour");
    const edit = { name: "airport", kind: "site" as const, version: 1 };
    await expect(editMachineGroup(other.id, edit, options())).rejects.toMatchObject(taken);
    // Its own in another case it may have.
    await editMachineGroup(id, edit, options());
    expect((await getMachineGroup(id)).name).toBe("airport");
    const rivals = await Promise.allSettled(
      Array.from({ length: 8 }, () => create("Wanted by many")),
    );
    expect(rivals.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const rival of rivals)
      if (rival.status === "rejected") expect(rival.reason).toMatchObject(taken);
  });

  test.each(["0", "x", "99999999", "1; drop table machine_groups", "9223372036854775808"])(
    "%j is none",
    async (id) => {
      const edit = { name: "A", kind: "site" as const, version: 1 };
      for (const attempt of [
        () => getMachineGroup(id),
        () => editMachineGroup(id, edit, options()),
        () => deleteMachineGroup(id, options()),
        () => addMachines(id, ["VM-1"], options()),
        () => pasteMachines(id, "VM-1", options()),
        () => removeMachines(id, ["VM-1"], options()),
      ])
        await expect(attempt()).rejects.toMatchObject({ reason: "not_found" });
    },
  );

  test("may have any name that can be stored, byte for byte", async () => {
    let stored = 0;
    const hostile = ["a\0b", "\ud800", "😀".repeat(200), "'; drop table users; --"];
    for (const text of [...everyNth(12), ...hostile]) {
      const name = text.trim();
      if (fieldError(nameText(), text.trim()) !== null) continue;
      const made = await create(name).catch((cause: { fields: object }) => cause.fields);
      if (!("id" in made)) {
        expect(made).toEqual({ name: "A group with this name already exists" });
        continue;
      }
      expect((await getMachineGroup(made.id)).name).toBe(name);
      stored += 1;
    }
    expect(stored).toBeGreaterThan(25);
    for (const wrong of ["", "  ", "a\0b", "\ud800", "x".repeat(201)])
      expect(fieldError(nameText(), wrong.trim())).not.toBeNull();
    await db()("machine_groups").delete();
  });
});

describe("the list", () => {
  test("is by name, searched, in pages, with what each group holds and is for", async () => {
    const [a, b] = [await insertMachine(), await insertMachine()];
    const gone = await insertMachine({ is_deleted: true });
    const north = await insertGroup([a.id, b.id, gone.id], { name: "north 100%_\\" });
    const south = await insertGroup([], { name: "South" });
    await insertGroup([], { name: "Middle", kind: "route" });
    const single = await insertPromotion({ is_assigned: true });
    const deleted = await insertPromotion({ is_assigned: true, is_deleted: true });
    const generation = await insertMassGeneration({ num_codes: 4, is_assigned: true });
    await assign("promotions", single, { group_id: north });
    await assign("promotions", deleted, { group_id: north });
    await assign("mass_generations", generation, { group_id: north });

    const { groups, total } = await listMachineGroups({ page: 1, perPage: 25 });
    expect(total).toBe(3);
    expect(groups.map((group) => group.name)).toEqual(["Middle", "north 100%_\\", "South"]);
    expect((await withUse(groups))[1]).toMatchObject({
      machines: { live: 2, deleted: 1 },
      assigned: { promotions: 1, generations: 1, codes: 4 },
    });
    expect(await listGroupChoices()).toMatchObject([
      { name: "Middle", kind: "route", machineCount: 0 },
      { id: north, machineCount: 2 },
      { id: south },
    ]);
    for (const [search, names] of [
      ["SOU", ["South"]],
      [" th ", ["north 100%_\\", "South"]],
      ["%_\\", ["north 100%_\\"]],
      ["' or 1=1", []],
    ] as const)
      expect(
        (await listMachineGroups({ search, page: 1, perPage: 25 })).groups.map(({ name }) => name),
      ).toEqual(names);
    const last = await listMachineGroups({ page: 9, perPage: 2 });
    expect(last).toMatchObject({ page: 2, total: 3, groups: [{ name: "South" }] });
  });
});

describe("machines of a group", () => {
  test("are pasted: every serial number is accounted for", async () => {
    const id = await insertGroup();
    for (const serial of ["P-1", "P-2", "P-3", "p-3"])
      await insertMachine({ serial_number: serial });
    await insertMachine({ serial_number: "P-old", is_deleted: true });
    await addMachines(id, ["P-1"], options());
    expect(await pasteMachines(id, "p-1, P-2\nP-OLD;nowhere\tP-3\r\n\r\nx y", options())).toEqual({
      added: ["P-2", "P-3"],
      alreadyIn: ["P-1"],
      deleted: ["P-old"],
      unknown: ["nowhere", "x", "y"],
      ambiguous: [],
    });
    const doubtful = await pasteMachines(id, "P-2\nP-3", options());
    expect(doubtful).toMatchObject({ added: [], alreadyIn: ["P-2", "P-3"] });
    await insertMachine({ serial_number: "P-x" });
    await insertMachine({ serial_number: "P-X" });
    expect(await pasteMachines(id, "p-x", options())).toMatchObject({ ambiguous: ["p-x"] });
    expect(await serialsIn(id)).toEqual(["P-1", "P-2", "P-3"]);
    expect(await history(id)).toMatchObject([
      { action: "machine_group.machines_added", details: { machines_added: { to: ["P-1"] } } },
      { details: { machines_added: { from: null, to: ["P-2", "P-3"] } } },
    ]);
  });

  test("are pasted by the thousand, and refused beyond", async () => {
    const id = await insertGroup();
    const known = repetitions(100, 2_000);
    await db().raw(
      "insert into machines (serial_number, human_name) select 'BULK-' || n, '' from generate_series(1, ?::integer) n",
      [known],
    );
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `bulk-${index + 1}`).join("\n");
    const { added, unknown } = await pasteMachines(id, lines(2_000), options());
    expect([added.length, unknown.length]).toEqual([known, 2_000 - known]);
    const tooMany = "No more than 2,000 serial numbers can be added at once, and these are 5,000.";
    await expect(pasteMachines(id, lines(5_000), options())).rejects.toThrow(tooMany);
    // Separated by spaces alone they are counted just so.
    const inOneLine = lines(5_000).replaceAll("\n", " ");
    await expect(pasteMachines(id, inOneLine, options())).rejects.toThrow(tooMany);
    await expect(pasteMachines(id, " \n", options())).rejects.toMatchObject({
      fields: { serials: "Enter at least one serial number" },
    });
    await db()("machine_group_members").where({ group_id: id }).delete();
    await db()("machines").where("serial_number", "like", "BULK-%").delete();
  });

  test("are chosen, all or none", async () => {
    const id = await insertGroup();
    const [a, b] = [await insertMachine(), await insertMachine()];
    const gone = await insertMachine({ is_deleted: true });
    expect(await addMachines(id, [a.serial_number, b.serial_number], options())).toMatchObject({
      alreadyIn: [],
    });
    for (const wrong of [gone.serial_number, "nowhere", "a\0b", ""])
      await expect(addMachines(id, [wrong], options())).rejects.toThrow(
        `Not available: ${wrong}. Nothing was added.`,
      );
    expect((await serialsIn(id)).sort()).toEqual([a.serial_number, b.serial_number].sort());
    const others = (await listNonMembers(id)).map((machine) => machine.serialNumber);
    expect(others).not.toContain(a.serial_number);
    expect(others).not.toContain(gone.serial_number);
    expect(await removeMachines(id, [a.serial_number, "nowhere"], options())).toEqual({
      removed: [a.serial_number],
    });
    expect(await removeMachines(id, [a.serial_number], options())).toEqual({ removed: [] });
    await expect(removeMachines(id, [], options())).rejects.toThrow("Choose at least one machine");
    expect((await history(id)).map(({ action }) => action)).toEqual([
      "machine_group.machines_added",
      "machine_group.machines_removed",
    ]);
  });

  test("are listed by serial number, searched and in pages, deleted ones too", async () => {
    const machines = [
      await insertMachine({ serial_number: "L-1", human_name: "Lobby" }),
      await insertMachine({ serial_number: "L-2", human_name: "Canteen" }),
      await insertMachine({ serial_number: "L-3", human_name: "lobby", is_deleted: true }),
    ];
    const id = await insertGroup(machines.map((machine) => machine.id));
    const list = await listGroupMembers(id, { search: " LOBBY ", page: 1, perPage: 25 });
    expect(list).toEqual({
      total: 2,
      page: 1,
      machines: [
        { serialNumber: "L-1", humanName: "Lobby", isDeleted: false },
        { serialNumber: "L-3", humanName: "lobby", isDeleted: true },
      ],
    });
    const last = await listGroupMembers(id, { page: 9, perPage: 2 });
    expect(last).toMatchObject({ page: 2, total: 3, machines: [{ serialNumber: "L-3" }] });
  });

  test("50 changes at once: no deadlock, and the log in its order explains the end", async () => {
    const all = (await insertMachines(12)).map((machine) => machine.serial_number);
    const groups = [await insertGroup(), await insertGroup()];
    await makeChangesAtOnce(11, (turn, { below, some }): Promise<unknown> => {
      const id = groups[turn % 2]!;
      const kind = below(5);
      if (kind === 0) return removeMachines(id, all, options());
      if (kind === 1) return removeMachines(id, some(all), options());
      if (kind === 2) return pasteMachines(id, some(all).join(";"), options());
      return addMachines(id, some(all), options());
    });
    for (const id of groups) {
      const state = new Set<string>();
      for (const { details } of await history(id)) {
        const { machines_added: added, machines_removed: removed } = details as Record<
          string,
          { from: string[] | null; to: string[] | null } | undefined
        >;
        for (const serial of added?.to ?? []) {
          expect(state.has(serial)).toBe(false);
          state.add(serial);
        }
        for (const serial of removed?.from ?? []) expect(state.delete(serial)).toBe(true);
      }
      expect(await serialsIn(id)).toEqual([...state].sort());
    }
  });
});

describe("deleting a group", () => {
  const rowOf = (table: string, id: string) =>
    db()(table)
      .join("assignment_sets as s", "s.id", "set_id")
      .where(`${table}.id`, id)
      .first("is_assigned", "version");

  test("says what it changes, and changes just that", async () => {
    const machine = await insertMachine();
    const [group, other] = [await insertGroup([machine.id], { name: "Gone" }), await insertGroup()];
    const bare = await insertPromotion({ is_assigned: true });
    const otherwiseAssigned = await insertPromotion({ is_assigned: true });
    const untouched = await insertPromotion({ is_assigned: true });
    await assign("promotions", bare, { group_id: group });
    await assign("promotions", otherwiseAssigned, { group_id: group }, { machine_id: machine.id });
    await assign("promotions", untouched, { group_id: other });
    const bareBatch = await insertMassGeneration({ num_codes: 5, is_assigned: true });
    const keptBatch = await insertMassGeneration({ num_codes: 3, is_assigned: true });
    await assign("mass_generations", bareBatch, { group_id: group });
    await assign("mass_generations", keptBatch, { group_id: group }, { group_id: other });
    // One code of the batch has machines of its own.
    const own = await db()("promotions").where({ mass_generation_id: bareBatch }).first("id");
    await editAlone(own.id);
    await assign("promotions", own.id, { machine_id: machine.id });

    const unassigned = {
      promotions: 2,
      generations: 2,
      codes: 7,
      unassignedAfter: { promotions: 1, generations: 1, codes: 4 },
    };
    expect(await previewGroupDeletion(group)).toEqual(unassigned);
    expect(await deleteMachineGroup(group, options())).toEqual({ ...unassigned, name: "Gone" });

    expect(await rowOf("promotions", bare)).toEqual({ is_assigned: false, version: 1 });
    expect(await rowOf("promotions", otherwiseAssigned)).toEqual({ is_assigned: true, version: 1 });
    expect(await rowOf("promotions", untouched)).toEqual({ is_assigned: true, version: 1 });
    expect(await rowOf("promotions", own.id)).toEqual({ is_assigned: true, version: 1 });
    expect(await rowOf("mass_generations", bareBatch)).toMatchObject({ is_assigned: false });
    expect(await rowOf("mass_generations", keptBatch)).toMatchObject({ is_assigned: true });
    const codes = await db()("promotions").where({ mass_generation_id: bareBatch }).pluck("id");
    const shared = (await setFactsOf(codes)).filter((facts) => !facts.has_own_set);
    expect(shared).toHaveLength(4);
    for (const facts of shared) expect(facts).toMatchObject({ is_assigned: false, version: 1 });
    expect(await db()("machine_group_members").where({ group_id: group })).toEqual([]);
    await expect(deleteMachineGroup(group, options())).rejects.toMatchObject({
      reason: "not_found",
    });

    expect((await history(group)).at(-1)).toMatchObject({
      action: "machine_group.deleted",
      details: { name: { from: "Gone", to: null }, ...unassigned },
    });
    const noted = await db()("audit_log").where("action", "like", "%.group_deleted").orderBy("id");
    expect(noted).toMatchObject([
      { subject_type: "promotion", subject_ids: [bare, otherwiseAssigned], covered: 2 },
      { subject_type: "mass_generation", subject_id: bareBatch, covered: 5 },
      { subject_type: "mass_generation", subject_id: keptBatch, covered: 3 },
    ]);
  });

  test("keeps no redemption of its codes waiting", async () => {
    const group = await insertGroup();
    const target = await insertRedeemable();
    await assign("promotions", target.id, { group_id: group });
    const holder = await openTransaction();
    await holder("assignments").where({ group_id: group }).forUpdate();
    const deletion = deleteMachineGroup(group, options());
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    const { secret } = await makeKey();
    expect(outcomeOf(await redeem(request(target), secret))).toBe("applied");
    await holder.commit();
    await deletion;
    await assertInvariants();
  });

  test(
    "of many codes takes seconds, while codes of it are redeemed",
    { timeout: 120_000 },
    async () => {
      const group = await insertGroup();
      const batch = await insertMassGeneration({
        num_codes: repetitions(1_000, 100_000),
        is_assigned: true,
        discount_type: "percentage",
        discount_value: 5,
      });
      await assign("mass_generations", batch, { group_id: group });
      const ids = await db()("promotions")
        .where({ mass_generation_id: batch })
        .orderBy("id", "desc")
        .limit(300)
        .pluck<string[]>("id");
      let isOver = false;
      const started = performance.now();
      const deletion = deleteMachineGroup(group, options()).finally(() => (isOver = true));
      // A redemption locks one code, in no particular order.
      const redeem = async (offset: number) => {
        let done = 0;
        for (let turn = offset; !isOver; turn += 7) {
          await db().raw(
            "update promotions set activation_count = activation_count + 1 where id = :id",
            { id: ids[turn % ids.length]! },
          );
          done += 1;
        }
        return done;
      };
      const redemptions = await Promise.allSettled([redeem(0), redeem(100), redeem(200)]);
      await deletion;
      const seconds = (performance.now() - started) / 1_000;
      expect(seconds).toBeLessThan(30);
      for (const outcome of redemptions)
        if (outcome.status === "rejected")
          // One that had to wait for the deletion gives up after the pool's 2 s, and is sent again.
          expect(outcome.reason).toMatchObject({ code: "55P03" });
      expect(await rowOf("mass_generations", batch)).toMatchObject({ is_assigned: false });
    },
  );
});

test("the use of a group counts a code that was edited alone by its own assignments, not with its mass generation", async () => {
  const group = await insertGroup([], { name: "Own sets" });
  const generation = await insertMassGeneration({ num_codes: 4 });
  await assign("mass_generations", generation, { group_id: group });
  const codes = db()("promotions").where({ mass_generation_id: generation });
  const [stays, leaves] = (await codes.orderBy("id").pluck("id")) as [string, string];
  await editAlone(stays, leaves);
  await assign("promotions", stays, { group_id: group });

  expect((await withUse([await getMachineGroup(group)]))[0]).toMatchObject({
    assigned: { promotions: 1, generations: 1, codes: 2 },
  });
});
