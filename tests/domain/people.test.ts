import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { enqueueMail } from "../../app/features/mail/outbox.server";
import { editProfile } from "../../app/features/people/profile.server";
import {
  createManagedUser,
  deleteUser,
  editManagedUser,
  inviteAgain,
} from "../../app/features/people/user-admin.server";
import { saveSettings } from "../../app/features/settings/edit-settings.server";
import { readStoredSettings } from "../../app/features/settings/settings.server";
import { requestPasswordReset } from "../../app/features/sign-in/account-links.server";
import { findApiKey, regenerateApiKey } from "../../app/features/sign-in/api-key.server";
import { insertUser } from "../factories/people-and-machines";
import { countSessions } from "../support/database-sessions";
import { useActor } from "../support/actor";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();
const { actor: admin } = useActor();
let user: { id: string; email: string };
let options: { actor: typeof admin; idempotencyKey: string };
beforeEach(async () => {
  user = await insertUser({ first_name: "Ada" });
  options = { actor: admin, idempotencyKey: randomUUID() };
});

/** The values of an admin's edit of a new user. */
const edit = (firstName: string, version: number) => ({
  email: user.email,
  firstName,
  lastName: "",
  phoneNumber: "",
  role: "user" as const,
  disabled: false,
  version,
});

const photo = { name: "me.png", content: Buffer.of(1), width: 1, height: 1, digest: "1" };

const nameOf = (id: string) => db()("users").where({ id }).first("first_name", "version");

it("refuses an admin's edit of a user who is saving the profile just then", async () => {
  const trx = await db().transaction();
  await trx("users").where({ id: user.id }).update({ first_name: "Own", version: 2 });
  const edited = editManagedUser(user.id, edit("Admin's", 1), { actor: admin }).catch(
    (cause: unknown) => cause,
  );
  await expect.poll(() => countSessions("waiting for a lock"), { interval: 5 }).toBe(1);
  await trx.commit();
  expect(await edited).toMatchObject({ reason: "conflict" });
  expect(await nameOf(user.id)).toEqual({ first_name: "Own", version: 2 });
});

it("repeats an edit of a user whose answer was lost although somebody saved since", async () => {
  await editManagedUser(user.id, edit("First", 1), options);
  await editManagedUser(user.id, edit("Second", 2), { actor: admin });
  await editManagedUser(user.id, edit("First", 1), options);
  expect(await nameOf(user.id)).toEqual({ first_name: "Second", version: 3 });
});

it("leaves the fields of a profile as they are that an edit leaves out", async () => {
  const profile = { first_name: "Ada", last_name: "Lovelace", phone: "123", company: "Engines" };
  await db()("users").where({ id: user.id }).update(profile);
  await editProfile({ phone: "456" }, 1, { actor: { ...user } });
  expect(await db()("users").where({ id: user.id }).first()).toMatchObject({
    ...profile,
    phone: "456",
  });
});

it("repeats a save of the own profile whose answer was lost although an admin saved since", async () => {
  const own = { actor: user, idempotencyKey: randomUUID() };
  await editProfile({ firstName: "Own" }, 1, own);
  await editManagedUser(user.id, edit("Admin's", 2), options);
  await editProfile({ firstName: "Own" }, 1, own);
  expect(await nameOf(user.id)).toEqual({ first_name: "Admin's", version: 3 });
});

it("repeats a save of the settings whose answer was lost although somebody saved since", async () => {
  const { version } = await readStoredSettings();
  const save = (siteName: string, seen: number, by: Parameters<typeof saveSettings>[2]) =>
    saveSettings({ siteName, removeLogo: false, version: seen }, null, by);
  await save("First", version, options);
  await save("Second", version + 1, { actor: admin });
  await save("First", version, options);
  expect(await readStoredSettings()).toMatchObject({ siteName: "Second", version: version + 2 });
});

it("refuses to repeat the creation of an API key with fewer scopes or days", async () => {
  const make = (scopes: ("read" | "promotions")[], days: number) =>
    regenerateApiKey({ scopes, days }, options);
  await make(["read", "promotions"], 30);
  const key = await findApiKey(admin.id);
  await expect(make(["read"], 30)).rejects.toMatchObject({ reason: "conflict" });
  await expect(make(["read", "promotions"], 7)).rejects.toMatchObject({ reason: "conflict" });
  await make(["read", "promotions"], 30);
  expect(await findApiKey(admin.id)).toEqual(key);
});

it("changes nothing of a user who gets a photo beside ten others", async () => {
  await db()("avatars").insert(
    Array.from({ length: 10 }, () => ({ user_id: user.id, name: "a.png", content: Buffer.of(1) })),
  );
  await expect(editManagedUser(user.id, edit("Changed", 1), options, photo)).rejects.toMatchObject({
    reason: "conflict",
  });
  expect(await nameOf(user.id)).toEqual({ first_name: "Ada", version: 1 });
});

it("leaves one link for a new password of two that are asked for at once", async () => {
  for (let trial = 0; trial < repetitions(10, 100); trial += 1) {
    const { id, email } = await insertUser();
    const origin = { address: `10.0.0.${trial}`, requestId: "r-1", userAgent: "" };
    const ask = () => requestPasswordReset({ email }, origin);
    await Promise.all([ask(), ask()]);
    expect(await db()("tokens").where({ user_id: id })).toHaveLength(1);
  }
});

it("drops the invitation and the alerts that wait for a user who is deleted", async () => {
  const values = { ...edit("New", 1), email: `${randomUUID()}@example.com` };
  const { id } = await createManagedUser(values, { actor: admin });
  const table = { title: "Alerts", headings: [], rows: [] };
  const data = { count: 1, choice: "At once", table, path: "/" };
  const alerts = { template: "alerts", data, recipient: values.email } as const;
  await enqueueMail(db(), { ...alerts, dedupKey: randomUUID() });
  await deleteUser(id, { actor: admin });
  expect(await db()("outbox").where({ recipient: values.email }).pluck("template")).toEqual([]);
});

it("mails the newest invitation alone, although earlier ones wait or have failed", async () => {
  const values = { ...edit("New", 1), email: `${randomUUID()}@example.com` };
  const { id } = await createManagedUser(values, { actor: admin });
  const mails = () => db()("outbox").where({ recipient: values.email }).orderBy("id");
  await inviteAgain(id, { actor: admin });
  expect(await mails()).toHaveLength(1);
  await mails().update({ state: "failed", finished_at: new Date() });
  await inviteAgain(id, { actor: admin });
  expect(await mails()).toMatchObject([{ state: "pending", link: expect.any(Buffer) }]);
});
