import { afterAll, beforeEach, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps, readCaps } from "../../app/features/caps/caps.server";
import { editGeneration } from "../../app/features/mass-generations/edit-mass-generation.server";
import { onlyLaterDay } from "../../app/features/promotions/form/promotion-forms";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { assign } from "../factories/assignments";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertActor, insertMachine } from "../factories/people-and-machines";
import { makeKey, request } from "../factories/redemptions";
import { countSessions } from "../support/database-sessions";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";

useDatabase();

const past = new Date("2020-12-31T23:00:00Z");
const before = new Date("2098-12-31T23:00:00Z");
const after = new Date("2099-12-31T23:00:00Z");
let admin: { id: string; email: string; role: "admin" };

beforeEach(async () => {
  admin = await insertActor("admin");
});
afterAll(assertInvariants);

const insertGeneration = (row: object) =>
  insertMassGeneration({ num_codes: 6, discount_type: "percentage", discount_value: 25, ...row });
const audited = () => db()("audit_log").where({ actor_id: admin.id });

const edit = { name: "Autumn", expirationDate: "2099-12-31", version: 1 };
const read = (id: string) => db()("mass_generations").where({ id }).first("name", "expires_at");

test("renames it and extends it at once, and its codes in chunks", async () => {
  const id = await insertGeneration({ name: "Summer", expires_at: before, num_codes: 300 });
  const options = { actor: admin, idempotencyKey: "edit" };
  await editGeneration(id, edit, options);
  const changed = { name: "Autumn", expires_at: after };
  expect(await read(id)).toEqual(changed);
  expect(await db()("promotions").where({ mass_generation_id: id, ...changed })).toHaveLength(300);
  // A repetition finds its result, though somebody else changed the generation meanwhile.
  await editGeneration(
    id,
    { ...edit, name: "Winter", version: 3 },
    { ...options, idempotencyKey: null },
  );
  await editGeneration(id, edit, options);
  expect(await read(id)).toMatchObject({ name: "Winter" });
  expect(await audited().orderBy("id")).toMatchObject([
    {
      action: "mass_generation.renamed",
      covered: 300,
      details: { name: { from: "Summer", to: "Autumn" } },
    },
    { action: "mass_generation.edited", covered: 300 },
    { action: "mass_generation.renamed" },
  ]);
});

test("is refused for values that the editor did not see, and repeats nothing", async () => {
  const id = await insertGeneration({ expires_at: after });
  const options = { actor: admin, idempotencyKey: null };
  await expect(editGeneration(id, { ...edit, version: 0 }, options)).rejects.toMatchObject({
    reason: "conflict",
    message: expect.stringContaining("Someone else changed this campaign") as string,
  });
  await editGeneration(id, edit, options);
  await editGeneration(id, edit, options);
  expect(await audited()).toHaveLength(1);
});

test("renames an expired one and changes its start with its day unchanged", async () => {
  const startsAt = new Date("2020-01-01T00:00:00Z");
  const id = await insertGeneration({ expires_at: past, starts_at: startsAt });
  const options = { actor: admin, idempotencyKey: null };
  const unchangedDay = { ...edit, expirationDate: "2020-12-31", startsAt: null };
  await editGeneration(id, unchangedDay, options);
  expect(await db()("mass_generations").where({ id }).first()).toMatchObject({
    name: "Autumn",
    expires_at: past,
    starts_at: null,
    version: 3,
  });
  expect(await audited().orderBy("id")).toMatchObject([
    { action: "mass_generation.edited" },
    { action: "mass_generation.renamed" },
  ]);
});

test("changes its name, its day and its caps in one transaction", async () => {
  const id = await insertGeneration({ expires_at: before });
  const caps = { ...noCaps, uses: 5 };
  await editGeneration(id, { ...edit, caps }, { actor: admin, idempotencyKey: null });
  expect((await readCaps({ type: "mass_generation", id })).caps).toEqual(caps);
  const times = await audited().pluck<Date[]>("created_at");
  expect(times).toEqual([times[0], times[0], times[0]]);
  expect(await db()("mass_generations").where({ id }).first()).toMatchObject({ version: 4 });
});

test("doesn't hold up redemptions of a capped campaign before its caps change", async () => {
  const { id: machineId, serial_number: serialNumber } = await insertMachine();
  const { secret } = await makeKey();
  const id = await insertGeneration({ expires_at: before });
  const campaign = { type: "mass_generation", id } as const;
  await assign("mass_generations", id, { machine_id: machineId });
  const caps = { ...noCaps, uses: 5 };
  const codes = await db()("promotions").where({ mass_generation_id: id }).pluck<string[]>("code");
  const options = { actor: admin, idempotencyKey: null };
  await editCaps(campaign, caps, 1, options);
  for (const change of [
    () => editGeneration(id, { ...edit, caps, version: 2 }, options),
    () => editCaps(campaign, { ...caps, uses: 6 }, 4, options),
  ]) {
    const other = await db().transaction();
    await other("mass_generations").where({ id }).forNoKeyUpdate();
    const changed = change();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    const answer = await redeem(request({ code: codes.pop()!, serialNumber }), secret);
    expect(answer.outcome).toBe("applied");
    await other.commit();
    await changed;
  }
  expect(await readCaps(campaign)).toMatchObject({ caps: { uses: 6 }, use: { uses: 2 } });
});

test("locks no code while it waits for redemptions that take from its caps", async () => {
  const id = await insertGeneration({ expires_at: before });
  const options = { actor: admin, idempotencyKey: null };
  const caps = { ...noCaps, uses: 5 };
  await editCaps({ type: "mass_generation", id }, caps, 1, options);
  const redemption = await db().transaction();
  await redemption("cap_parts").forNoKeyUpdate();
  const edited = editGeneration(id, { ...edit, caps: { ...caps, uses: 6 }, version: 2 }, options);
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  const codes = redemption("promotions").where({ mass_generation_id: id });
  const locked = await codes.forNoKeyUpdate().skipLocked();
  await redemption.commit();
  expect(locked).toHaveLength(6);
  await edited;
  const renamed = { mass_generation_id: id, name: "Autumn", expires_at: after };
  expect(await db()("promotions").where(renamed)).toHaveLength(6);
});

test.each([
  ["a day that has passed", { expires_at: past }, "2021-01-01", "Date cannot be in the past"],
  ["an earlier day", { expires_at: after }, "2098-12-31", onlyLaterDay],
  ["none for a day", { expires_at: after }, null, onlyLaterDay],
  [
    "a day for none",
    { expires_at: null },
    "2099-12-31",
    "This campaign has no expiration date, and can't be given one",
  ],
  [
    "a day for a renewable one",
    { is_renewable: true },
    "2099-12-31",
    "A renewable code has no expiration date",
  ],
])("refuses %s and changes nothing", async (_, row, expirationDate, message) => {
  const id = await insertGeneration(row);
  const held = await db()("mass_generations").where({ id }).first();
  const schedule = { hours: [{ days: [1], from: "08:00", to: "09:00" }], except: [] };
  const refused = { ...edit, expirationDate, schedule };
  await expect(
    editGeneration(id, refused, { actor: admin, idempotencyKey: null }),
  ).rejects.toMatchObject({ reason: "invalid", fields: { expiration_date: message } });
  expect(await db()("mass_generations").where({ id }).first()).toEqual(held);
  expect(await audited()).toEqual([]);
});
