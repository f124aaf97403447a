import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import { insertUser } from "../factories/people-and-machines";
import { linkIn, useMailbox } from "../support/mailbox";
import { addUser, openSessionOf, password, useServer } from "../support/server";
import { keyLimits, type Target } from "./access-matrix";

/** Keys with the scope `users`, and access tokens, of admins. */
const mailbox = useMailbox();
const server = useServer({ environment: () => ({ SMTP_URL: mailbox.url }) });
const newEmail = () => `${randomUUID()}@example.com`;
let maker: { id: string; email: string };
let integrationId = "";

beforeAll(async () => {
  maker = await addUser("maker@example.com", "admin");
  ({ id: integrationId } = await createIntegration({ name: "Till" }, { actor: maker }));
});

const keyOf: Record<string, () => Promise<string>> = {
  "a person": async () => {
    await regenerateApiKey({ scopes: ["users"], days: 1 }, { actor: maker });
    return revealApiKey({ actor: maker });
  },
  "an integration": async () => {
    const input = { machineSerial: null, days: 1, scopes: ["users"] as const };
    return (await createKey(integrationId, input, { actor: maker })).secret;
  },
};

const call = (method: string, path: string, token: string, data?: object) =>
  server.call(method, path, { token, body: data && { data } });

const rowOf = (id: string) => db()("users").where({ id }).first<Record<string, unknown>>();

async function idOf(target: Target): Promise<string> {
  if (target === "its own user") return maker.id;
  const role = target === "a user" ? "user" : "admin";
  return (await insertUser({ role, is_disabled: target === "a disabled admin" })).id;
}

describe.each(Object.keys(keyOf))("a key of %s", (owner) => {
  let key = "";
  beforeAll(async () => {
    key = await keyOf[owner]!();
  });

  it.each(keyLimits)("$method of $target with $data is $status", async (limit) => {
    const { target, method, status } = limit;
    const data = limit.data && {
      ...limit.data,
      ...((limit.data.email || target === "nobody") && { email: newEmail() }),
    };
    const id = target === "nobody" ? null : await idOf(target);
    const before = id && (await rowOf(id));
    const answer = await call(method, id ? `/users/${id}` : "/users", key, data);
    expect([answer.status, answer.json], JSON.stringify(answer.json)).toEqual([
      status,
      expect.objectContaining(status === 403 ? { error: expect.any(String) as string } : {}),
    ]);
    if (status === 403 && id) expect(await rowOf(id)).toEqual(before);
  });

  it("doesn't take over its admin by another address and a link for a new password", async () => {
    const stranger = newEmail();
    const others: { id: number; role: string }[] = (await call("GET", "/users?limit=100", key)).json
      .rows;
    const admins = others.filter(({ role }) => role === "admin");
    expect(admins.length).toBeGreaterThan(1);
    for (const { id } of admins)
      expect((await call("PUT", `/users/${id}`, key, { email: stranger })).status).toBe(403);
    await server.send("/password-reset", {
      method: "POST",
      body: { intent: "send", email: stranger },
    });
    expect(
      (await mailbox.deliver()).filter(({ recipients }) => recipients.includes(stranger)),
    ).toEqual([]);
    const body = { email: maker.email, password };
    expect((await server.send("/login", { method: "POST", body })).status).toBe(303);
  });

  it("makes no admin by an invitation either", async () => {
    const stranger = newEmail();
    const made = await call("POST", "/users", key, { email: stranger, role: "user" });
    const { id } = made.json;
    expect((await call("PUT", `/users/${id}`, key, { role: "admin" })).status).toBe(403);
    const mail = (await mailbox.deliver()).find(({ recipients }) => recipients.includes(stranger));
    expect(linkIn(mail!)).toMatch(/^\/invitation/);
    expect(await rowOf(id)).toMatchObject({ role: "user" });
  });
});

describe("an access token of an admin", () => {
  let tokens: { token: string; refresh_token: string };

  const signIn = async (): Promise<typeof tokens> =>
    (await server.call("POST", "/auth/signin/local", { body: { email: maker.email, password } }))
      .json;

  const ageTokens = () =>
    db()("tokens").update({
      password_checked_at: db().raw("password_checked_at - interval '10 minutes 1 second'"),
    });

  beforeEach(async () => {
    tokens = await signIn();
  });

  it("makes an admin of a new and of another user", async () => {
    const made = await call("POST", "/users", tokens.token, { email: newEmail(), role: "admin" });
    expect(made.status).toBe(201);
    const { id } = await insertUser();
    expect((await call("PUT", `/users/${id}`, tokens.token, { role: "admin" })).status).toBe(200);
  });

  it("makes no admin later than 10 minutes after the sign-in, also after a refresh", async () => {
    await ageTokens();
    const { refresh_token } = tokens;
    const refreshed = await server.call("POST", "/api/auth/refresh", { body: { refresh_token } });
    const newToken = refreshed.json.token;
    const { id } = await insertUser();
    for (const token of [tokens.token, newToken]) {
      const made = await call("POST", "/users", token, { email: newEmail(), role: "admin" });
      expect([made.status, made.json.error]).toEqual([
        403,
        "To make somebody an admin, sign in again: more than 10 minutes have passed.",
      ]);
      expect((await call("PUT", `/users/${id}`, token, { role: "admin" })).status).toBe(403);
      expect((await call("PUT", `/users/${id}`, token, { firstName: "Ada" })).status).toBe(200);
    }
    const { token } = await signIn();
    expect((await call("PUT", `/users/${id}`, token, { role: "admin" })).status).toBe(200);
  });

  it("acts as its user on other admins", async () => {
    const { id } = await insertUser({ role: "admin" });
    const data = { email: newEmail(), disabled: true };
    expect((await call("PUT", `/users/${id}`, tokens.token, data)).status).toBe(200);
    expect((await call("DELETE", `/users/${id}`, tokens.token)).status).toBe(200);
  });
});

it("says on screens and in the document of the API what the scope leaves out", async () => {
  const cookie = await openSessionOf(maker.email);
  expect((await server.send("/app/profile/api-key", { cookie })).body).toContain(
    "of admins, only names and phone",
  );
  const { body } = await server.send("/api/openapi.json");
  const { paths } = JSON.parse(body) as { paths: Record<string, { put: { description: string } }> };
  expect(paths["/users/{userId}"]!.put.description).toContain("only the names and phone of admins");
});
