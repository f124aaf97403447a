import { describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { consumeRefreshQuota } from "../../app/features/machines/sync-machines.server";
import { copyPromotion } from "../../app/features/promotions/form/create-promotion.server";
import {
  getPromotion,
  readPromotionMachines,
} from "../../app/features/promotions/promotions.server";
import {
  assign,
  assignMachines,
  assignmentsOf,
  ofPromotion,
  setFactsOf,
} from "../factories/assignments";
import { insertMachine, insertMachines, insertUser } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { useDatabase } from "../support/postgres";

useDatabase();

const { actor, options } = useActor();

async function serialsOf(id: string): Promise<string[]> {
  const { machines } = await readPromotionMachines(id);
  return machines.map((machine) => machine.serialNumber);
}

type Audited = {
  action: string;
  details: { machines: { from: string[]; to: string[] }; groups?: object };
};
async function history(id: string): Promise<Audited[]> {
  return db()("audit_log").where({ subject_type: "promotion", subject_id: id }).orderBy("id");
}

const rowOf = (id: string) => setFactsOf([id]).then(([facts]) => facts!);

describe("machines of a promotion", () => {
  test("are added, removed and cleared, each once in the audit log", async () => {
    const id = await insertPromotion();
    const [a, b] = await insertMachines(2);
    const serials = [a!.serial_number, b!.serial_number].sort();
    expect(await assignMachines(id, [...serials, ...serials], options())).toMatchObject({
      changed: true,
    });
    expect(await serialsOf(id)).toEqual(serials);
    expect((await getPromotion(id)).status).toBe("active");
    // Nothing changes, nothing is written.
    expect(await assignMachines(id, serials, options())).toMatchObject({ changed: false });
    expect(await ofPromotion.removeMachine(id, serials[0]!, options())).toMatchObject({
      changed: true,
    });
    expect(await ofPromotion.removeMachine(id, serials[0]!, options())).toMatchObject({
      changed: false,
    });
    expect(await rowOf(id)).toMatchObject({ is_assigned: true, version: 3 });
    expect(await ofPromotion.removeAll(id, options())).toMatchObject({ changed: true });
    expect(await ofPromotion.removeAll(id, options())).toMatchObject({ changed: false });
    expect((await getPromotion(id)).status).toBe("not_assigned");
    expect(await rowOf(id)).toMatchObject({ is_assigned: false, version: 4 });
    expect(await history(id)).toMatchObject([
      { action: "promotion.machines_added", details: { machines: { from: [], to: serials } } },
      {
        action: "promotion.machine_removed",
        details: { machines: { from: serials, to: [serials[1]] } },
        actor_id: actor.id,
        request_id: "r-1",
      },
      {
        action: "promotion.machines_unassigned",
        details: { machines: { from: [serials[1]], to: [] } },
      },
    ]);
  });

  test("are never half added", async () => {
    const id = await insertPromotion();
    const [a] = await insertMachines(1);
    const gone = await insertMachine({ is_deleted: true });
    for (const [serials, sentence] of [
      [[a!.serial_number, gone.serial_number], `Not available: ${gone.serial_number}. Nothing`],
      [[a!.serial_number, "VM-nowhere"], "Not available: VM-nowhere. Nothing was added."],
      [[], "Choose at least one machine."],
      [["a\0b"], "A serial number is not valid"],
      [[""], "A serial number is not valid"],
      [Array.from({ length: 2001 }, (_, i) => `${i}`), "No more than 2,000 machines"],
    ] as const)
      await expect(assignMachines(id, serials, options())).rejects.toThrow(sentence);
    expect(await serialsOf(id)).toEqual([]);
    expect(await history(id)).toEqual([]);
  });

  test("that are deleted stay assigned, and can be removed", async () => {
    const id = await insertPromotion();
    const [a] = await insertMachines(1);
    await assignMachines(id, [a!.serial_number], options());
    await db()("machines")
      .where({ id: a!.id })
      .update({ is_deleted: true, deleted_at: new Date() });
    expect((await readPromotionMachines(id)).machines).toMatchObject([{ isDeleted: true }]);
    await ofPromotion.removeMachine(id, a!.serial_number, options());
    expect(await serialsOf(id)).toEqual([]);
  });

  test("of a deleted promotion can't be changed", async () => {
    const id = await insertPromotion({ is_deleted: true });
    const [a] = await insertMachines(1);
    for (const attempt of [
      () => assignMachines(id, [a!.serial_number], options()),
      () => ofPromotion.removeMachine(id, a!.serial_number, options()),
      () => ofPromotion.removeAll(id, options()),
    ])
      await expect(attempt()).rejects.toMatchObject({
        reason: "conflict",
        message: "This promotion is deleted. Its machines can't be changed.",
      });
  });

  test.each(["0", "x", "99999999", "1; drop table promotions"])(
    "%j is no promotion",
    async (id) => {
      await expect(readPromotionMachines(id)).rejects.toMatchObject({ reason: "not_found" });
      await expect(ofPromotion.removeAll(id, options())).rejects.toMatchObject({
        reason: "not_found",
      });
    },
  );

  test("that don't exist can't be removed", async () => {
    const id = await insertPromotion();
    for (const serial of ["nowhere", "a\0b", ""])
      await expect(ofPromotion.removeMachine(id, serial, options())).rejects.toMatchObject({
        reason: "not_found",
        message: "Machine not found",
      });
  });
});

test("groups are named, keep a code assigned, and go with 'Unassign All'", async () => {
  const id = await insertPromotion({ is_assigned: true });
  const [member, other] = await insertMachines(2);
  const [group] = await db()("machine_groups").insert({ name: "North" }).returning("id");
  await db()("machine_group_members").insert({ group_id: group.id, machine_id: member!.id });
  await assign("promotions", id, { group_id: group.id });
  await assignMachines(id, [other!.serial_number], options());
  expect(await readPromotionMachines(id)).toMatchObject({
    machines: [{ serialNumber: other!.serial_number }],
    groups: [{ name: "North", machineCount: 1 }],
  });
  await expect(ofPromotion.removeMachine(id, member!.serial_number, options())).rejects.toThrow(
    `${member!.serial_number} is assigned through the group North.`,
  );
  await ofPromotion.removeMachine(id, other!.serial_number, options());
  expect(await rowOf(id)).toMatchObject({ is_assigned: true });
  await ofPromotion.removeAll(id, options());
  expect(await rowOf(id)).toMatchObject({ is_assigned: false });
  expect((await history(id)).at(-1)!.details.groups).toEqual({ from: ["North"], to: [] });
});

describe("the codes of a mass generation", () => {
  async function generation(codes: number) {
    const shared = await insertMachines(2);
    const id = await insertGeneration({ name: "Batch", num_codes: codes });
    await assign("mass_generations", id, ...shared.map((machine) => ({ machine_id: machine.id })));
    const ids = await insertCodes(id, codes);
    return { ids, serials: shared.map((machine) => machine.serial_number).sort(), id };
  }

  test("share its machines until one of them is changed", async () => {
    const { ids, serials } = await generation(4);
    const [added, emptied, removed, untouched] = ids as [string, string, string, string];
    expect(await readPromotionMachines(added)).toMatchObject({ isShared: true });
    const [more] = await insertMachines(1);

    await assignMachines(added, [more!.serial_number], options());
    await ofPromotion.removeAll(emptied, options());
    await ofPromotion.removeMachine(removed, serials[0]!, options());
    expect(await serialsOf(added)).toEqual([...serials, more!.serial_number].sort());
    expect(await serialsOf(emptied)).toEqual([]);
    expect(await serialsOf(removed)).toEqual([serials[1]]);
    expect(await serialsOf(untouched)).toEqual(serials);
    for (const id of [added, emptied, removed])
      expect(await rowOf(id)).toMatchObject({ has_own_set: true, version: 2 });
    expect(await rowOf(emptied)).toMatchObject({ is_assigned: false });
    expect(await rowOf(untouched)).toMatchObject({ has_own_set: false, version: 1 });
    expect((await history(added))[0]!.details.machines).toEqual({
      from: serials,
      to: [...serials, more!.serial_number].sort(),
    });
  });

  test("keep sharing when nothing changes", async () => {
    const { ids, serials } = await generation(1);
    expect(await assignMachines(ids[0]!, serials, options())).toMatchObject({ changed: false });
    expect(await readPromotionMachines(ids[0]!)).toMatchObject({ isShared: true });
  });

  test("get their own once, however many ask at once", async () => {
    const { ids, serials } = await generation(1);
    const more = (await insertMachines(6)).map((machine) => machine.serial_number);
    await Promise.all(more.map((serial) => assignMachines(ids[0]!, [serial], options())));
    expect(await serialsOf(ids[0]!)).toEqual([...serials, ...more].sort());
    expect(await rowOf(ids[0]!)).toMatchObject({ version: 7 });
  });
});

test("50 changes at once: no deadlock, and the log in its order explains the end", async () => {
  const all = (await insertMachines(12)).map((machine) => machine.serial_number);
  const ids = [await insertPromotion(), await insertPromotion()];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const attempts = Array.from({ length: 50 }, (_, turn) => {
    const id = ids[turn % 2]!;
    const some = [...all].sort(() => random(3) - 1).slice(0, 1 + random(all.length));
    const kind = random(7);
    if (kind === 0) return ofPromotion.removeAll(id, options());
    if (kind < 3) return ofPromotion.removeMachine(id, some[0]!, options());
    return assignMachines(id, some, options());
  });
  const results = await Promise.allSettled(attempts);
  const failures = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as { code?: string }] : [],
  );
  expect(failures.filter(({ code }) => code === "40P01")).toHaveLength(0);
  expect(failures).toEqual([]);

  for (const id of ids) {
    const rows = await history(id);
    let state: string[] = [];
    for (const { details } of rows) {
      expect(details.machines.from).toEqual(state);
      state = details.machines.to;
    }
    expect(await serialsOf(id)).toEqual(state);
    expect(await rowOf(id)).toMatchObject({
      is_assigned: state.length > 0,
      version: 1 + rows.length,
    });
    expect(await assignmentsOf("promotions", id)).toHaveLength(state.length);
  }
});

describe("refreshing", () => {
  test("is once in 30 s for each person, however many ask at once", async () => {
    const [one, two] = [await insertUser(), await insertUser()];
    const waits = await Promise.all(Array.from({ length: 8 }, () => consumeRefreshQuota(one.id)));
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(1);
    for (const seconds of waits.filter((wait) => wait !== 0)) expect([29, 30]).toContain(seconds);
    expect(await consumeRefreshQuota(two.id)).toBe(0);
    await db()("rate_limits")
      .where({ key: `machines-refresh:${one.id}` })
      .update({ expire: db().raw("expire - 30000") });
    expect(await consumeRefreshQuota(one.id)).toBe(0);
    expect(await consumeRefreshQuota(one.id)).toBeGreaterThan(0);
  });
});

describe("a copy", () => {
  test("has every value, the machines that still exist, and no name", async () => {
    const id = await insertPromotion({
      name: "Sommer 🍹",
      discount_type: "free_drink",
      discount_value: 4,
      max_uses: 4,
      expires_at: new Date("2099-12-31T23:00:00Z"),
    });
    const [kept] = await insertMachines(1);
    const gone = await insertMachine({ is_deleted: true });
    await assignMachines(id, [kept!.serial_number], options());
    await assign("promotions", id, { machine_id: gone.id });
    expect(await copyPromotion(id)).toEqual({
      id,
      note: {
        kind: "info",
        text: expect.stringMatching(
          /^A copy of Sommer 🍹 \(.{4}-.{4}-.{4}\)\. Everything except the name is filled in\. Not copied: machines that are deleted from SmartVend\.$/,
        ),
      },
      values: {
        discount_type: "free_drink",
        discount: "4",
        is_single_use: false,
        is_renewable: false,
        expiration_date: "31/12/2099",
      },
      machines: [kept!.serial_number],
      groups: [],
    });
  });

  test("leaves a date out that has passed", async () => {
    const id = await insertPromotion({ expires_at: new Date("2020-01-01T23:00:00Z") });
    expect(await copyPromotion(id)).toMatchObject({
      values: { expiration_date: "" },
      note: { text: expect.stringContaining("Not copied: its expiration date, which has passed.") },
    });
  });

  test.each(["x", "0", "999999"])("of %s is none", async (id) => {
    expect(await copyPromotion(id)).toEqual({
      id: null,
      note: { kind: "warning", text: "The promotion to copy was not found. This form is empty." },
      values: null,
      machines: [],
      groups: [],
    });
  });

  test("is made only when it is asked for", async () => {
    expect(await copyPromotion(null)).toBeNull();
  });
});
