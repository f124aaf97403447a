import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { editGeneration } from "../../app/features/mass-generations/edit-mass-generation.server";
import { prepareBulk, undoBulk } from "../../app/features/promotions/lifecycle/bulk-actions.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { applyBulk, confirmBulk, resumeOperations } from "../factories/bulk";
import { deactivatePromotion } from "../factories/lifecycle";
import { insertActor } from "../factories/people-and-machines";
import { insertCodes, insertGeneration } from "../factories/promotions";
import { between } from "../support/between-chunks";
import { useDatabase } from "../support/postgres";

useDatabase({ isOwner: true });

type Admin = { id: string; email: string; role: "admin" };
let [ann, bob]: Admin[] = [];
let generationId: string;
let codes: string[];

beforeEach(async () => {
  await db().raw("truncate promotions, mass_generations, assignment_sets cascade");
  [ann, bob] = [await insertActor("admin"), await insertActor("admin")];
  generationId = await insertGeneration({ num_codes: 6 });
  codes = await insertCodes(generationId, 6);
});

const crash = { codesPerChunk: 2, afterChunk: () => Promise.reject(new Error("crash")) };

const change = (action: "deactivate" | "reactivate", options: object) =>
  changeLifecycle({ type: "mass_generation", id: generationId }, action, {
    actor: ann!,
    codesPerChunk: 2,
    ...options,
  });
const undo = () => change("reactivate", { isUndo: true });
const inactive = () => db()("promotions").where({ is_active: false }).orderBy("id").pluck("id");
const pending = () => db()("lifecycle_operations").whereNotNull("started_at").whereNull("done_at");
const isStopped = async () =>
  (await db()("mass_generations").where({ id: generationId, is_active: false })).length === 1;

describe("while a selection's deactivation of some codes of a campaign is being carried over", () => {
  test("deactivating the campaign takes effect at once, and its undo leaves these codes inactive", async () => {
    const leaked = codes.slice(0, 4);
    const meanwhile = between(async () => {
      expect(await change("deactivate", {})).toEqual({ changed: true, covered: 2 });
      expect(await isStopped()).toBe(true);
      expect(await pending()).toMatchObject([{ actor_id: bob!.id, position: 2 }]);
    });
    const result = await applyBulk("deactivate", leaked, {}, { actor: bob!, ...meanwhile });
    expect(result).toMatchObject({ codes: 4, refusals: { reasons: [] } });
    expect(await inactive()).toEqual(codes);
    await undo();
    expect(await inactive()).toEqual(leaked);
  });

  test("deactivating one of them takes effect at once", async () => {
    const leaked = codes[3]!;
    const meanwhile = between(async () => {
      expect(await deactivatePromotion(leaked, { actor: ann! })).toMatchObject({ changed: true });
      expect(await inactive()).toEqual([codes[0], codes[1], leaked]);
    });
    const ids = codes.slice(0, 4);
    const result = await applyBulk("deactivate", ids, {}, { actor: bob!, ...meanwhile });
    expect(result.refusals.reasons).toEqual([{ reason: "It is already inactive.", count: 1 }]);
  });

  test("a selection of all its codes deactivates the campaign at once, with an entry in the audit log", async () => {
    await db()("promotions").where({ id: codes[5] }).update({ is_active: false });
    const prepared = await prepareBulk("deactivate", { kind: "ticked", ids: codes }, ann!);
    const meanwhile = between(async () => {
      const result = await confirmBulk(prepared, {}, { actor: ann! });
      const { reasons } = result.refusals;
      expect(reasons).toContainEqual({ reason: "It is already being deactivated.", count: 3 });
      expect(await isStopped()).toBe(true);
    });
    const active = codes.slice(0, 5);
    await applyBulk("deactivate", active, {}, { actor: bob!, ...meanwhile });
    expect(await inactive()).toEqual(codes);
    expect(await db()("audit_log").where({ actor_id: ann!.id })).toMatchObject([
      { covered: 0, details: { generations: [{ id: generationId, codes: 0, is_whole: true }] } },
    ]);
    await undoBulk(prepared, { actor: ann!, idempotencyKey: null });
    expect(await isStopped()).toBe(false);
    expect(await inactive()).toEqual(codes);
  });
});

describe("a request that has waited long enough", () => {
  /** Ends its wait after the first chunk. */
  const impatient = () => {
    const waited = new AbortController();
    return { signal: waited.signal, codesPerChunk: 2, afterChunk: () => waited.abort() };
  };

  test("is answered while codes of its campaign are to follow, and so is its repetition", async () => {
    const first = await change("deactivate", { ...impatient(), idempotencyKey: "once" });
    expect(first).toEqual({ changed: true, covered: 6 });
    expect(await isStopped()).toBe(true);
    expect(await pending()).toMatchObject([{ position: 2 }]);
    expect(await change("deactivate", { ...impatient(), idempotencyKey: "once" })).toEqual(first);
    expect(await pending()).toMatchObject([{ position: 4 }]);
    await resumeOperations();
    expect(await inactive()).toEqual(codes);
  });

  test("edits a campaign whose codes are to follow", async () => {
    const ids = await insertCodes(generationId, 300);
    const edit = { name: "Autumn", version: 1 };
    const options = { actor: ann!, idempotencyKey: null, signal: AbortSignal.abort() };
    await editGeneration(generationId, edit, options);
    expect(await db()("mass_generations").pluck("name")).toEqual(["Autumn"]);
    expect(await pending()).toMatchObject([{ position: 0 }]);
    await resumeOperations();
    expect(await db()("promotions").where({ name: "Autumn" })).toHaveLength(6 + ids.length);
  });
});

test("a deactivation of a campaign that is undone meanwhile keeps the list of its codes as it is", async () => {
  const result = await change("deactivate", between(undo));
  expect(result).toEqual({ changed: true, covered: 2 });
  expect(await inactive()).toEqual([]);
  const operation = { generation_ids: [generationId], promotion_ids: codes, position: 6 };
  expect(await db()("lifecycle_operations").orderBy("id", "desc").limit(1)).toMatchObject([
    operation,
  ]);
});

test("a campaign that was reactivated too soon is deactivated again at once, and undone with all its codes", async () => {
  await expect(change("deactivate", crash)).rejects.toThrow("crash");
  await undo();
  await expect(change("deactivate", crash)).rejects.toThrow("crash");
  expect(await isStopped()).toBe(true);
  expect(await pending()).toHaveLength(2);
  await resumeOperations();
  expect(await inactive()).toEqual(codes);
  await undo();
  expect(await inactive()).toEqual([]);
});
