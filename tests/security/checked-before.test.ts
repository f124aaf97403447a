import { randomBytes, randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { endOtherSessions } from "../../app/features/people/own-sessions.server";
import { regenerateApiKey } from "../../app/features/sign-in/api-key.server";
import { createLinkToken } from "../../app/features/sign-in/link-tokens.server";
import { setPassword } from "../../app/features/sign-in/passwords.server";
import { trustBrowser } from "../../app/features/second-factor/trusted-browsers.server";
import { copySession, openSession } from "../../app/features/sign-in/sessions.server";
import { signIn, SignInRejected } from "../../app/features/sign-in/sign-in.server";
import {
  hashSecret,
  issueTokens,
  refreshTokens,
  revokeTokens,
} from "../../app/features/sign-in/tokens.server";
import type { CheckedUser } from "../../app/features/sign-in/user";
import { hashPassword } from "../../app/features/sign-in/password-hash.server";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";
import { addUser } from "../support/server";

/** Sign-ins whose password was right a moment before a change that ends sessions and tokens. */
useDatabase();
const newPassword = "seven grey herons landing";
let newHash = "";

let checked: CheckedUser;
let actor: { id: string; email: string };
const origin = { requestId: "1", address: "::1", userAgent: "" };
beforeAll(async () => {
  newHash = await hashPassword(newPassword);
});
beforeEach(async () => {
  actor = await addUser(`${randomUUID()}@example.com`);
  // Stands for the result of a sign-in with the right password.
  checked = { ...actor, credentialsVersion: 1 } as CheckedUser;
});

const update = (trx: Knex, values: object) => trx("users").where({ id: checked.id }).update(values);
const changes: [string, (trx: Knex) => Promise<unknown>][] = [
  ["a new password", (trx) => setPassword(trx, checked.id, newHash, { actor })],
  ["another role", (trx) => update(trx, { role: "admin" })],
  ["disabling", (trx) => update(trx, { is_disabled: true })],
  [
    "disabling and enabling again",
    async (trx) => {
      await update(trx, { is_disabled: true });
      await update(trx, { is_disabled: false });
    },
  ],
  ["another address", (trx) => update(trx, { email: `${randomUUID()}@example.com` })],
];

const open = () => openSession(checked, randomBytes(32), { replaced: null, actor });
const openings: [string, () => Promise<unknown>][] = [
  ["session", open],
  ["token", () => issueTokens(checked, { actor: checked })],
  [
    "second step",
    () => createLinkToken(db(), "second_factor", checked.id, checked.credentialsVersion),
  ],
  ["trusted browser", () => trustBrowser(checked, randomUUID())],
];

/** Counts whatever could open the account without its password. */
async function openWays(): Promise<number> {
  const { rows } = await db().raw<{ rows: { count: number }[] }>(
    `select ((select count(*) from sessions where user_id = :id)
       + (select count(*) from tokens where user_id = :id and revoked_at is null)
       + (select count(*) from trusted_browsers where user_id = :id))::integer as count`,
    { id: checked.id },
  );
  return rows[0]!.count;
}

/** Returns once so many statements wait for a lock, or the promise is settled. */
async function waitsForLock(promise: Promise<unknown>, statements = 1): Promise<boolean> {
  let isSettled = false;
  void promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  for (;;) {
    const { rows } = await db().raw<{ rows: object[] }>(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length >= statements || isSettled) return !isSettled;
  }
}

describe.each(changes)("after %s", (_change, change) => {
  it.each(openings)(
    "opens no %s for a password that was checked before",
    async (_name, opening) => {
      await change(db());
      await opening().catch(() => null);
      expect(await openWays()).toBe(0);
    },
  );

  it.each(openings)("opens no %s while the change is being committed", async (_name, opening) => {
    const trx = await db().transaction();
    await change(trx);
    const opened = opening().catch(() => null);
    expect(await waitsForLock(opened)).toBe(true);
    await trx.commit();
    await opened;
    expect(await openWays()).toBe(0);
  });
});

test("opens a session and tokens for the new password", async () => {
  await changes[0]![1](db());
  checked = await signIn({ email: actor.email, password: newPassword, clientAddress: "::1" });
  await open();
  await issueTokens(checked, { actor: checked });
  expect(await openWays()).toBe(3);
});

test.each(changes.slice(0, 3))(
  "ends a pair that is refreshed just then, after %s",
  async (_, change) => {
    const { refreshToken } = await issueTokens(checked, { actor: checked });
    const trx = await db().transaction();
    await trx("tokens")
      .where({ hash: hashSecret(refreshToken) })
      .forUpdate();
    const refreshed = refreshTokens(refreshToken, origin);
    expect(await waitsForLock(refreshed)).toBe(true);
    const changed = db().transaction(change);
    expect(await waitsForLock(changed, 2)).toBe(true);
    await trx.commit();
    await Promise.all([refreshed, changed]);
    expect(await openWays()).toBe(0);
  },
);

/** Runs two calls while the refresh token is locked: the first waits for it, then the second is made. */
async function whileLocked<Second>(
  refreshToken: string,
  first: () => Promise<unknown>,
  second: () => Promise<Second>,
) {
  const trx = await db().transaction();
  await trx("tokens")
    .where({ hash: hashSecret(refreshToken) })
    .forUpdate();
  const firstCall = first();
  expect(await waitsForLock(firstCall)).toBe(true);
  const secondCall = second();
  expect(await waitsForLock(secondCall, 2)).toBe(true);
  await trx.commit();
  await firstCall;
  return secondCall;
}

test("ends a pair that is refreshed just then, after signing out", async () => {
  const { token, refreshToken } = await issueTokens(checked, { actor });
  await whileLocked(
    refreshToken,
    () => refreshTokens(refreshToken, origin),
    () => revokeTokens(token, { actor }),
  );
  expect(await openWays()).toBe(0);
});

test("ends a pair that is refreshed just then, after an earlier refresh token was used again", async () => {
  const { refreshToken: stolen } = await issueTokens(checked, { actor });
  const current = (await refreshTokens(stolen, origin))!.refreshToken;
  await db()("tokens")
    .where({ hash: hashSecret(stolen) })
    .update({ spent_at: db().raw("now() - interval '11 seconds'") });
  const reused = await whileLocked(
    current,
    () => refreshTokens(current, origin),
    () => refreshTokens(stolen, origin),
  );
  expect(reused).toBeNull();
  expect(await openWays()).toBe(0);
});

test("signs out and refreshes at once without a deadlock", async () => {
  for (let trial = 0; trial < repetitions(5, 100); trial += 1) {
    const { token, refreshToken } = await issueTokens(checked, { actor });
    await Promise.all([refreshTokens(refreshToken, origin), revokeTokens(token, { actor })]);
    expect(await openWays()).toBe(0);
  }
});

test("replaces a session without a deadlock while the user is being disabled", async () => {
  const replaced = randomBytes(32);
  await openSession(checked, replaced, { replaced: null, actor });
  const trx = await db().transaction();
  await trx("users").where({ id: checked.id }).forNoKeyUpdate();
  const opened = openSession(checked, randomBytes(32), { replaced, actor }).catch(
    (cause: unknown) => cause,
  );
  expect(await waitsForLock(opened)).toBe(true);
  await update(trx, { is_disabled: true });
  await trx.commit();
  expect(await opened).toBeInstanceOf(SignInRejected);
  expect(await openWays()).toBe(0);
});

test("ends other sessions without a deadlock while the user is being disabled", async () => {
  await open();
  const { id_hash: idHash } = (await db()("sessions").where({ user_id: checked.id }).first<{
    id_hash: Buffer;
  }>())!;
  await open();
  const trx = await db().transaction();
  await trx("users").where({ id: checked.id }).forNoKeyUpdate();
  const ended = endOtherSessions(
    { user: checked, idHash },
    { revokeKey: true, removePasskeys: false },
    { actor },
  ).catch((cause: unknown) => cause);
  expect(await waitsForLock(ended)).toBe(true);
  await update(trx, { is_disabled: true });
  await trx.commit();
  expect(await ended).toMatchObject({ reason: "forbidden" });
  expect(await openWays()).toBe(0);
});

test("copies no session of a user who is being disabled", async () => {
  await open();
  const [session] = await db()("sessions").where({ user_id: checked.id }).select("public_id");
  const trx = await db().transaction();
  await update(trx, { is_disabled: true });
  const { public_id } = session as { public_id: string };
  const copied = copySession(db(), checked, public_id, randomBytes(32));
  expect(await waitsForLock(copied)).toBe(true);
  await trx.commit();
  await copied;
  await update(db(), { is_disabled: false });
  expect(await openWays()).toBe(0);
});

test("makes no API key for a user who is being disabled", async () => {
  const trx = await db().transaction();
  await update(trx, { is_disabled: true });
  const made = regenerateApiKey({ scopes: ["read"], days: 1 }, { actor }).catch(
    (cause: unknown) => cause,
  );
  expect(await waitsForLock(made)).toBe(true);
  await trx.commit();
  expect(await made).toMatchObject({ reason: "forbidden" });
  expect(await db()("api_keys").where({ user_id: checked.id })).toHaveLength(0);
});

test("sets no password whose old one was checked before another change", async () => {
  const checkedVersion = checked.credentialsVersion;
  await changes[0]![1](db());
  const another = await hashPassword("a flock of wild geese");
  await expect(
    setPassword(db(), checked.id, another, { actor, checkedVersion }),
  ).rejects.toMatchObject({ reason: "conflict" });
  expect(
    (await signIn({ email: actor.email, password: newPassword, clientAddress: "::1" })).id,
  ).toBe(checked.id);
});
