import { beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { mailEndingKeys } from "../../app/features/integrations/ending-keys.server";
import {
  countRefusedKey,
  listRefusedKeys,
  readUnknownKeys,
  writeRefusedKeys,
} from "../../app/features/integrations/refused-keys.server";
import { createKey, renewKey } from "../../app/features/integrations/new-keys.server";
import { editManagedUser } from "../../app/features/people/user-admin.server";
import { newSecret } from "../../app/features/sign-in/tokens.server";
import { insertUser } from "../factories/people-and-machines";
import { makeKey } from "../factories/redemptions";
import { useDatabase } from "../support/postgres";
import { ago, rowById } from "../factories/rows";
import { countSessions, lockTable } from "../support/database-sessions";

useDatabase();
beforeEach(async () => {
  await db()("outbox").delete();
  await db()("api_keys").update({ revoked_at: db().fn.now() });
  await db()("users").update({ is_disabled: true });
  await db()("refused_key_requests").delete();
  await insertUser({ email: "boss@example.com", role: "admin" }).catch(() =>
    db()("users").where({ email: "boss@example.com" }).update({ is_disabled: false }),
  );
});

const endIn = (id: string, interval: string) =>
  rowById("api_keys", id).update({
    created_at: ago("30 days"),
    expires_at: db().raw("now() + cast(? as interval)", [interval]),
  });

type Mail = {
  recipient: string;
  data: { count: number; days: number; table: { rows: string[][] } };
};
const mails = () =>
  db()("outbox")
    .where({ template: "keys_ending" })
    .whereNot({ recipient: "" })
    .orderBy("id")
    .select<Mail[]>("recipient", "data");

it("mails the admins 14, 7 and 1 days before a key ends, once for each", async () => {
  const key = await makeKey();
  await db()("users").whereNot({ email: "boss@example.com" }).update({ is_disabled: true });
  const sent: [string, number][] = [];
  for (const interval of ["15 days", "14 days", "8 days", "7 days", "2 days", "1 day", "1 hour"]) {
    await endIn(key.id, interval);
    for (let run = 0; run < 2; run++) await mailEndingKeys();
    const found = await mails();
    if (found.length > sent.length) sent.push([interval, found.at(-1)!.data.days]);
    expect(found).toHaveLength(sent.length);
  }
  expect(sent).toEqual([
    ["14 days", 14],
    ["7 days", 7],
    ["1 day", 1],
  ]);
  const [mail] = await mails();
  expect(mail!.recipient).toBe("boss@example.com");
  expect(mail!.data.table.rows).toEqual([
    [`vqm_…${key.secret.slice(-4)}`, "Platform", expect.stringMatching(/^\d\d\.\d\d\.\d{4}/)],
  ]);
});

it("mails the other admins where no mail can be sent to one", async () => {
  const key = await makeKey();
  await db()("users").whereNot({ email: "boss@example.com" }).update({ is_disabled: true });
  await insertUser({ email: `root-${key.id}@localhost`, role: "admin" });
  await endIn(key.id, "1 day");
  await mailEndingKeys();
  expect((await mails()).map(({ recipient }) => recipient)).toEqual(["boss@example.com"]);
});

it("mails nobody who stops being an admin while the mail is added", async () => {
  const key = await makeKey();
  await db()("users").update({ is_disabled: true });
  const names = { firstName: "", lastName: "", phoneNumber: "" };
  const former = await insertUser({ role: "admin" });
  const remaining = await insertUser({
    role: "admin",
    password_hash: "unused",
    email_verified_at: ago("1 day"),
  });
  await endIn(key.id, "1 day");
  const holder = await lockTable("outbox", "exclusive");
  const mailing = mailEndingKeys();
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  const edit = {
    ...names,
    email: former.email,
    role: "user",
    disabled: false,
    version: 1,
  } as const;
  const editing = editManagedUser(former.id, edit, { actor: remaining });
  await Promise.race([editing, expect.poll(() => countSessions("waiting for a lock")).toBe(2)]);
  await holder.commit();
  await Promise.all([mailing, editing]);
  expect((await mails()).map(({ recipient }) => recipient)).toEqual([remaining.email]);
});

it("says nothing of days that a key never had", async () => {
  const key = await makeKey();
  await rowById("api_keys", key.id).update({
    expires_at: db().raw("created_at + interval '5 days'"),
  });
  await mailEndingKeys();
  expect(await mails()).toEqual([]);
});

it("tells apart keys that end within a day and within a week", async () => {
  const [near, far] = [await makeKey(), await makeKey()];
  await db()("users").whereNot({ email: "boss@example.com" }).update({ is_disabled: true });
  await endIn(near.id, "1 day");
  await endIn(far.id, "7 days");
  await mailEndingKeys();
  const sent = await mails();
  expect(sent.map(({ data }) => [data.count, data.days])).toEqual([
    [1, 1],
    [1, 7],
  ]);
});

it("puts all keys that are due within the same number of days into one mail, and leaves renewed ones out", async () => {
  const keys = await Promise.all([1, 2, 3].map(() => makeKey()));
  await db()("users").whereNot({ email: "boss@example.com" }).update({ is_disabled: true });
  for (const { id } of keys) await endIn(id, "5 days");
  await renewKey(keys[0]!.integrationId, keys[0]!.id, { actor: keys[0]!.actor });
  await Promise.all([mailEndingKeys(), mailEndingKeys()]);
  const sent = await mails();
  expect(sent.map(({ data }) => [data.count, data.days])).toEqual([[2, 7]]);
});

it("renews a key for as long as it was made, also after its successor was renewed", async () => {
  const first = await makeKey();
  const renew = (id: string) => renewKey(first.integrationId, id, { actor: first.actor });
  const second = await renew(first.id);
  await renew(second.id);
  const { id } = await renew(first.id);
  const [renewed] = await rowById("api_keys", id).select(
    db().raw("extract(days from expires_at - created_at)::integer as days"),
  );
  expect(renewed).toEqual({ days: 30 });
});

it("keeps at most 1,000 addresses an hour of what is asked with refused keys", async () => {
  const { secret } = await makeKey();
  for (let round = 0; round < 2; round++) {
    for (let client = 0; client < 700; client++) countRefusedKey(secret, `10.0.${round}.${client}`);
    await writeRefusedKeys();
  }
  const [key] = await listRefusedKeys(100);
  expect(key).toMatchObject({ lastFour: secret.slice(-4), requests: 1_400 });
  const hours = await db()("refused_key_requests")
    .whereNot({ address: "" })
    .groupBy("hour")
    .countDistinct("address as addresses");
  expect(Math.max(...hours.map(({ addresses }) => Number(addresses)))).toBe(1_000);
});

it("counts a key that is known beside a flood of unknown ones from one client", async () => {
  const { secret } = await makeKey();
  for (let guess = 0; guess < 200; guess++) countRefusedKey(newSecret("vqm_"), "10.6.6.6");
  for (let time = 0; time < 5; time++) countRefusedKey(secret, "10.0.0.1");
  await writeRefusedKeys();
  expect(await listRefusedKeys(100)).toMatchObject([{ lastFour: secret.slice(-4), requests: 5 }]);
  expect(await readUnknownKeys()).toMatchObject({ lastFour: null, requests: 200 });
});

it("tells nobody of a test key that is used after its end", async () => {
  const { integrationId, actor } = await makeKey();
  const key = { machineSerial: null, days: 30, isTest: true };
  const { secret } = await createKey(integrationId, key, { actor });
  countRefusedKey(secret, "10.0.0.1");
  await writeRefusedKeys();
  expect(await listRefusedKeys(100)).toEqual([]);
  expect(await readUnknownKeys()).toBeNull();
});

it("counts what is asked with refused keys although a write of the counts failed", async () => {
  const { secret } = await makeKey();
  countRefusedKey(secret, "10.0.0.1");
  const blocker = await lockTable("refused_key_requests", "exclusive");
  await expect(writeRefusedKeys()).rejects.toThrow("lock timeout");
  countRefusedKey(secret, "10.0.0.1");
  await blocker.rollback();
  await writeRefusedKeys();
  expect(await listRefusedKeys(100)).toMatchObject([{ requests: 2 }]);
});

it("lists an ended key between two uses of a client that asks once a day", async () => {
  const { secret } = await makeKey();
  countRefusedKey(secret, "10.0.0.1");
  await writeRefusedKeys();
  const usedAgo = (interval: string) =>
    db().raw(
      `update refused_key_requests set last_at = now() - cast(:interval as interval),
         hour = date_trunc('hour', now() - cast(:interval as interval))`,
      { interval },
    );
  await usedAgo("24 hours 5 minutes");
  expect(await listRefusedKeys(100)).toHaveLength(1);
  await usedAgo("25 hours 5 minutes");
  expect(await listRefusedKeys(100)).toEqual([]);
});
