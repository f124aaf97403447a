import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  changeKeyLimit,
  createIntegration,
  getIntegration,
  isIntegrationKey,
  listIntegrations,
  listThrottledKeys,
  revokeKey,
} from "../../app/features/integrations/integrations.server";
import { maxIntegrations } from "../../app/features/integrations/integration";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { findBearer, isWellFormedSecret } from "../../app/features/sign-in/tokens.server";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { countSessions, lockTable } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";
import { rowById } from "../factories/rows";

useDatabase();

let actor: { id: string; email: string };
let id: string;
beforeEach(async () => {
  actor = await insertUser();
  ({ id } = await createIntegration(
    { name: "  SmartVend  " },
    { actor: { ...actor, requestId: "r-1" } },
  ));
});

const newKey = (machineSerial: string | null = null, days = 30) =>
  createKey(id, { machineSerial, days }, { actor });

type Audited = { action: string; subject_type: string; subject_id: string; details: object };

function audited(): Promise<Audited[]> {
  return db()("audit_log")
    .where({ actor_id: actor.id })
    .orderBy("id")
    .select<Audited[]>("action", "subject_type", "subject_id", "details");
}

describe("integrations", () => {
  test("are at most 500, also when several admins create one at once", async () => {
    await db().raw(
      `insert into integrations (name, created_by)
       select 'SmartVend ' || n, :userId from generate_series(1, cast(:missing as integer)) n`,
      { userId: actor.id, missing: maxIntegrations - 1 - (await listIntegrations()).length },
    );
    const create = (name: string) => createIntegration({ name }, { actor });
    const holder = await lockTable("integrations", "share");
    const creations = Promise.allSettled([create("First"), create("Second")]);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
    await holder.commit();
    const results = await creations;
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await listIntegrations()).toHaveLength(maxIntegrations);
    await db()("integrations").where("name", "like", "SmartVend %").delete();
  });

  test("lists an integration with the number of active keys and their last use", async () => {
    const machine = await insertMachine({ human_name: "Lobby" });
    const first = await newKey();
    const second = await newKey(machine.serial_number, 365);
    await rowById("api_keys", first.id).update({ last_used_at: new Date(1e12) });
    await revokeKey(id, second.id, { actor });

    const found = (await listIntegrations()).find((one) => one.id === id);
    expect(found).toMatchObject({ name: "SmartVend", activeKeys: 1, lastUsedAt: new Date(1e12) });
    const { keys } = await getIntegration(id);
    expect(keys.map((key) => [key.id, key.state])).toEqual([
      [first.id, "active"],
      [second.id, "revoked"],
    ]);
    expect(keys[1]!.machine).toEqual({ serialNumber: machine.serial_number, humanName: "Lobby" });
    expect(keys[0]!.machine).toBeNull();
    expect(keys[0]!.lastFour).toBe(first.secret.slice(-4));
    const days = Number(keys[1]!.expiresAt) - Number(keys[1]!.createdAt);
    expect(Math.round(days / 86_400_000)).toBe(365);
  });

  test.each(["", "   ", "x".repeat(201), "a\0b", "a\ud83c"])(
    "rejects the name %j of an integration",
    async (name) => {
      await expect(createIntegration({ name }, { actor })).rejects.toMatchObject({
        reason: "invalid",
        fields: { name: expect.stringMatching(/^Name /) as string },
      });
    },
  );

  test("answers not found for unknown integrations and keys", async () => {
    for (const unknown of ["999999999", "0", "x", "1e3", "99999999999999999999"]) {
      const missing = { reason: "not_found" };
      await expect(getIntegration(unknown)).rejects.toMatchObject(missing);
      const key = createKey(unknown, { machineSerial: null, days: 1 }, { actor });
      await expect(key).rejects.toMatchObject(missing);
      await expect(revokeKey(unknown, "1", { actor })).rejects.toMatchObject(missing);
      await expect(revokeKey(id, unknown, { actor })).rejects.toMatchObject(missing);
    }
  });
});

describe("keys of an integration", () => {
  test("stores a key as a hash that cannot be used as a key", async () => {
    const { secret, id: keyId } = await newKey();
    expect(secret).toMatch(/^vqm_[0-9A-Za-z]{49}$/);
    expect(isWellFormedSecret(secret)).toBe(true);
    const row = (await rowById("api_keys", keyId).first()) as Record<string, unknown>;
    expect(row).toMatchObject({ scopes: ["redeem"], ciphertext: null, user_id: null });
    const random = secret.slice(4, 47);
    expect(JSON.stringify(row)).not.toContain(random);
    expect(JSON.stringify(await audited())).not.toContain(random);
    // A stolen dump opens nothing.
    expect(await isIntegrationKey((row.hash as Buffer).toString("hex"))).toBe(false);
  });

  test("a key has the scope of redeeming and ends when it is revoked or expires", async () => {
    const { secret, id: keyId } = await newKey();
    expect(await isIntegrationKey(secret)).toBe(true);
    expect(await findBearer(secret)).toMatchObject({ scopes: ["redeem"] });
    await rowById("api_keys", keyId).update({ expires_at: db().raw("now()") });
    expect(await isIntegrationKey(secret)).toBe(false);
    expect((await getIntegration(id)).keys[0]!.state).toBe("expired");

    const other = await newKey();
    await revokeKey(id, other.id, { actor });
    expect(await isIntegrationKey(other.secret)).toBe(false);
  });

  test.each([0, -1, 366, 1.5, NaN, Infinity, 1e300])(
    "rejects a key that lives for %s days",
    async (days) => {
      await expect(newKey(null, days)).rejects.toMatchObject({
        fields: { days: "Days must be a whole number from 1 to 365" },
      });
    },
  );

  test("binds a key only to a machine that exists and is not deleted", async () => {
    const gone = await insertMachine({ is_deleted: true });
    for (const serial of [gone.serial_number, "nowhere", "", "a\0b", "x".repeat(101)])
      await expect(newKey(serial)).rejects.toMatchObject({
        fields: { machineSerial: "No machine has this serial number" },
      });
  });

  test("binds a key to the machine that came back in another case, not to the deleted one", async () => {
    await insertMachine({ serial_number: "RENAMED-1", is_deleted: true });
    const { id: machine_id } = await insertMachine({ serial_number: "renamed-1" });
    const { id: keyId } = await newKey("Renamed-1");
    expect(await db()("api_keys").where({ id: keyId }).first()).toMatchObject({ machine_id });
  });

  test("revokes a key once, and only through its own integration", async () => {
    const { id: keyId } = await newKey();
    const other = await createIntegration({ name: "Other" }, { actor });
    await expect(revokeKey(other.id, keyId, { actor })).rejects.toMatchObject({
      reason: "not_found",
    });
    await Promise.all([1, 2, 3].map(() => revokeKey(id, keyId, { actor })));
    const { revokedAt } = (await getIntegration(id)).keys[0]!;
    await revokeKey(id, keyId, { actor });
    expect((await getIntegration(id)).keys[0]!.revokedAt).toEqual(revokedAt);
    const actions = (await audited()).filter((row) => row.subject_id === id);
    expect(actions.map((row) => row.action)).toEqual([
      "integration.created",
      "integration.key_created",
      "integration.key_revoked",
    ]);
    expect(actions.every((row) => row.subject_type === "integration")).toBe(true);
  });
});

describe("the limit of a key", () => {
  test("is 300 and can be raised, which is audited once", async () => {
    const { id: keyId, secret } = await newKey();
    const limit = async () => (await getIntegration(id)).keys[0]!.maxFailedLookups;
    expect(await limit()).toBe(300);
    await changeKeyLimit(id, keyId, 10_000, { actor });
    await changeKeyLimit(id, keyId, 10_000, { actor });
    expect(await limit()).toBe(10_000);
    const changes = (await audited()).filter(({ action }) => action.endsWith("limit_changed"));
    const details = {
      key: keyId,
      last_four: secret.slice(-4),
      limit: { from: 300, to: 10_000 },
    };
    expect(changes).toEqual([
      {
        action: "integration.key_limit_changed",
        subject_type: "integration",
        subject_id: id,
        details,
      },
    ]);
  });

  test.each([299, 10_001, 300.5, NaN, -1])("is never %s", async (limit) => {
    const { id: keyId } = await newKey();
    await expect(changeKeyLimit(id, keyId, limit, { actor })).rejects.toMatchObject({
      fields: { limit: "Limit must be a whole number from 300 to 10,000" },
    });
  });

  test("is changed only for a key in use, through its own integration", async () => {
    const { id: keyId } = await newKey();
    const other = await createIntegration({ name: "Other" }, { actor });
    const change = (of: string) => changeKeyLimit(of, keyId, 500, { actor });
    await expect(change(other.id)).rejects.toMatchObject({ reason: "not_found" });
    await revokeKey(id, keyId, { actor });
    await expect(change(id)).rejects.toMatchObject({ reason: "conflict" });
  });
});

test("lists each key that was throttled within a day, until it is revoked", async () => {
  const { id: keyId, secret } = await newKey();
  const lastFour = secret.slice(-4);
  const throttled = (age: string, limit: number) =>
    db()("audit_log").insert({
      actor_name: "System",
      action: "integration.key_throttled",
      subject_type: "integration",
      subject_id: id,
      details: { key: keyId, last_four: lastFour, limit },
      created_at: db().raw("now() - cast(? as interval)", [age]),
    });
  const ofThisKey = async () => (await listThrottledKeys()).filter((key) => key.id === keyId);
  await throttled("25 hours", 300);
  expect(await ofThisKey()).toEqual([]);
  await throttled("2 hours", 300);
  await throttled("1 hour", 400);
  expect(await ofThisKey()).toEqual([
    {
      id: keyId,
      lastFour,
      integrationId: id,
      integrationName: "SmartVend",
      count: 2,
      limit: 400,
      lastAt: expect.any(Date) as Date,
    },
  ]);
  await revokeKey(id, keyId, { actor });
  expect(await ofThisKey()).toEqual([]);
});
