import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { editGeneration } from "../../app/features/mass-generations/edit-mass-generation.server";
import { prepareBulk, undoBulk } from "../../app/features/promotions/lifecycle/bulk-actions.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { applyBulk, confirmBulk, resumeOperations } from "../factories/bulk";
import { deactivatePromotion } from "../factories/lifecycle";
import { insertActor } from "../factories/people-and-machines";
import { insertCodes, insertGeneration } from "../factories/promotions";
import { afterNextChunk, crashIn, useChunksOfTwo } from "../support/between-chunks";
import { useDatabase } from "../support/postgres";

useDatabase({ isOwner: true });
useChunksOfTwo();

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

const change = (action: "deactivate" | "reactivate", options: object = {}) =>
  changeLifecycle({ type: "mass_generation", id: generationId }, action, {
    actor: ann!,
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
    afterNextChunk(async () => {
      expect(await change("deactivate")).toEqual({ changed: true, covered: 2 });
      expect(await isStopped()).toBe(true);
      expect(await pending()).toMatchObject([{ actor_id: bob!.id, position: 2 }]);
    });
    const result = await applyBulk("deactivate", leaked, {}, { actor: bob! });
    expect(result).toMatchObject({ codes: 4, refusals: { reasons: [] } });
    expect(await inactive()).toEqual(codes);
    await undo();
    expect(await inactive()).toEqual(leaked);
  });

  test("deactivating one of them takes effect at once", async () => {
    const leaked = codes[3]!;
    afterNextChunk(async () => {
      expect(await deactivatePromotion(leaked, { actor: ann! })).toMatchObject({ changed: true });
      expect(await inactive()).toEqual([codes[0], codes[1], leaked]);
    });
    const ids = codes.slice(0, 4);
    const result = await applyBulk("deactivate", ids, {}, { actor: bob! });
    expect(result.refusals.reasons).toEqual([{ reason: "It is already inactive.", count: 1 }]);
  });

  test("a selection of all its codes deactivates the campaign at once, with an entry in the audit log", async () => {
    await db()("promotions").where({ id: codes[5] }).update({ is_active: false });
    const prepared = await prepareBulk("deactivate", { kind: "ticked", ids: codes }, ann!);
    afterNextChunk(async () => {
      const result = await confirmBulk(prepared, {}, { actor: ann! });
      const { reasons } = result.refusals;
      expect(reasons).toContainEqual({ reason: "It is already being deactivated.", count: 3 });
      expect(await isStopped()).toBe(true);
    });
    const active = codes.slice(0, 5);
    await applyBulk("deactivate", active, {}, { actor: bob! });
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
  /** Ends the wait of the next request after a chunk. */
  const waitForOneChunk = () => {
    const wait = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(wait.signal);
    afterNextChunk(() => wait.abort());
  };
  afterEach(() => vi.restoreAllMocks());

  test("is answered while codes of its campaign are to follow, and so is its repetition", async () => {
    const deactivateOnce = () => {
      waitForOneChunk();
      return change("deactivate", { idempotencyKey: "once" });
    };
    const first = await deactivateOnce();
    expect(first).toEqual({ changed: true, covered: 6 });
    expect(await isStopped()).toBe(true);
    expect(await pending()).toMatchObject([{ position: 2 }]);
    expect(await deactivateOnce()).toEqual(first);
    expect(await pending()).toMatchObject([{ position: 4 }]);
    await resumeOperations();
    expect(await inactive()).toEqual(codes);
  });

  test("edits a campaign whose codes are to follow", async () => {
    waitForOneChunk();
    await editGeneration(generationId, { name: "Autumn", version: 1 }, { actor: ann! });
    expect(await db()("mass_generations").pluck("name")).toEqual(["Autumn"]);
    expect(await pending()).toMatchObject([{ position: 2 }]);
    await resumeOperations();
    expect(await db()("promotions").where({ name: "Autumn" })).toHaveLength(6);
  });
});

test("a deactivation of a campaign that is undone meanwhile keeps the list of its codes as it is", async () => {
  afterNextChunk(undo);
  const result = await change("deactivate");
  expect(result).toEqual({ changed: true, covered: 2 });
  expect(await inactive()).toEqual([]);
  const operation = { generation_ids: [generationId], promotion_ids: codes, position: 6 };
  expect(await db()("lifecycle_operations").orderBy("id", "desc").limit(1)).toMatchObject([
    operation,
  ]);
});

test("a campaign that was reactivated too soon is deactivated again at once, and undone with all its codes", async () => {
  await crashIn(() => change("deactivate"));
  await undo();
  await crashIn(() => change("deactivate"));
  expect(await isStopped()).toBe(true);
  expect(await pending()).toHaveLength(2);
  await resumeOperations();
  expect(await inactive()).toEqual(codes);
  await undo();
  expect(await inactive()).toEqual([]);
});
