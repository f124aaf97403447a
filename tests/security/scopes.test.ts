import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import { keyScopes, ownScopes, type KeyScope } from "../../app/features/sign-in/key-scopes";
import { documentedOperations } from "../../app/http/openapi.server";
import { addUser, useServer } from "../support/server";

const server = useServer();
const allScopes = Object.keys(keyScopes) as KeyScope[];
/** Names and secrets of keys with one scope each, of an integration and of admins. */
const keys: { owner: string; scope: KeyScope; secret: string }[] = [];
let integrationId = "";

const newAdmin = (name: string) => addUser(`${name}@example.com`, "admin");

async function personalKey(name: string, scope: KeyScope): Promise<string> {
  const actor = await newAdmin(name);
  await regenerateApiKey({ scopes: [scope], days: 1 }, { actor });
  return revealApiKey({ actor });
}

beforeAll(async () => {
  const actor = await newAdmin("maker");
  ({ id: integrationId } = await createIntegration({ name: "Till" }, { actor }));
  for (const scope of allScopes) {
    const input = { machineSerial: null, days: 1, scopes: [scope] };
    const { secret } = await createKey(integrationId, input, { actor });
    keys.push({ owner: "an integration", scope, secret });
  }
  for (const scope of ownScopes(true))
    keys.push({ owner: "a person", scope, secret: await personalKey(`holds-${scope}`, scope) });
});

// The feed of events would wait for the first one.
const call = (method: string, path: string, secret: string) =>
  server.send(path.replace(/\{\w+\}/g, "999999") + (path === "/api/events" ? "?wait=0" : ""), {
    method,
    headers: { Authorization: `Bearer ${secret}` },
  });

describe("a key", () => {
  it.each(documentedOperations().map(({ method, path, scope }) => ({ method, path, scope })))(
    "calls $method $path only with the scope $scope",
    async ({ method, path, scope: needed }) => {
      for (const { owner, scope, secret } of keys) {
        const { status, body, headers } = await call(method, path, secret);
        const name = `${owner}, ${scope}: ${body.slice(0, 200)}`;
        if (needed === "public" || needed === scope) {
          expect([401, 403], name).not.toContain(status);
        } else {
          expect(status, name).toBe(403);
          expect(JSON.parse(body), name).toHaveProperty("error");
          if (needed !== "redeem")
            expect(headers["www-authenticate"], name).toContain('error="insufficient_scope"');
        }
      }
    },
  );

  it("is needed for every scope that the table names", () => {
    const needed = new Set(documentedOperations().map(({ scope }) => scope));
    expect([...needed].sort()).toEqual([...allScopes, "account", "public"].sort());
  });
});

describe("a key of an integration", () => {
  const create = (secret: string) =>
    server.send("/api/create_promotion", {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        ...{ promotionName: "By a till", discount: 5, discount_type: "percentage" },
        ...{ is_single_use: false, is_renewable: true, expiration_date: null, machines: [] },
      }),
    });

  it("acts for the admin who made it, and the audit log names both", async () => {
    const { secret } = keys.find(({ scope }) => scope === "promotions")!;
    const { status, body } = await create(secret);
    expect(status, body).toBe(201);
    const row = (await db()("audit_log").where({ action: "promotion.created" }).first()) as {
      actor_name: string;
    };
    expect(row.actor_name).toBe(`maker@example.com (vqm_…${secret.slice(-4)})`);
  });

  it("does nothing but redeem once that admin is disabled", async () => {
    const actor = await newAdmin("leaves");
    const input = { machineSerial: null, days: 1, scopes: allScopes };
    const { secret } = await createKey(integrationId, input, { actor });
    expect((await call("GET", "/users", secret)).status).toBe(200);
    await db()("users").where({ id: actor.id }).update({ role: "user" });
    expect((await call("GET", "/users", secret)).status).toBe(403);
    expect((await call("GET", "/api/machines-list", secret)).status).toBe(200);
    await db()("users").where({ id: actor.id }).update({ is_disabled: true });
    expect((await call("GET", "/api/machines-list", secret)).status).toBe(403);
    expect((await call("POST", "/api/redemptions/none/rollback", secret)).status).toBe(404);
  });

  it("of one machine has no other scope", async () => {
    const actor = await newAdmin("binds");
    const input = { machineSerial: "VM-1", days: 1, scopes: ["redeem", "read"] as const };
    await expect(createKey(integrationId, input, { actor })).rejects.toMatchObject({
      fields: { machineSerial: "A key of one machine may only redeem codes" },
    });
  });
});

describe("the scopes of one's own key", () => {
  it("are those that the form offers to the role", async () => {
    await addUser("clerk@example.com");
    const cookie = await server.signIn("clerk@example.com");
    const page = await server.send("/app/profile/api-key", { cookie });
    expect(page.body).toContain('name="scope_machines"');
    expect(page.body).not.toMatch(/name="scope_(users|redeem)"/);
    const post = (body: Record<string, string>) =>
      server.send("/app/profile/api-key", { method: "POST", body, cookie });
    const none = await post({ days: "30" });
    expect([none.status, none.body.includes("Choose what the key may do")]).toEqual([422, true]);
    const made = await post({ days: "30", scope_read: "true", scope_users: "true" });
    expect(made.status).toBe(303);
    const [key] = (await db()("api_keys")
      .whereNotNull("user_id")
      .orderBy("id", "desc")
      .limit(1)) as { scopes: string[] }[];
    expect(key!.scopes).toEqual(["read"]);
  });
});
