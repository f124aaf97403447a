import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { runChunks } from "../../app/features/promotions/lifecycle/lifecycle-operations.server";
import {
  prepareBulk,
  startBulk,
} from "../../app/features/promotions/lifecycle/bulk-actions.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { deleteMachineGroup } from "../../app/features/assignments/group-assignments.server";
import { editPromotion } from "../../app/features/promotions/form/edit-promotion.server";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import {
  deactivatePromotion,
  deleteMassGeneration,
  deletePromotion,
  reactivatePromotion,
  restoreMassGeneration,
} from "../factories/lifecycle";
import { assign, assignMachines, assignmentsOf, ofPromotion } from "../factories/assignments";
import { applyBulk, confirmBulk, resumeOperations } from "../factories/bulk";
import { insertGroup } from "../factories/machine-groups";
import { insertActor, insertMachine } from "../factories/people-and-machines";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertPromotion } from "../factories/promotions";
import { makeKey, outcomeOf, request } from "../factories/redemptions";
import { afterNextChunk, crashIn, useChunksOfTwo } from "../support/between-chunks";
import { countSessions, lockTable } from "../support/database-sessions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";

const changeGeneration =
  (action: Parameters<typeof changeLifecycle>[1]) =>
  (id: string, options: Parameters<typeof changeLifecycle>[2]) =>
    changeLifecycle({ type: "mass_generation", id }, action, options);
const deactivateMassGeneration = changeGeneration("deactivate");
const reactivateMassGeneration = changeGeneration("reactivate");
const extendMassGeneration = changeGeneration("extend");

useDatabase();
useChunksOfTwo();

const before = new Date("2098-12-31T23:00:00Z");
const after = new Date("2099-12-31T23:00:00Z");
let admin: { id: string; email: string; role: "admin" };

beforeEach(async () => {
  admin = await insertActor("admin");
});
afterAll(assertInvariants);

type Code = { id: string; code: string; version: number };

async function insertGeneration(row: Record<string, unknown> = {}) {
  const values = { discount_type: "percentage", discount_value: 25, ...row };
  const id = await insertMassGeneration({ num_codes: 6, ...values });
  return { id, codes: await rowsOf(id) };
}

async function rowsOf(generationId: string): Promise<Code[]> {
  return db()("promotions").where({ mass_generation_id: generationId }).orderBy("id");
}

async function statusesOf(codes: Code[]): Promise<string[]> {
  return Promise.all(codes.map(async ({ id }) => (await getPromotion(id)).status));
}

function bulk(action: "deactivate" | "delete" | "extend", ids: string[]) {
  const expirationDate = action === "extend" ? "2099-12-31" : null;
  return applyBulk(action, ids, { expirationDate }, { actor: admin });
}

const pending = () => db()("lifecycle_operations").whereNull("done_at");
const audited = () => db()("audit_log").where({ actor_id: admin.id });

describe("an action that a crash stopped between two chunks", () => {
  test("is continued by the maintenance to its end, each code once", async () => {
    const { id, codes } = await insertGeneration();
    await crashIn(() => deleteMassGeneration(id, { actor: admin }));
    const half = await rowsOf(id);
    expect(half.map(({ version }) => version)).toEqual([2, 2, 1, 1, 1, 1]);
    await resumeOperations();
    const done = await rowsOf(id);
    expect(done.map(({ version }) => version)).toEqual(codes.map(() => 2));
    expect(await db()("promotions").where({ mass_generation_id: id, is_deleted: false })).toEqual(
      [],
    );
    expect(await pending()).toEqual([]);
    expect(await audited()).toMatchObject([{ action: "mass_generation.deleted", covered: 6 }]);
  });

  test("is continued by whoever asks for the same again, who hears when it is done", async () => {
    const { id } = await insertGeneration();
    await crashIn(() => deleteMassGeneration(id, { actor: admin }));
    const repeated = await deleteMassGeneration(id, { actor: admin });
    expect(repeated).toEqual({ changed: false, covered: 0 });
    expect(await pending()).toEqual([]);
  });

  test("is continued by the same request of a selection, with the same result", async () => {
    const ids = [await insertPromotion(), await insertPromotion(), await insertPromotion()];
    const id = await prepareBulk("deactivate", { kind: "ticked", ids }, admin);
    const confirm = () => confirmBulk(id, {}, { actor: admin });
    await crashIn(confirm);
    const result = await confirm();
    expect(result).toMatchObject({ codes: 3, singles: 3, refusals: { reasons: [] } });
    expect(await confirm()).toEqual(result);
    expect(await db()("promotions").whereIn("id", ids).pluck("version")).toEqual([2, 2, 2]);
    expect(await audited()).toHaveLength(1);
  });
});

test("several processes share an operation, and each code changes once", async () => {
  const { id } = await insertGeneration({ num_codes: 40 });
  afterNextChunk(resumeOperations);
  const results = await Promise.all(
    Array.from({ length: 5 }, () => deactivateMassGeneration(id, { actor: admin })),
  );
  expect(results.filter(({ changed }) => changed)).toEqual([{ changed: true, covered: 40 }]);
  expect(await pending()).toEqual([]);
  const versions = new Set((await rowsOf(id)).map(({ version }) => version));
  expect(versions).toEqual(new Set([2]));
  expect(await audited()).toMatchObject([{ action: "mass_generation.deactivated", covered: 40 }]);
});

describe("between two chunks, a code whose turn has not come", () => {
  async function redeemableGeneration(row: Record<string, unknown> = {}) {
    const generation = await insertGeneration(row);
    const machine = await insertMachine();
    await assign("mass_generations", generation.id, { machine_id: machine.id });
    const { secret } = await makeKey();
    const redeemLast = async () => {
      const { code } = generation.codes.at(-1)!;
      const sent = request({ code, serialNumber: machine.serial_number });
      return outcomeOf(await redeem(sent, secret));
    };
    return { ...generation, redeemLast };
  }

  test("is refused at once as deleted, and no redemption is younger than the deletion", async () => {
    const { id, codes, redeemLast } = await redeemableGeneration();
    expect(await redeemLast()).toBe("applied");
    afterNextChunk(async () => {
      expect(await redeemLast()).toBe("deleted");
      expect(await statusesOf(codes)).toEqual(codes.map(() => "deleted"));
    });
    expect(await deleteMassGeneration(id, { actor: admin })).toMatchObject({ covered: 6 });
    expect(await redeemLast()).toBe("deleted");
  });

  test("may be redeemed until the deletion commits, which is then dated after it", async () => {
    const { id, redeemLast } = await redeemableGeneration();
    const blocker = await lockTable("lifecycle_operations", "exclusive");
    // Has dated the generation's row and waits to record the operation.
    const deletion = deleteMassGeneration(id, { actor: admin });
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    expect(await redeemLast()).toBe("applied");
    await blocker.commit();
    expect(await deletion).toMatchObject({ covered: 6 });
  });

  test("is refused at once as inactive, and accepted again after the generation is", async () => {
    const { id, codes, redeemLast } = await redeemableGeneration();
    afterNextChunk(async () => expect(await redeemLast()).toBe("inactive"));
    await deactivateMassGeneration(id, { actor: admin });
    await reactivateMassGeneration(id, { actor: admin });
    expect(await redeemLast()).toBe("applied");
    expect(await statusesOf(codes)).toEqual(codes.map(() => "active"));
  });

  test("is accepted at once when the generation is extended", async () => {
    const { id, redeemLast } = await redeemableGeneration({ expires_at: new Date("2020-01-01") });
    expect(await redeemLast()).toBe("expired");
    afterNextChunk(async () => expect(await redeemLast()).toBe("applied"));
    await extendMassGeneration(id, { lastDay: "2099-12-31", actor: admin });
    expect(await redeemLast()).toBe("applied");
  });
});

test("restoring a generation while its deletion is carried over restores every code", async () => {
  const { id, codes } = await insertGeneration();
  afterNextChunk(() => restoreMassGeneration(id, { actor: admin }));
  const result = await deleteMassGeneration(id, { actor: admin });
  expect(result).toEqual({ changed: true, covered: 2 });
  expect(await statusesOf(codes)).toEqual(codes.map(() => "not_assigned"));
  expect(await db()("promotions").where({ mass_generation_id: id, is_deleted: true })).toEqual([]);
  expect(await pending()).toEqual([]);
});

describe("while a generation is being restored, all its codes, reached or not, are", () => {
  const rowsAfter = async (
    change: (id: string) => Promise<unknown>,
    row: Record<string, unknown> = {},
  ) => {
    const { id } = await insertGeneration({ is_deleted: true, ...row });
    await db()("promotions")
      .where({ mass_generation_id: id })
      .update({ is_active: row.is_active ?? true });
    afterNextChunk(() => change(id));
    await restoreMassGeneration(id, { actor: admin });
    expect(await pending()).toEqual([]);
    return db()("promotions").where({ mass_generation_id: id });
  };

  test.each([
    [{ is_active: true }, reactivateMassGeneration, { is_active: false }, {}],
    [{ is_active: false }, deactivateMassGeneration, {}, {}],
    [{ name: "New" }, changeGeneration("rename"), { name: "Old" }, { name: "New" }],
    [
      { expires_at: after },
      extendMassGeneration,
      { expires_at: before },
      { lastDay: "2099-12-31" },
    ],
  ])("given %j", async (expected, change, row, input) => {
    const rows = await rowsAfter((id) => change(id, { actor: admin, ...input }), row);
    expect(rows).toHaveLength(6);
    for (const code of rows) expect(code).toMatchObject({ is_deleted: false, ...expected });
  });
});

test("reactivating a generation reaches every code although it is deleted and restored meanwhile", async () => {
  const { id, codes } = await insertGeneration();
  const options = { actor: admin };
  await deactivateMassGeneration(id, options);
  afterNextChunk(async () => {
    await deleteMassGeneration(id, options);
    await resumeOperations();
    await restoreMassGeneration(id, options);
  });
  await reactivateMassGeneration(id, options);
  expect(await statusesOf(codes)).toEqual(codes.map(() => "not_assigned"));
});

describe("a code that a change of its generation has not reached yet", () => {
  const options = () => ({ actor: admin });

  test("stays inactive when it is deactivated alone", async () => {
    const { id, codes } = await insertGeneration();
    await deactivateMassGeneration(id, options());
    const [single, selected] = [codes[4]!.id, codes[5]!.id];
    afterNextChunk(async () => {
      expect(await deactivatePromotion(single, options())).toMatchObject({ changed: true });
      expect(await bulk("deactivate", [selected])).toMatchObject({ codes: 1 });
    });
    await reactivateMassGeneration(id, options());
    const inactive = db()("promotions").where({ mass_generation_id: id, is_active: false });
    expect(await inactive.orderBy("id").pluck("id")).toEqual([single, selected]);
  });

  test("is deactivated by a confirmation that was opened before its generation changed", async () => {
    const { id, codes } = await insertGeneration();
    const leaked = codes[5]!.id;
    const prepared = await prepareBulk("deactivate", { kind: "ticked", ids: [leaked] }, admin);
    await deactivateMassGeneration(id, options());
    await crashIn(() => reactivateMassGeneration(id, options()));
    expect(await confirmBulk(prepared, {}, options())).toMatchObject({ codes: 1 });
    await resumeOperations();
    expect((await getPromotion(leaked)).status).toBe("inactive");
  });

  test("is not extended to an earlier day than its generation", async () => {
    const { id, codes } = await insertGeneration({ expires_at: before });
    const last = codes[5]!.id;
    afterNextChunk(async () => {
      const values = { expirationDate: "2099-06-30" };
      const { refusals } = await applyBulk("extend", [last], values, options());
      expect(refusals.reasons).toMatchObject([
        { reason: "It already expires on that day or later." },
      ]);
    });
    await extendMassGeneration(id, { lastDay: "2099-12-31", ...options() });
    expect((await getPromotion(last)).expiresAt).toEqual(after);
  });

  test("does not delay that its whole generation is deactivated", async () => {
    const { id, codes } = await insertGeneration();
    await deactivateMassGeneration(id, options());
    afterNextChunk(async () => {
      const ids = codes.map((code) => code.id);
      await prepareBulk("deactivate", { kind: "ticked", ids }, admin);
      expect(await pending().where({ action: "reactivate" })).toHaveLength(1);
    });
    await reactivateMassGeneration(id, options());
  });
});

test("reactivating a generation reactivates codes that a selection's deactivation has not reached yet", async () => {
  const { id, codes } = await insertGeneration();
  const ids = codes.slice(0, 4).map((code) => code.id);
  await crashIn(() => bulk("deactivate", ids));
  await deactivateMassGeneration(id, { actor: admin });
  await reactivateMassGeneration(id, { actor: admin });
  await resumeOperations();
  expect(await statusesOf(codes)).toEqual(codes.map(() => "not_assigned"));
});

test("a deleted generation is not changed as a whole", async () => {
  const { id } = await insertGeneration({ is_deleted: true });
  await expect(deactivateMassGeneration(id, { actor: admin })).rejects.toMatchObject({
    reason: "conflict",
    message: "This campaign is deleted",
  });
});

test("codes that no longer qualify when their turn comes are skipped and listed", async () => {
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) ids.push(await insertPromotion({ name: `Code ${made}` }));
  afterNextChunk(() => deletePromotion(ids[3]!, { actor: admin }));
  const result = await bulk("deactivate", ids);
  expect(result).toMatchObject({ codes: 4, singles: 4 });
  expect(result.refusals.reasons).toEqual([{ reason: "It is deleted.", count: 1 }]);
  expect(result.refusals.shown).toMatchObject([
    { id: ids[3], name: "Code 3", reason: "It is deleted." },
  ]);
});

describe("adding a machine to a selection", () => {
  const apply = (ids: string[], machines: string[]) =>
    applyBulk("assign", ids, { machines }, { actor: admin });
  const setsOf = (ids: string[]) =>
    db()("promotions").whereIn("id", ids).distinct().pluck("set_id");

  test("changes the set of a whole generation at once, and every code in its chunk", async () => {
    const { id, codes } = await insertGeneration();
    const { serial_number } = await insertMachine();
    const ids = codes.map((code) => code.id);
    afterNextChunk(async () =>
      expect(new Set(await statusesOf(codes))).toEqual(new Set(["active"])),
    );
    const result = await apply(ids, [serial_number]);
    expect(result).toMatchObject({ codes: 6, refusals: { reasons: [] } });
    expect((await rowsOf(id)).map(({ version }) => version)).toEqual(ids.map(() => 2));
    expect(await setsOf(ids)).toHaveLength(1);
  });

  test("leaves what was done to one code alone after the machines of its generation had changed", async () => {
    const { id, codes } = await insertGeneration();
    const { serial_number } = await insertMachine();
    const ids = codes.map((code) => code.id);
    const [added, removed] = [ids[4]!, ids[5]!];
    const options = { actor: admin };
    afterNextChunk(() => ofPromotion.removeMachine(removed, serial_number, options));
    await apply(ids, [serial_number]);
    expect(await assignmentsOf("promotions", removed)).toEqual([]);
    const { serial_number: other } = await insertMachine();
    afterNextChunk(() => assignMachines(added, [other], options));
    const values = { machines: [serial_number, other] };
    await applyBulk("unassign", ids, values, options);
    expect(await assignmentsOf("promotions", added)).toHaveLength(1);
    expect(await assignmentsOf("mass_generations", id)).toEqual([]);
  });

  test("leaves what was done to one code alone also when the first codes were skipped", async () => {
    const { codes } = await insertGeneration();
    const { serial_number } = await insertMachine();
    const ids = codes.map((code) => code.id);
    const id = await prepareBulk("assign", { kind: "ticked", ids }, admin);
    const values = { expirationDate: null, machines: [serial_number], groups: [] };
    await startBulk(id, values, { actor: admin });
    const first = () => db()("promotions").whereIn("id", ids.slice(0, 2));
    await first().update({ is_deleted: true, deleted_at: new Date() });
    afterNextChunk(() => ofPromotion.removeMachine(ids[5]!, serial_number, { actor: admin }));
    expect(await runChunks(id)).toMatchObject({ codes: 4 });
    expect(await assignmentsOf("promotions", ids[5]!)).toEqual([]);
    await first().update({ is_deleted: false, deleted_at: null });
  });

  test("gives codes that are only a part of their generation sets of their own", async () => {
    const { codes } = await insertGeneration();
    const single = await insertPromotion();
    const { serial_number } = await insertMachine();
    const ids = [...codes.slice(0, 4).map((code) => code.id), single];
    await crashIn(() => apply(ids, [serial_number]));
    await resumeOperations();
    expect(await setsOf(ids)).toHaveLength(5);
    expect(await statusesOf(codes)).toEqual([
      ...codes.slice(0, 4).map(() => "active"),
      ...codes.slice(4).map(() => "not_assigned"),
    ]);
    expect((await getPromotion(single)).status).toBe("active");
  });
});

test("goes on without a group that is deleted between two chunks", async () => {
  const ids = [await insertPromotion(), await insertPromotion(), await insertPromotion()];
  const { id: machineId, serial_number } = await insertMachine();
  const group = await insertGroup([machineId]);
  afterNextChunk(() => deleteMachineGroup(group, { actor: admin }));
  const values = { machines: [serial_number], groups: [group] };
  const result = await applyBulk("assign", ids, values, { actor: admin });
  expect(result).toMatchObject({ codes: 3, refusals: { reasons: [] } });
  expect(await db()("assignments").where({ machine_id: machineId })).toHaveLength(3);
  expect(await db()("assignments").where({ group_id: group })).toEqual([]);
});

test("codes that match the filter later are not touched", async () => {
  const ids = [await insertPromotion(), await insertPromotion(), await insertPromotion()];
  let late = "";
  afterNextChunk(async () => (late = await insertPromotion({ name: "Summer too" })));
  await bulk("delete", ids);
  expect((await getPromotion(late)).isDeleted).toBe(false);
});

describe("extending a generation", () => {
  test("leaves a code that has an expiration of its own", async () => {
    const { id, codes } = await insertGeneration({ expires_at: before });
    const [own, follower] = [codes[0]!.id, codes[1]!.id];
    const edit = { name: null, expirationDate: "2099-06-30", version: 1 };
    await editPromotion(own, edit, { actor: admin });
    const result = await extendMassGeneration(id, { lastDay: "2099-12-31", actor: admin });
    expect(result).toEqual({ changed: true, covered: 5 });
    expect((await getPromotion(own)).expiresAt).toEqual(new Date("2099-06-30T22:00:00Z"));
    expect((await getPromotion(follower)).expiresAt).toEqual(after);
  });

  test("leaves codes that a selection gave another expiration", async () => {
    const { id, codes } = await insertGeneration({ expires_at: before });
    await bulk("extend", [codes[2]!.id]);
    expect((await getPromotion(codes[2]!.id)).expiresAt).toEqual(after);
    expect(await extendMassGeneration(id, { lastDay: "2100-12-31", actor: admin })).toMatchObject({
      covered: 5,
    });
    expect((await getPromotion(codes[2]!.id)).expiresAt).toEqual(after);
  });

  test("is refused for a renewable one and for a day that has passed", async () => {
    const renewable = await insertGeneration({ is_renewable: true });
    await expect(
      extendMassGeneration(renewable.id, { lastDay: "2099-12-31", actor: admin }),
    ).rejects.toMatchObject({ reason: "conflict" });
    const { id } = await insertGeneration({ expires_at: before });
    await expect(
      extendMassGeneration(id, { lastDay: "2020-01-01", actor: admin }),
    ).rejects.toMatchObject({
      fields: { expiration_date: "Date cannot be in the past" },
    });
  });
});

test("one code of an inactive generation can't be reactivated alone", async () => {
  const { id, codes } = await insertGeneration();
  await deactivateMassGeneration(id, { actor: admin });
  await expect(reactivatePromotion(codes[0]!.id, { actor: admin })).rejects.toMatchObject({
    reason: "conflict",
    message: "Its campaign is inactive",
  });
});
