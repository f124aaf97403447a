import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import { issueTokens } from "../../app/features/sign-in/tokens.server";
import { useInstances } from "../support/app";
import {
  addUser,
  apiOf,
  cookieOf,
  openSession,
  password,
  send,
  type Sending,
} from "../support/server";

/** Sessions, tokens and keys of a user on two instances. */
const instances = useInstances([{}, {}]);
const newPassword = "seven grey herons landing";
let admin = "";
let user: { id: string; email: string };
let sessions: string[];
let tokens: { token: string; refresh_token: string }[];
let key = "";

const on = (instance: number, target: string, sending: Sending = {}) =>
  // Both instances have one origin, as behind a balancer.
  send(instances[instance]!.origin, target, sending);

async function signIn(instance: number, email: string, secret = password) {
  const body = { email, password: secret };
  return cookieOf(await on(instance, "/login", { method: "POST", body }));
}

const call = (instance: number) => apiOf((target, sending) => on(instance, target, sending));

async function issue(): Promise<(typeof tokens)[number]> {
  const checked = { id: user.id, credentialsVersion: 1 };
  const { token, refreshToken } = await issueTokens(checked, { actor: user });
  return { token, refresh_token: refreshToken };
}

beforeAll(async () => {
  admin = await openSession((await addUser("admin@example.com", "admin")).id);
});

beforeEach(async () => {
  user = await addUser(`${randomUUID()}@example.com`);
  sessions = [await openSession(user.id), await openSession(user.id)];
  tokens = [await issue(), await issue()];
  await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor: user });
  key = await revealApiKey({ actor: user });
  expect(await usable()).toEqual({ sessions: 4, tokens: 4, keys: 2 });
});

/** Counts what an instance accepts, of both. */
async function usable() {
  const counts = { sessions: 0, tokens: 0, keys: 0 };
  for (const instance of [1, 0]) {
    for (const cookie of sessions)
      if ((await on(instance, "/app/support", { cookie })).status === 200) counts.sessions += 1;
    for (const { token } of tokens) if (await isAccepted(instance, token)) counts.tokens += 1;
    if (await isAccepted(instance, key)) counts.keys += 1;
  }
  return counts;
}

const isAccepted = async (instance: number, token: string) =>
  (await call(instance)("GET", "/auth/me", { token })).status === 200;

const refresh = async (instance: number, refresh_token: string) =>
  (await call(instance)("POST", "/api/auth/refresh", { body: { refresh_token } })).status;

async function edit(changes: Record<string, string>): Promise<void> {
  const { version } = (await db()("users").where({ id: user.id }).first<{ version: number }>())!;
  const stored = { email: user.email, role: "user", version: String(version) };
  const body = { ...stored, intent: "save", ...changes };
  const answer = await on(0, `/app/users/${user.id}/edit`, { method: "POST", body, cookie: admin });
  expect(answer.status, answer.body).toBe(303);
}

async function changePassword(): Promise<void> {
  const body = { currentPassword: password, newPassword, confirmPassword: newPassword };
  const cookie = sessions[0]!;
  const answer = await on(0, "/app/user/edit/password", { method: "POST", body, cookie });
  expect(answer.status, answer.body).toBe(303);
}

describe("the next request to either instance is refused", () => {
  it.each<[string, () => Promise<void>, number]>([
    ["disabling", () => edit({ disabled: "true" }), 0],
    ["another role", () => edit({ role: "admin" }), 2],
    ["a new password", changePassword, 2],
  ])("after %s", async (_event, act, keys) => {
    await act();
    expect(await usable()).toEqual({ sessions: 0, tokens: 0, keys });
    for (const instance of [0, 1])
      for (const { refresh_token } of tokens)
        expect(await refresh(instance, refresh_token)).toBe(401);
  });
});

it("and stays so when the user is enabled again", async () => {
  await edit({ disabled: "true" });
  await edit({});
  expect(await usable()).toEqual({ sessions: 0, tokens: 0, keys: 0 });
  for (const { refresh_token } of tokens) expect(await refresh(1, refresh_token)).toBe(401);
  sessions = [await signIn(1, user.email)];
  expect((await usable()).sessions).toBe(2);
});
