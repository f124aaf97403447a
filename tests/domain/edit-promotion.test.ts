import type { Knex } from "knex";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editPromotion } from "../../app/features/promotions/form/edit-promotion.server";
import { lastDay } from "../../app/features/promotions/expiry-date";
import { getPromotion, getPromotionDetails } from "../../app/features/promotions/promotions.server";
import { promotionHistory, recordAction } from "../../app/features/activity/audit-log.server";
import { deletePromotion } from "../factories/lifecycle";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { useDatabase } from "../support/postgres";

useDatabase();
const { actor } = useActor(beforeEach);

const timeZone = "Europe/Berlin";
const expiresAt = new Date("2099-12-30T23:00:00Z");
const same = { name: "Summer", expirationDate: "2099-12-30", version: 1 };

test("name and last day are changed, and nothing else", async () => {
  const id = await insertPromotion({ expires_at: expiresAt });
  const before = (await db()("promotions").where({ id }).first()) as Record<string, unknown>;
  const edit = { ...same, name: "Winter ❄", expirationDate: "2099-06-30" };
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: true });
  const after = (await db()("promotions").where({ id }).first()) as Record<string, unknown>;
  expect({ ...after, updated_at: null }).toEqual({
    ...before,
    name: "Winter ❄",
    expires_at: new Date("2099-06-30T22:00:00Z"),
    version: 2,
    updated_at: null,
  });
  const promotion = await getPromotion(id);
  expect(lastDay(promotion.expiresAt!, timeZone)).toBe("2099-06-30");
  expect(await promotionHistory(promotion, { hasCodes: true })).toEqual([
    {
      id: expect.any(String),
      occurredAt: expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/),
      actor: actor.email,
      action: "Edited",
      changes: ["Name: Summer → Winter ❄", "Expiration date: 30.12.2099 → 30.06.2099"],
    },
  ]);
});

test("name and caps change in one transaction, and both for the version that the editor saw", async () => {
  const id = await insertPromotion({ expires_at: expiresAt });
  const edit = { ...same, name: "Winter", caps: { ...noCaps, money: 5_000 } };
  const conflict = { reason: "conflict" };
  await expect(editPromotion(id, { ...edit, version: 2 }, { actor })).rejects.toMatchObject(
    conflict,
  );
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: true });
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: false });
  expect(await getPromotion(id)).toMatchObject({ name: "Winter", caps: edit.caps });
  const times = await db()("audit_log").where({ subject_id: id }).pluck<Date[]>("created_at");
  expect(times).toEqual([times[0], times[0]]);
});

test("the same form again is no conflict, whatever somebody else changed since", async () => {
  const id = await insertPromotion({ expires_at: expiresAt });
  const options = { actor, idempotencyKey: "once" };
  await editPromotion(id, { ...same, name: "Winter" }, options);
  await editPromotion(id, { ...same, name: "Spring", version: 2 }, { actor });
  await editPromotion(id, { ...same, name: "Winter" }, options);
  // Another button of the page has brought the new version meanwhile.
  await editPromotion(id, { ...same, name: "Winter", version: 3 }, options);
  expect(await getPromotion(id)).toMatchObject({ name: "Spring" });
});

test("an expiration is taken away and set again", async () => {
  const id = await insertPromotion({ expires_at: expiresAt });
  await editPromotion(id, { ...same, expirationDate: null }, { actor });
  expect((await getPromotion(id)).expiresAt).toBeNull();
  await editPromotion(id, { ...same, version: 2 }, { actor });
  expect((await getPromotion(id)).expiresAt).toEqual(expiresAt);
});

test("the same values change nothing, and leave no row", async () => {
  const id = await insertPromotion({ expires_at: expiresAt });
  expect(await editPromotion(id, same, { actor })).toEqual({ changed: false });
  const edit = { ...same, name: "Twice" };
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: true });
  // A form that is sent twice names the old version both times.
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: false });
  expect(await db()("audit_log").where({ subject_id: id })).toHaveLength(1);
});

test("an expired promotion gets another name without another day", async () => {
  const id = await insertPromotion({ expires_at: new Date("2020-12-30T23:00:00Z") });
  const edit = { ...same, name: "Old", expirationDate: "2020-12-30" };
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: true });
});

describe("nothing is written", () => {
  const live = { expires_at: expiresAt };
  const ofGeneration = async () => ({ ...live, mass_generation_id: await insertGeneration() });

  test.each([
    ["when somebody was faster", { ...live, version: 2 }, { name: "Late" }, "conflict"],
    ["when it is deleted", { ...live, is_deleted: true }, { name: "Gone" }, "conflict"],
    ["for a day that has passed", live, { expirationDate: "2020-01-01" }, "invalid"],
    ["for the last day of a renewable one", { is_renewable: true }, {}, "invalid"],
    ["for the name of one code of a generation", ofGeneration, { name: "Other" }, "invalid"],
  ])("%s", async (_when, row, edit, reason) => {
    const id = await insertPromotion(typeof row === "function" ? await row() : row);
    const before = (await db()("promotions").where({ id }).first()) as object;
    const attempt = editPromotion(id, { ...same, ...edit }, { actor });
    await expect(attempt).rejects.toMatchObject({ reason });
    expect(await db()("promotions").where({ id }).first()).toEqual(before);
    expect(await db()("audit_log").where({ actor_id: actor.id })).toEqual([]);
  });

  test.each(["0", "x", "99999999"])("for the id %s", async (id) => {
    await expect(editPromotion(id, same, { actor })).rejects.toMatchObject({
      reason: "not_found",
    });
  });
});

test("one code of a generation gets another last day", async () => {
  const id = await insertPromotion({
    mass_generation_id: await insertGeneration(),
    expires_at: expiresAt,
  });
  const edit = { ...same, name: null, expirationDate: "2099-06-30" };
  expect(await editPromotion(id, edit, { actor })).toEqual({ changed: true });
  expect((await getPromotion(id)).expiresAt).toEqual(new Date("2099-06-30T22:00:00Z"));
});

test("the history has what happened to the generation and in bulk", async () => {
  const generation = await insertGeneration();
  const id = await insertPromotion({ mass_generation_id: generation });
  const other = await insertPromotion();
  await deletePromotion(id, { actor });
  await recordAction(db(), actor, "promotion.deactivated", [id, other]);
  const entries = await promotionHistory(await getPromotion(id), { hasCodes: true });
  expect(entries.map(({ action }) => action)).toEqual([
    "Deactivated together with 1 other",
    "Deleted with its campaign (1 code)",
  ]);
  const beside = await promotionHistory(await getPromotion(other), { hasCodes: true });
  expect(beside).toHaveLength(1);
});

test("lists in the history say what came and went", async () => {
  const id = await insertPromotion();
  const machines = Array.from({ length: 12 }, (_, i) => `VM-${i}`);
  for (const change of [
    { from: [], to: ["VM-1", "VM-2"] },
    { from: machines, to: [...machines.slice(1), "VM-x"] },
  ])
    await recordAction(db(), actor, "promotion.machines_added", id, {
      details: { machines: change, note: "not shown" },
    });
  const entries = await promotionHistory(await getPromotion(id), { hasCodes: true });
  expect(entries.map(({ action, changes }) => [action, ...changes])).toEqual([
    ["Machines added", "Machines: 12 → 12, added VM-x, removed VM-0"],
    ["Machines added", "Machines: VM-1, VM-2"],
  ]);
});

test("the details never show the values of one version with the number of another", async () => {
  const id = await insertPromotion({ expires_at: expiresAt, name: "Version 1" });
  const edit = (to: number) =>
    editPromotion(id, { ...same, name: `Version ${to}`, version: to - 1 }, { actor });
  // The promotion is edited before each statement of the read but its first.
  const client = db().client as Knex.Client;
  const acquire = client.acquireConnection.bind(client);
  let version = 0;
  const hook = vi.spyOn(client, "acquireConnection").mockImplementation(async () => {
    hook.mockImplementation(acquire);
    if (++version > 1) await edit(version);
    hook.mockImplementation(withEdit);
    return acquire();
  });
  const withEdit = hook.getMockImplementation()!;
  const details = await getPromotionDetails(id).finally(() => hook.mockRestore());
  expect(version).toBeGreaterThan(1);
  expect(details.promotion.name).toBe(`Version ${details.version}`);
  const late = editPromotion(id, { ...same, name: "Late", version: details.version }, { actor });
  await expect(late).rejects.toMatchObject({ reason: "conflict" });
});

test("the details name machines and groups", async () => {
  const machine = await insertMachine();
  const gone = await insertMachine({ is_deleted: true });
  const group = await insertGroup([], { name: "Lobby" });
  const generation = await insertGeneration();
  const shared = await insertPromotion({
    mass_generation_id: generation,
    has_own_set: false,
  });
  await assign("mass_generations", generation, { machine_id: machine.id }, { group_id: group });
  const single = await insertPromotion({ is_assigned: true });
  await assign("promotions", single, { machine_id: gone.id });
  const ofGeneration = await getPromotionDetails(shared);
  expect(ofGeneration).toMatchObject({ groups: [{ name: "Lobby", machineCount: 0 }] });
  expect(ofGeneration.promotion.numberOfCodes).toBe(1);
  expect(ofGeneration.machines.map(({ serialNumber }) => serialNumber)).toEqual([
    machine.serial_number,
  ]);
  const details = await getPromotionDetails(single);
  expect(details).toMatchObject({
    version: 1,
    machines: [{ serialNumber: gone.serial_number, isDeleted: true }],
  });
});
