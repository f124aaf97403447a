import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { runOnce } from "../../app/features/activity/idempotency.server";
import {
  changePassword,
  hashNewPassword,
  passwordErrors,
  setPassword,
} from "../../app/features/sign-in/passwords.server";
import { findSession, openSession, type Session } from "../../app/features/sign-in/sessions.server";
import { signIn } from "../../app/features/sign-in/sign-in.server";
import { findBearer, hashSecret, issueTokens } from "../../app/features/sign-in/tokens.server";
import type { CheckedUser } from "../../app/features/sign-in/user";
import { createUser } from "../../app/features/sign-in/users.server";
import { useDatabase } from "../support/postgres";
import { inSoak } from "../support/repetitions";

useDatabase();
const owner = { email: "maria.keller@example.com", firstName: "Maria", lastName: "Keller" };
const before = "a password of the tests";
const after = "seven grey herons landing";

const twice = (password: string) => ({ newPassword: password, confirmPassword: password });
const errorOf = async (password: string) =>
  (await passwordErrors(twice(password), owner)).newPassword ?? null;

describe("a new password", () => {
  it.each([
    [12, "Zx9$kLp2@qWm"],
    [15, "naïve Ärzte 🦩🦩🦩"],
    [128, "Zx9$kLp2@qWmT7&b".repeat(8).slice(0, 122) + "h!J4~e"],
    [128, "🦩🐢🌵🍋".repeat(32).slice(0, -12) + "🧵🪁🥨🛶🎻🪴"],
  ])("may have %i characters", async (_, password) => {
    expect(await errorOf(password)).toBeNull();
  });

  it.each([
    ["", "Enter a new password"],
    ["elevenchars", "Password must have at least 12 characters"],
    ["🦩🦩🦩🦩🦩🦩", "Password must have at least 12 characters"],
    ["x9".repeat(64) + "y", "Password cannot exceed 128 characters"],
    ["Maria.Keller@example.com", "Password cannot be the email address"],
    ["123456789012", "This is one of the most common passwords. Choose another one."],
    ["Unbelievable", "This is one of the most common passwords. Choose another one."],
    ["P@ssw0rd1234!", "This is a common password with small changes. Choose another one."],
    ["liverpoolfc1", "This is a common password with small changes. Choose another one."],
    ["passwordpassword", "Repeated words are easy to guess. Add other words."],
    ["aaaaaaaaaaaaaa", "Repeated characters are easy to guess. Add other words."],
    ["abcdefghijkl", "Sequences such as abcd are easy to guess. Add other words."],
    ["maria.keller", "This password is too easy to guess. Add other words."],
    ["promoconsole", "This password is too easy to guess. Add other words."],
  ])("%j is refused", async (password, message) => {
    expect(await errorOf(password)).toBe(message);
  });

  it("is rated beside the process that redeems, which goes on meanwhile", async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await Promise.all(Array.from({ length: 5 }, (_, i) => errorOf(`${"qwertz ".repeat(10)}${i}`)));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(20);
  });

  inSoak(it)("is refused while 50 others wait to be rated", async () => {
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => errorOf(after)));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { reason: "unavailable" } });
    expect(await errorOf(after)).toBeNull();
  });

  it("must be entered twice alike", async () => {
    const errors = await passwordErrors({ newPassword: after, confirmPassword: before }, owner);
    expect(errors).toEqual({ confirmPassword: "Passwords do not match" });
  });
});

describe("setting a password", () => {
  let user: CheckedUser;
  let actor: { id: string; email: string };
  const change = async (options: object = {}, password = after) => {
    const passwordHash = await hashNewPassword(twice(password), owner);
    await db().transaction((trx) => setPassword(trx, user.id, passwordHash, { actor, ...options }));
  };
  const open = async (name: string) => {
    const idHash = hashSecret(`${name} ${user.id}`);
    await openSession(user, idHash, { replaced: null, actor });
    return idHash;
  };

  beforeEach(async () => {
    const email = `${hashSecret(String(Math.random())).toString("hex").slice(0, 12)}@example.com`;
    user = await createUser({ email, password: before, role: "user" });
    actor = { id: user.id, email };
  });

  test("lets the user sign in with the new password only", async () => {
    await change();
    const credentials = { email: user.email, clientAddress: "::1" };
    expect((await signIn({ ...credentials, password: after })).id).toBe(user.id);
    await expect(signIn({ ...credentials, password: before })).rejects.toThrow("Something");
  });

  test("ends every session but the one that is kept, and no other user's", async () => {
    const [kept, other] = [await open("kept"), await open("other")];
    const stranger = await createUser({
      email: `s-${user.email}`,
      password: before,
      role: "user",
    });
    await openSession(stranger, hashSecret(stranger.email), { replaced: null, actor });
    await change({ currentSession: kept });
    const left = await db()("sessions").whereIn("user_id", [user.id, stranger.id]).pluck("id_hash");
    expect(left).toHaveLength(2);
    expect(left).not.toContainEqual(other);
    await change({}, "another flock of geese");
    expect(await db()("sessions").where({ user_id: user.id })).toHaveLength(0);
  });

  test("ends access tokens, refresh tokens and links in mails", async () => {
    const { token } = await issueTokens(user, { actor: user });
    expect(await findBearer(token)).not.toBeNull();
    await change();
    expect(await findBearer(token)).toBeNull();
    expect(await db()("tokens").where({ user_id: user.id, revoked_at: null })).toHaveLength(0);
  });

  test("is audited once, without the password", async () => {
    await change({ action: "user.password_reset" });
    const rows = await db()("audit_log").where({ actor_id: user.id });
    expect(rows).toMatchObject([{ action: "user.password_reset", subject_id: user.id }]);
    expect(JSON.stringify(rows)).not.toContain(after);
  });

  test("changes nothing when the password is refused", async () => {
    const session = await open("kept");
    await expect(change({}, "passwordpassword")).rejects.toMatchObject({
      reason: "invalid",
      fields: { newPassword: "Repeated words are easy to guess. Add other words." },
    });
    expect(await db()("sessions").where({ id_hash: session })).toHaveLength(1);
    expect(
      await db()("audit_log").where({ actor_id: user.id, action: "user.password_changed" }),
    ).toEqual([]);
  });
});

describe("changing the own password", () => {
  let user: CheckedUser;
  let session: Session;
  let idempotencyKey: string;
  const send = async (currentPassword: string, newPassword: string) => {
    const newIdHash = randomBytes(32);
    const options = { actor: user, idempotencyKey, clientAddress: "::1", newIdHash };
    await changePassword(session, { currentPassword, ...twice(newPassword) }, options);
    expect(await findSession(newIdHash)).not.toBeNull();
  };
  const opens = (password: string) =>
    signIn({ email: user.email, password, clientAddress: "::2" }).then(
      () => true,
      () => false,
    );

  beforeEach(async () => {
    idempotencyKey = randomUUID();
    const email = `${idempotencyKey.slice(0, 8)}@example.com`;
    await createUser({ email, password: before, role: "user" });
    user = await signIn({ email, password: before, clientAddress: "::1" });
    const idHash = randomBytes(32);
    await openSession(user, idHash, { replaced: null, actor: user });
    session = (await findSession(idHash))!;
  });

  it("succeeds again when the form is repeated", async () => {
    await send(before, after);
    await send(before, after);
    expect(await opens(after)).toBe(true);
  });

  it("never succeeds with a wrong password, even if the key was used for something else a day ago", async () => {
    await runOnce({ actor: user, idempotencyKey }, { form: "other" }, async () => {});
    await db()("idempotency_keys")
      .where({ key: idempotencyKey })
      .update({ created_at: db().raw("now() - interval '24 hours 5 minutes'") });
    await expect(send("a wrong password", after)).rejects.toThrow("Something");
    expect(await opens(before)).toBe(true);
  });

  it("refuses another new password under the key of a change that was made", async () => {
    await send(before, after);
    await expect(send(before, "another flock of geese")).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await opens(after)).toBe(true);
  });
});
