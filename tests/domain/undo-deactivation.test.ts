import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertCodes as addGeneratedCodes } from "../../app/features/mass-generations/insert-codes.server";
import {
  findBulk,
  mayUndoBulk,
  prepareBulk,
  undoBulk,
} from "../../app/features/promotions/lifecycle/bulk-actions.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { applyBulk, confirmBulk } from "../factories/bulk";
import { deactivatePromotion, reactivatePromotion } from "../factories/lifecycle";
import { insertActor } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { countSessions } from "../support/database-sessions";
import { crashIn, inChunksOf } from "../support/between-chunks";
import { useDatabase } from "../support/postgres";
import { rowById } from "../factories/rows";

useDatabase({ isOwner: true });

let admin: { id: string; email: string; role: "admin" };

beforeEach(async () => {
  await db().raw("truncate promotions, mass_generations, assignment_sets cascade");
  admin = await insertActor("admin");
});

async function generation(codes: number) {
  const id = await insertGeneration({ num_codes: codes });
  return { id, ids: await insertCodes(id, codes) };
}

describe("undoing the deactivation of a code", () => {
  test("is for ten minutes for whoever deactivated it, and always for admins", async () => {
    const [user, other] = [await insertActor("user"), await insertActor("user")];
    const id = await insertPromotion();
    await deactivatePromotion(id, { actor: user });
    await expect(reactivatePromotion(id, { actor: other })).rejects.toMatchObject({
      reason: "forbidden",
    });
    expect(await reactivatePromotion(id, { actor: user })).toMatchObject({ changed: true });
    await deactivatePromotion(id, { actor: user });
    expect(await reactivatePromotion(id, { actor: admin })).toMatchObject({ changed: true });
  });

  test("is refused after ten minutes, and after somebody else deactivated it since", async () => {
    const [user, other] = [await insertActor("user"), await insertActor("user")];
    const id = await insertPromotion({ is_active: false });
    const deactivated = (by: { id: string; email: string }, minutesAgo: number) =>
      db()("audit_log").insert({
        actor_id: by.id,
        actor_name: by.email,
        action: "promotion.deactivated",
        subject_type: "promotion",
        subject_id: id,
        created_at: db().raw("now() - interval '1 minute' * ?", [minutesAgo]),
      });
    const undo = () => reactivatePromotion(id, { actor: user });
    await deactivated(user, 11);
    await expect(undo()).rejects.toMatchObject({ reason: "forbidden" });
    await deactivated(user, 9);
    await deactivated(other, 8);
    await expect(undo()).rejects.toMatchObject({ reason: "forbidden" });
    await deactivated(user, 7);
    expect(await undo()).toMatchObject({ changed: true });
  });

  test("covers what a selection deactivated", async () => {
    const id = await insertPromotion();
    await applyBulk("deactivate", [id], {}, { actor: admin });
    const actor = { ...admin, role: "user" as const };
    expect(await reactivatePromotion(id, { actor })).toMatchObject({ changed: true });
  });
});

describe("a bulk action that deactivated codes", () => {
  const inactive = () => db()("promotions").where({ is_active: false }).orderBy("id").pluck("id");
  const asUser = () => ({ ...admin, role: "user" as const });
  const deactivate = async (ids: string[]) => {
    const id = await prepareBulk("deactivate", { kind: "ticked", ids }, admin);
    await confirmBulk(id, {}, { actor: admin });
    return id;
  };
  const undo = (id: string) => undoBulk(id, { actor: asUser(), idempotencyKey: "undo" });

  test("is undone once by whoever did it, without codes that were deactivated again", async () => {
    const { id: generationId, ids: codes } = await generation(3);
    const [single, again] = [await insertPromotion(), await insertPromotion()];
    const id = await deactivate([...codes, single, again]);
    const subject = { type: "promotion", id: again } as const;
    await changeLifecycle(subject, "reactivate", { actor: admin });
    await changeLifecycle(subject, "deactivate", { actor: admin });
    const undone = await undo(id);
    expect(await undo(id)).toBe(undone);
    expect(await inactive()).toEqual([again]);
    expect(await rowById("mass_generations", generationId).first()).toMatchObject({
      is_active: true,
    });
    expect((await findBulk(admin.id, undone)).outcome).toMatchObject({ codes: 4 });
    const reactivated = { actor_id: admin.id, action: "promotion.reactivated" };
    expect(await db()("audit_log").where(reactivated)).toHaveLength(2);
  });

  test("is undone with its campaigns, whose other codes stay inactive", async () => {
    const { id: generationId, ids: codes } = await generation(3);
    const subject = { type: "mass_generation", id: generationId } as const;
    await changeLifecycle({ type: "promotion", id: codes[0]! }, "deactivate", { actor: admin });
    await undo(await deactivate(codes));
    expect(await inactive()).toEqual([codes[0]]);
    expect(await db()("mass_generations").where({ is_active: true })).toHaveLength(1);
    // The same holds where somebody undoes it on the page of the campaign.
    await changeLifecycle(subject, "deactivate", { actor: asUser() });
    await changeLifecycle(subject, "reactivate", { actor: asUser() });
    expect(await inactive()).toEqual([codes[0]]);
    await changeLifecycle(subject, "deactivate", { actor: admin });
    await changeLifecycle(subject, "reactivate", { actor: admin });
    expect(await inactive()).toEqual([]);
  });

  test("leaves codes that were inactive before to admins who reactivate, not to those who undo", async () => {
    const { id: generationId, ids: codes } = await generation(3);
    const subject = { type: "mass_generation", id: generationId } as const;
    const other = await insertActor("admin");
    const undoAs = (actor: typeof admin) =>
      changeLifecycle(subject, "reactivate", { actor, isUndo: true });
    await changeLifecycle({ type: "promotion", id: codes[0]! }, "deactivate", { actor: other });
    await changeLifecycle(subject, "deactivate", { actor: admin });
    await expect(undoAs(other)).rejects.toMatchObject({ reason: "conflict" });
    expect(await inactive()).toEqual(codes);
    expect(await undoAs(admin)).toEqual({ changed: true, covered: 2 });
    expect(await inactive()).toEqual([codes[0]]);
  });

  test("is undone with the codes that were added to its campaigns since", async () => {
    const { id: generationId, ids: codes } = await generation(3);
    const subject = { type: "mass_generation", id: generationId } as const;
    const add = () =>
      db().transaction((trx) => addGeneratedCodes(trx, generationId, { count: 2 }, {}));
    const id = await deactivate(codes);
    await add();
    await undo(id);
    expect(await inactive()).toEqual([]);
    // The same holds where somebody undoes it on the page of the campaign.
    await changeLifecycle(subject, "deactivate", { actor: asUser() });
    await add();
    await changeLifecycle(subject, "reactivate", { actor: asUser() });
    expect(await inactive()).toEqual([]);
  });

  test("is undone with codes whose transaction began before it and waited for it", async () => {
    const { id: generationId } = await generation(3);
    const subject = { type: "mass_generation", id: generationId } as const;
    const adding = await db().transaction();
    await changeLifecycle(subject, "deactivate", { actor: asUser() });
    await addGeneratedCodes(adding, generationId, { count: 2 }, {});
    await adding.commit();
    expect(await inactive()).toHaveLength(5);
    await changeLifecycle(subject, "reactivate", { actor: asUser() });
    expect(await inactive()).toEqual([]);
  });

  test("leaves campaigns that were deactivated again", async () => {
    const { id: generationId, ids: codes } = await generation(3);
    const subject = { type: "mass_generation", id: generationId } as const;
    const id = await deactivate(codes);
    await changeLifecycle(subject, "reactivate", { actor: admin });
    await changeLifecycle(subject, "deactivate", { actor: admin });
    await undo(id);
    expect(await inactive()).toEqual(codes);
    expect(await db()("mass_generations").where({ is_active: true })).toEqual([]);
  });

  test("is undone without codes that somebody else was deactivating already", async () => {
    const { id: generationId, ids: codes } = await generation(7);
    const subject = { type: "mass_generation", id: generationId } as const;
    const leaked = codes.slice(0, 4);
    const deactivateLeaked = async () => {
      const other = await insertActor("user");
      const start = () => applyBulk("deactivate", leaked, {}, { actor: other });
      await inChunksOf(1, () => crashIn(start));
    };
    const id = await prepareBulk("deactivate", { kind: "ticked", ids: codes }, admin);
    await deactivateLeaked();
    expect(await confirmBulk(id, {}, { actor: admin })).toMatchObject({ codes: 3 });
    await undo(id);
    expect(await inactive()).toEqual(leaked);
    // The same holds where somebody undoes it on the page of the campaign.
    await db()("promotions").update({ is_active: true });
    await deactivateLeaked();
    const deactivated = await changeLifecycle(subject, "deactivate", { actor: asUser() });
    expect(deactivated).toEqual({ changed: true, covered: 3 });
    await changeLifecycle(subject, "reactivate", { actor: asUser() });
    expect(await inactive()).toEqual(leaked);
  });

  test.each([3, 1])("is undone without codes that it skipped, in chunks of %i", async (size) => {
    const [first, skipped, last] = (await generation(3)).ids;
    const ids = [first!, skipped!, last!];
    const id = await prepareBulk("deactivate", { kind: "ticked", ids }, admin);
    const other = await db().transaction();
    await other("promotions").where({ id: skipped }).update({ is_active: false });
    const confirmed = inChunksOf(size, () => confirmBulk(id, {}, { actor: admin }));
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await other.commit();
    expect(await confirmed).toMatchObject({ codes: 2 });
    expect(await findBulk(admin.id, id)).toMatchObject({ state: "done", total: 2 });
    await undo(id);
    expect(await inactive()).toEqual([skipped]);
  });

  test("is undone by admins alone after ten minutes", async () => {
    const id = await deactivate([await insertPromotion()]);
    await rowById("lifecycle_operations", id).update({
      started_at: db().raw("started_at - interval '10 minutes'"),
    });
    await expect(undo(id)).rejects.toMatchObject({ reason: "conflict" });
    expect(await inactive()).toHaveLength(1);
    expect(mayUndoBulk(await findBulk(admin.id, id), admin)).toBe(true);
  });
});
