import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { hashSecret } from "../../app/features/sign-in/tokens.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, newCode, useUpLookups } from "../factories/redemptions";
import { addUser, password, useServer, type Answer } from "../support/server";

const server = useServer();
const naughty = JSON.parse(
  readFileSync("node_modules/big-list-of-naughty-strings/blns.json", "utf8"),
) as string[];
let cookie = "";
let target: Awaited<ReturnType<typeof insertRedeemable>>;

beforeAll(async () => {
  cookie = await server.signIn();
  await addUser("clerk@example.com");
  target = await insertRedeemable({}, await insertMachine({ serial_number: "VM-1" }));
});

const post = (
  address: string,
  body: Record<string, string>,
  { as = cookie, isData = false } = {},
) =>
  server.send(isData ? `${address}?_data=routes/app.integrations_.$integrationId` : address, {
    method: "POST",
    body,
    cookie: as,
  });

async function newIntegration(name = "Platform"): Promise<string> {
  const answer = await post("/app/integrations", { name, idempotency_key: randomUUID() });
  expect(answer.status, answer.body).toBe(303);
  return /^(\/app\/integrations\/\d+)\?flash=/.exec(answer.headers.location!)![1]!;
}

const keyOf = (answer: Answer) => /vqm_[0-9A-Za-z]{49}/.exec(answer.body)?.[0] ?? "";
const newKey = (address: string, body: Record<string, string> = {}, options = {}) =>
  post(
    address,
    { machine: "", days: "30", scope_redeem: "true", idempotency_key: randomUUID(), ...body },
    options,
  );

async function makeStale(session: string): Promise<void> {
  const changed = await db()("sessions")
    .where({ id_hash: hashSecret(session.split("=")[1]!) })
    .update({ password_checked_at: db().raw("now() - interval '10 minutes 1 second'") });
  expect(changed).toBe(1);
}

const redeem = (secret: string, id: string, code = target.code) =>
  server.send("/api/redemptions", {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      code,
      serialNumber: target.serialNumber,
      originalPrice: 200,
      redemptionId: id,
    }),
  });

describe("integrations", () => {
  it("are in the sidebar of admins only, and forbidden to others", async () => {
    const clerk = await server.signIn("clerk@example.com");
    for (const [as, isThere] of [
      [cookie, true],
      [clerk, false],
    ] as const) {
      const { body } = await server.send("/app/support", { cookie: as });
      expect(body.includes('href="/app/integrations"')).toBe(isThere);
      expect(body).toContain('href="/app/check"');
    }
    const answers = await Promise.all([
      server.send("/app/integrations", { cookie: clerk }),
      server.send("/app/integrations/1", { cookie: clerk }),
      post("/app/integrations", { name: "x" }, { as: clerk }),
      newKey("/app/integrations/1", {}, { as: clerk }),
      post("/app/integrations/1/revoke/1", {}, { as: clerk }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it("are created once, however often the form is sent", async () => {
    const idempotency_key = randomUUID();
    const [first, again] = [
      await post("/app/integrations", { name: " Tills ", idempotency_key }),
      await post("/app/integrations", { name: "Tills", idempotency_key }),
    ];
    const address = (answer: Answer) => answer.headers.location?.split("?")[0];
    expect(address(again)).toBe(address(first));
    const other = await post("/app/integrations", { name: "Others", idempotency_key });
    expect(other.status).toBe(409);
    expect(await db()("integrations").where({ name: "Tills" })).toHaveLength(1);
    const actions = await db()("audit_log").where({ action: "integration.created" });
    expect(actions).toHaveLength(1);
  });

  it("need a name, and a refused form comes back as it was", async () => {
    const { status, body } = await post("/app/integrations", {
      name: "  ",
      idempotency_key: randomUUID(),
    });
    expect(status).toBe(422);
    expect(body).toContain("<title>Error: Integrations - Promo Console</title>");
    expect(body).toContain("Name is required");
    const long = await post("/app/integrations", {
      name: "é".repeat(201),
      idempotency_key: randomUUID(),
    });
    expect(long.body).toContain("Name cannot exceed 200 characters");
    expect(long.body).toContain(`value="${"é".repeat(201)}"`);
  });

  it("may have hostile names", { timeout: 60_000 }, async () => {
    for (const name of naughty.filter((_, index) => index % 25 === 0)) {
      const answer = await post("/app/integrations", { name, idempotency_key: randomUUID() });
      expect([303, 422], name).toContain(answer.status);
      if (answer.status === 422) continue;
      const page = await server.send(answer.headers.location!, { cookie });
      expect(page.status).toBe(200);
      expect(page.body).not.toContain("<script>alert");
    }
    const started = performance.now();
    const bomb = await post("/app/integrations", { "x[100000000]": "1", name: "a" });
    expect(bomb.status).toBeLessThan(500);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.each([
    "/app/integrations/0",
    "/app/integrations/x",
    "/app/integrations/999999999999999999999",
  ])("%s is not there", async (address) => {
    expect((await server.send(address, { cookie })).status).toBe(404);
    expect((await newKey(address)).status).toBe(404);
  });
});

describe("a key", () => {
  let address = "";
  beforeAll(async () => {
    address = await newIntegration();
  });

  it("is answered with its secret, which redeems from then on", async () => {
    const answer = await newKey(address, { machine: "vm-1", days: "365" });
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    expect(answer.headers.location).toBeUndefined();
    const secret = keyOf(answer);
    expect(answer.body).toContain("shown only once");
    expect(answer.body).toContain(`vqm_…${secret.slice(-4)}`);
    expect((await redeem(secret, "first")).status).toBe(201);
    const [row] = await db()("api_keys").where({ last_four: secret.slice(-4) });
    expect(row).toMatchObject({ scopes: ["redeem"], machine_id: target.machine.id });
    const page = await server.send(address, { cookie });
    expect(keyOf(page)).toBe("");
    expect(page.body).toContain(`vqm_…${secret.slice(-4)}`);
  });

  it("is revoked when its form is sent again, because its secret was never delivered", async () => {
    const idempotency_key = randomUUID();
    const isActive = async (answer: Answer) =>
      (await redeem(keyOf(answer), randomUUID())).status === 201;
    const lost = await newKey(address, { idempotency_key });
    const repeated = await newKey(address, { idempotency_key, days: "30" });
    expect(repeated.status).toBe(200);
    expect(await isActive(lost)).toBe(false);
    expect(await isActive(repeated)).toBe(true);

    const parallel = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => newKey(address, { idempotency_key: parallel })),
    );
    expect(new Set(answers.map(keyOf)).size).toBe(5);
    const active = await Promise.all(answers.map(isActive));
    expect(active.filter(Boolean)).toHaveLength(1);
  });

  it.each([
    [{ days: "3650" }, "Choose how long the key is valid"],
    [{ days: "" }, "Choose how long the key is valid"],
    [{ days: "toString" }, "Choose how long the key is valid"],
    [{ machine: "VM-999" }, "No machine has this serial number"],
    [{ machine: "\0" }, "No machine has this serial number"],
    [{ machine: "x".repeat(5_000) }, "No machine has this serial number"],
  ])("is refused for %j, and what was typed stays", async (body, sentence) => {
    const answer = await newKey(address, body as Record<string, string>);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain(sentence);
    expect(answer.body).toContain("<title>Error: ");
    expect(keyOf(answer)).toBe("");
  });

  it("leaves its secret in no log, no address and no table", async () => {
    const secrets = [
      keyOf(await newKey(address)),
      keyOf(await newKey(address, {}, { isData: true })),
    ];
    expect(secrets.every((secret) => secret.length === 53)).toBe(true);
    const { rows: tables } = await db().raw<{ rows: { name: string }[] }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    for (const secret of secrets) {
      await redeem(secret, `canary ${secret.slice(-4)}`.replace(" ", "-"));
      expect(server.output()).not.toContain(secret.slice(4, 30));
      for (const { name } of tables) {
        const found = await db().raw<{ rows: object[] }>(
          "select from ?? t where position(? in t::text) > 0 limit 1",
          [name, secret.slice(4, 30)],
        );
        expect(found.rows, name).toHaveLength(0);
      }
    }
    expect(server.output()).toContain('"path":"/app/integrations/');
  });

  it("is revoked by a dialog that says what follows, and from then on refused", async () => {
    const own = await newIntegration("Revoked ones");
    const secret = keyOf(await newKey(own, { machine: "VM-1" }));
    const key = await db()("api_keys")
      .where({ last_four: secret.slice(-4) })
      .first("id");
    const revocation = `${own}/revoke/${(key as { id: string }).id}`;
    const dialog = await server.send(revocation, { cookie });
    expect(dialog.body).toContain("&quot;Revoked ones&quot; can no longer use this key.");
    expect((await post(`${address}/revoke/${(key as { id: string }).id}`, {})).status).toBe(404);
    expect((await redeem(secret, "before")).status).toBe(201);
    const answer = await post(revocation, {});
    expect([answer.status, answer.headers.location?.split("?")[0]]).toEqual([303, own]);
    expect((await redeem(secret, "after")).status).toBe(401);
    const page = await server.send(own, { cookie });
    expect(page.body).toContain("Revoked");
    const log = await db()("audit_log").whereLike("action", "integration.key_%");
    expect(JSON.stringify(log)).toContain("key_revoked");
  });
});

describe("the limit of a key", () => {
  let integration = "";
  let secret = "";
  let keyId = "";
  let limit = "";
  beforeAll(async () => {
    integration = await newIntegration("Guessers");
    secret = keyOf(await newKey(integration));
    const [row] = await db()("api_keys").where({ last_four: secret.slice(-4) });
    keyId = (row as { id: string }).id;
    limit = `${integration}/limit/${keyId}`;
  });

  it("is raised with a form at the key", async () => {
    const page = await server.send(integration, { cookie });
    expect(page.body).toContain("300 a minute");
    expect(page.body).toContain(`href="${limit}"`);
    expect((await server.send(limit, { cookie })).body).toMatch(
      /<input[^>]*name="limit"[^>]*value="300"/,
    );
    const answer = await post(limit, { limit: " 1000 " });
    expect([answer.status, answer.headers.location?.split("?")[0]]).toEqual([303, integration]);
    expect((await server.send(integration, { cookie })).body).toContain("1,000 a minute");
  });

  it.each(["299", "10001", "", "1e3", "300.5", "\0"])(
    "is not %j, which stays as it was typed",
    async (typed) => {
      const answer = await post(limit, { limit: typed });
      expect(answer.status).toBe(422);
      expect(answer.body).toContain("Limit must be a whole number from 300 to 10,000");
      expect(answer.body).toContain("<title>Error: Change limit - Integrations");
    },
  );

  it("asks for the password when it was checked long ago", async () => {
    const session = await server.signIn();
    await makeStale(session);
    expect((await server.send(limit, { cookie: session })).body).toContain('type="password"');
    expect((await post(limit, { limit: "2000" }, { as: session })).status).toBe(403);
    expect((await post(limit, { limit: "2000", password }, { as: session })).status).toBe(303);
  });

  it("is not that of a key of one machine or of another integration", async () => {
    await newKey(integration, { machine: "VM-1" });
    const page = await server.send(integration, { cookie });
    expect(page.body).toContain("30 a minute");
    expect(page.body.match(/Change limit/g)).toHaveLength(1);
    const elsewhere = limit.replace(integration, await newIntegration());
    expect((await server.send(elsewhere, { cookie })).status).toBe(404);
    expect((await post(elsewhere, { limit: "500" })).status).toBe(404);
  });

  it("is named by a notice on Integrations when it was reached, until the key is revoked", async () => {
    await post(limit, { limit: "500" });
    await useUpLookups(keyId, 499);
    const notice = `The key vqm_…${secret.slice(-4)} of ‘Guessers’ was throttled`;
    const integrations = async () => (await server.send("/app/integrations", { cookie })).body;
    expect(await integrations()).not.toContain(notice);
    const guess = () => redeem(secret, randomUUID(), newCode());
    expect([(await guess()).status, (await guess()).status]).toEqual([422, 429]);
    expect(await integrations()).toContain(notice);
    expect(await integrations()).toContain("because 500 redemptions with it in one minute named");
    await post(`${integration}/revoke/${keyId}`, {});
    expect(await integrations()).not.toContain(notice);
  });
});

describe("the password once more", () => {
  let address = "";
  let session = "";
  beforeAll(async () => {
    address = await newIntegration("Guarded");
    for (const name of ["second", "third"]) await addUser(`${name}@example.com`, "admin");
    session = await server.signIn("second@example.com");
  });
  const key = (body: Record<string, string> = {}, as = session) => newKey(address, body, { as });

  it("is not asked for within ten minutes", async () => {
    const page = await server.send(address, { cookie: session });
    expect(page.body).not.toContain('type="password"');
    expect((await key()).status).toBe(200);
  });

  it("is asked for after them, in the same form; a stale session makes no key", async () => {
    await makeStale(session);
    const page = await server.send(address, { cookie: session });
    expect(page.body).toContain('type="password"');
    const before = await db()("api_keys").count({ n: "*" }).first();
    const missing = await key({ machine: "VM-1", days: "180" });
    expect(missing.status).toBe(403);
    expect(missing.body).toContain("Enter your password to confirm this action");
    expect(missing.body).toContain('value="VM-1"');
    expect(missing.body).toMatch(
      /<input[^>]*value="180"[^>]*checked=""|checked=""[^>]*value="180"/,
    );
    const wrong = await key({ password: "not it at all" });
    expect(wrong.status).toBe(403);
    expect(wrong.body).toContain("The password is wrong");
    expect(wrong.body).not.toContain("not it at all");
    expect(await db()("api_keys").count({ n: "*" }).first()).toEqual(before);
  });

  it("lets this session through for ten minutes, and no other", async () => {
    const other = await server.signIn("second@example.com");
    await makeStale(other);
    await makeStale(session);
    expect((await key({ password })).status).toBe(200);
    expect((await key()).status).toBe(200);
    expect((await key({}, other)).status).toBe(403);
  });

  it("is counted when it is wrong, like one at sign-in", async () => {
    const guessed = await server.signIn("third@example.com");
    await makeStale(guessed);
    const answers: Answer[] = [];
    for (let i = 0; i < 6; i++) answers.push(await key({ password: `guess ${i}` }, guessed));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 429]);
    expect(Number(answers[5]!.headers["retry-after"])).toBeGreaterThan(60);
    expect((await key({ password }, guessed)).status).toBe(429);
    const signIn = await server.send("/login", {
      method: "POST",
      body: { email: "third@example.com", password },
    });
    expect(signIn.status).toBe(429);
  });
});
