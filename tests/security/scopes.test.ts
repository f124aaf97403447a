import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import { keyScopes, ownScopes, type KeyScope } from "../../app/features/sign-in/key-scopes";
import { documentedOperations } from "../../app/http/openapi.server";
import { isSoak } from "../support/repetitions";
import { addUser, useServer } from "../support/server";
import { expectRejection, useSession, type Fields } from "../support/session";

const server = useServer();
const clerk = useSession(server, "clerk@example.com");
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
const call = (method: string, path: string, token: string) => {
  const address = path.replace(/\{\w+\}/g, "999999") + (path === "/api/events" ? "?wait=0" : "");
  return server.call(method, address, { token });
};

describe("a key", () => {
  it.each(
    documentedOperations().map(({ method, path, scope }, turn) => ({ method, path, scope, turn })),
  )(
    "calls $method $path only with the scope $scope",
    async ({ method, path, scope: needed, turn }) => {
      const others = keys.filter(({ scope }) => scope !== needed);
      // One comparison refuses all others, which take turns.
      const refused = isSoak ? others : [others[turn % others.length]!];
      const admitted = keys.filter(({ scope }) => scope === needed);
      for (const { owner, scope, secret } of [...admitted, ...refused]) {
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

describe("the scope machines", () => {
  it("is needed by every call that assigns machines to codes that exist, or changes machines and groups", () => {
    const isAboutMachines = (path: string) =>
      /\/(add|remove)-machines|\/imports\/(machines|groups|assignments)/.test(path);
    const calls = documentedOperations().filter(({ path }) => isAboutMachines(path));
    expect(calls.length).toBeGreaterThan(12);
    expect(calls.filter(({ scope }) => scope !== "machines")).toEqual([]);
  });
});

describe("a key of an integration", () => {
  it("acts for the admin who made it, and the audit log names both", async () => {
    const { secret: token } = keys.find(({ scope }) => scope === "promotions")!;
    const made = await server.call("POST", "/api/create_promotion", {
      token,
      body: { promotionName: "By a till", discount: 5, discount_type: "percentage" },
    });
    expect(made.status, made.body).toBe(201);
    const row = await db()("audit_log").where({ action: "promotion.created" }).first();
    expect(row.actor_name).toBe(`maker@example.com (vqm_…${token.slice(-4)})`);
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

  it("has no other scope if it is bound to one machine", async () => {
    const actor = await newAdmin("binds");
    const input = { machineSerial: "VM-1", days: 1, scopes: ["redeem", "read"] as const };
    await expect(createKey(integrationId, input, { actor })).rejects.toMatchObject({
      fields: { machineSerial: "A key of one machine may only redeem codes" },
    });
  });
});

describe("the scopes of one's own key", () => {
  it("are those that the form offers to the role", async () => {
    const page = await clerk.page("/app/profile/api-key");
    expect(page).toMatch(/name="scopes"[^>]*value="machines"/);
    expect(page).not.toMatch(/name="scopes"[^>]*value="(users|redeem)"/);
    const post = (fields: Fields) => clerk.post("/app/profile/api-key", fields);
    expectRejection(await post({ days: "30" }), 422, "Choose what the key may do");
    const made = await post({ days: "30", scopes: ["read", "users"] });
    expect(made.status).toBe(303);
    const key = await db()("api_keys").whereNotNull("user_id").orderBy("id", "desc").first();
    expect(key.scopes).toEqual(["read"]);
  });
});
