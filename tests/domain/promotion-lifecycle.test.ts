import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { DomainError } from "../../app/errors";
import { editPromotion } from "../../app/features/promotions/form/edit-promotion.server";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import {
  deactivatePromotion,
  deleteMassGeneration,
  deletePromotion,
  reactivatePromotion,
  restoreMassGeneration,
  restorePromotion,
} from "../factories/lifecycle";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertActor } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { reportFigures } from "../support/fault-figures";
import { useDatabase } from "../support/postgres";
import { inSoak, repetitions } from "../support/repetitions";

useDatabase();

let actor: { id: string; email: string; role: "admin" };
beforeEach(async () => {
  actor = await insertActor("admin");
});

async function insertGeneration(numCodes: number): Promise<{ id: string; promotions: string[] }> {
  const id = await insertMassGeneration({ num_codes: numCodes });
  return { id, promotions: await codesOf(id) };
}

type Audited = { action: string; subject_type: string; subject_id: string; covered: number };

async function audited(): Promise<Audited[]> {
  return db()("audit_log")
    .where({ actor_id: actor.id })
    .orderBy("id")
    .select<Audited[]>("action", "subject_type", "subject_id", "covered");
}

async function row(id: string) {
  const found = await db()("promotions").where({ id }).first();
  return found as { version: number; is_active: boolean; is_deleted: boolean; deleted_at: unknown };
}

test("deactivating and reactivating move the version once each and leave a row each", async () => {
  const id = await insertPromotion({ is_assigned: true });
  expect(await deactivatePromotion(id, { actor })).toEqual({ changed: true, covered: 1 });
  expect(await deactivatePromotion(id, { actor })).toEqual({ changed: false, covered: 0 });
  expect((await getPromotion(id)).status).toBe("inactive");
  expect((await row(id)).version).toBe(2);
  expect(await reactivatePromotion(id, { actor })).toEqual({ changed: true, covered: 1 });
  expect(await reactivatePromotion(id, { actor })).toEqual({ changed: false, covered: 0 });
  expect((await getPromotion(id)).status).toBe("active");
  expect((await row(id)).version).toBe(3);
  expect(await audited()).toEqual([
    { action: "promotion.deactivated", subject_type: "promotion", subject_id: id, covered: 1 },
    { action: "promotion.reactivated", subject_type: "promotion", subject_id: id, covered: 1 },
  ]);
});

test("a single promotion is deleted and restored, whatever it was before", async () => {
  const id = await insertPromotion({ is_active: false });
  const beside = await insertPromotion();
  expect(await deletePromotion(id, { actor })).toEqual({ changed: true, covered: 1 });
  expect(await deletePromotion(id, { actor })).toEqual({ changed: false, covered: 0 });
  expect(await row(id)).toMatchObject({ is_deleted: true, version: 2 });
  expect((await row(id)).deleted_at).toBeInstanceOf(Date);
  await expect(deactivatePromotion(id, { actor })).rejects.toMatchObject({
    reason: "conflict",
    message: "This code is deleted",
  });
  await expect(reactivatePromotion(id, { actor })).rejects.toMatchObject({ reason: "conflict" });
  expect(await restorePromotion(id, { actor })).toEqual({ changed: true, covered: 1 });
  expect(await restorePromotion(id, { actor })).toEqual({ changed: false, covered: 0 });
  expect(await row(id)).toMatchObject({ is_deleted: false, is_active: false, version: 3 });
  expect(await row(beside)).toMatchObject({ is_deleted: false, version: 1 });
  expect((await audited()).map(({ action }) => action)).toEqual([
    "promotion.deleted",
    "promotion.restored",
  ]);
});

test("one code of a mass generation takes the whole generation with it, there and back", async () => {
  const generation = await insertGeneration(20);
  const other = await insertGeneration(2);
  const [first, second] = generation.promotions as [string, string];
  expect(await deletePromotion(first, { actor })).toEqual({ changed: true, covered: 20 });
  expect(await deletePromotion(second, { actor })).toEqual({ changed: false, covered: 0 });
  expect(await deleteMassGeneration(generation.id, { actor })).toEqual({
    changed: false,
    covered: 0,
  });
  for (const id of generation.promotions)
    expect(await row(id)).toMatchObject({ is_deleted: true, version: 2 });
  expect(await row(other.promotions[0]!)).toMatchObject({ is_deleted: false });
  expect(await restorePromotion(second, { actor })).toEqual({ changed: true, covered: 20 });
  for (const id of generation.promotions)
    expect(await row(id)).toMatchObject({ is_deleted: false, deleted_at: null, version: 3 });
  expect(await deleteMassGeneration(generation.id, { actor })).toMatchObject({ covered: 20 });
  expect(await restoreMassGeneration(generation.id, { actor })).toMatchObject({ covered: 20 });
  const subject = { subject_type: "mass_generation", subject_id: generation.id, covered: 20 };
  expect(await audited()).toEqual([
    { action: "mass_generation.deleted", ...subject },
    { action: "mass_generation.restored", ...subject },
    { action: "mass_generation.deleted", ...subject },
    { action: "mass_generation.restored", ...subject },
  ]);
});

test.each(["0", "x", "99999999", "9223372036854775808", "1\0"])(
  "the id %j is not found by any action",
  async (id) => {
    for (const act of [
      deactivatePromotion,
      reactivatePromotion,
      deletePromotion,
      restorePromotion,
      deleteMassGeneration,
      restoreMassGeneration,
    ])
      await expect((async () => act(id, { actor }))()).rejects.toMatchObject({
        reason: "not_found",
      });
    expect(await audited()).toEqual([]);
  },
);

test("codes of one generation deleted by many at once are covered once", async () => {
  const { promotions } = await insertGeneration(8);
  const answers = await Promise.all(promotions.map((id) => deletePromotion(id, { actor })));
  expect(answers.filter(({ changed }) => changed)).toEqual([{ changed: true, covered: 8 }]);
  expect(await audited()).toHaveLength(1);
});

inSoak(test)(
  "all codes of a generation are deleted and restored well before the server gives up",
  async () => {
    const codes = repetitions(2_000, 100_000);
    const { id } = await insertGeneration(codes);
    for (const act of [deleteMassGeneration, restoreMassGeneration]) {
      const started = performance.now();
      expect(await act(id, { actor })).toEqual({ changed: true, covered: codes });
      const seconds = (performance.now() - started) / 1_000;
      expect(seconds).toBeLessThan(10);
    }
  },
  120_000,
);

type Step = { operator: 0 | 1; act: "deactivate" | "reactivate" | "delete" | "restore" | "edit" };
const steps = fc.array(
  fc.record({
    operator: fc.constantFrom<0 | 1>(0, 1),
    act: fc.constantFrom("deactivate", "reactivate", "delete", "restore", "edit"),
  }) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 12 },
);

/** Effect of each audited action on a promotion; null where it can't have happened. */
const effects: Record<string, (before: State) => State | null> = {
  "promotion.deactivated": (before) =>
    before.isDeleted || !before.isActive ? null : { ...before, isActive: false },
  "promotion.reactivated": (before) =>
    before.isDeleted || before.isActive ? null : { ...before, isActive: true },
  "promotion.deleted": (before) => (before.isDeleted ? null : { ...before, isDeleted: true }),
  "promotion.restored": (before) => (before.isDeleted ? { ...before, isDeleted: false } : null),
  "promotion.edited": (before) => (before.isDeleted ? null : before),
};
type State = { isActive: boolean; isDeleted: boolean };

test("two operators at once: an allowed state, and a history that tells how it came about", async () => {
  let [runs, applied, conflicts] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(steps, fc.scheduler(), async (plan, scheduler) => {
      const operators = [await insertActor("admin"), await insertActor("admin")];
      const id = await insertPromotion({ is_assigned: true });
      const run = async ({ operator, act }: Step, turn: number) => {
        const options = { actor: operators[operator]! };
        if (act === "deactivate") return deactivatePromotion(id, options);
        if (act === "reactivate") return reactivatePromotion(id, options);
        if (act === "delete") return deletePromotion(id, options);
        if (act === "restore") return restorePromotion(id, options);
        const { version } = await row(id);
        const edit = { name: `Turn ${turn}`, expirationDate: null, version };
        return editPromotion(id, edit, options);
      };
      const done = Promise.all(
        [0, 1].map(async (operator) => {
          for (const [turn, step] of plan.entries()) {
            if (step.operator !== operator) continue;
            await scheduler.schedule(Promise.resolve(), `${operator} ${step.act}`);
            await run(step, turn).catch((cause: unknown) => {
              if (!(cause instanceof DomainError && cause.reason === "conflict")) throw cause;
              conflicts += 1;
            });
          }
        }),
      );
      await Promise.all([done, scheduler.waitFor(done)]);

      const history = (await db()("audit_log")
        .where({ subject_type: "promotion", subject_id: id })
        .orderBy("id")) as {
        action: string;
        details: Record<string, { from: string; to: string }>;
      }[];
      let state: State | null = { isActive: true, isDeleted: false };
      let name = "Summer";
      for (const { action, details } of history) {
        state = state && effects[action]!(state);
        if (details.name) expect(details.name.from).toBe(name);
        name = details.name?.to ?? name;
      }
      const held = await row(id);
      expect(state).toEqual({ isActive: held.is_active, isDeleted: held.is_deleted });
      expect(held).toMatchObject({ name, version: 1 + history.length });
      runs += 1;
      applied += history.length;
    }),
    { numRuns: repetitions(3, 100) },
  );
  reportFigures(
    "F12",
    `${runs} interleavings of two operators: ${applied} changes, each explained by the log, ${conflicts} conflicts`,
  );
}, 120_000);
