import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formIdField } from "../../app/forms/validator";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, newCode, request, useUpLookups } from "../factories/redemptions";
import { elementsById } from "../support/html";
import { addUser, type Answer, openSessionOf, password, useServer } from "../support/server";
import { expectRejection, sessionOf, useSession } from "../support/session";

const server = useServer();
const admin = useSession(server);
const { post, page, open } = admin;
let target: Awaited<ReturnType<typeof insertRedeemable>>;

beforeAll(async () => {
  target = await insertRedeemable({}, await insertMachine({ serial_number: "VM-1" }));
});

const make = (name: string) =>
  post("/app/integrations", {
    [formIdField]: "new-integration",
    name,
    idempotency_key: randomUUID(),
  });

async function newIntegration(name = "Platform"): Promise<string> {
  const answer = await make(name);
  expect(answer.status, answer.body).toBe(303);
  return /^(\/app\/integrations\/\d+)\?flash=/.exec(answer.headers.location!)![1]!;
}

const keyOf = (answer: Answer) => /vqm_[0-9A-Za-z]{49}/.exec(answer.body)?.[0] ?? "";
const newKey = (address: string, fields: Record<string, string> = {}, by = admin) =>
  by.post(address, {
    [formIdField]: "new-key",
    machine: "",
    days: "30",
    scopes: "redeem",
    idempotency_key: randomUUID(),
    ...fields,
  });

async function idOf(secret: string): Promise<string> {
  const row = await db()("api_keys")
    .where({ last_four: secret.slice(-4) })
    .first<{ id: string }>("id");
  return row!.id;
}

const redeem = (secret: string, redemptionId: string, code = target.code) =>
  server.redeem(secret, request({ ...target, code }, { redemptionId }));

it("the steps on Integrations lead from no key to the first redemption", async () => {
  const before = await page("/app/integrations");
  expect(before).toContain("Create an integration");
  expect(before).toContain("Not yet.");
  const integration = await newIntegration("First");
  const key = keyOf(await newKey(integration));
  const html = await page("/app/integrations");
  expect(html).toContain("1 active key.");
  const curl = elementsById(html, "pre")["first-redemption"]!;
  expect(curl).toContain(`${server.origin}/api/redemptions`);
  const body: unknown = JSON.parse(/-d '(.*)'$/s.exec(curl)![1]!);
  expect(body).toMatchObject({ code: target.code, serialNumber: "VM-1" });
  expect((await server.redeem(key, body)).status).toBe(201);
  await addUser("viewer@example.com", "viewer");
  const viewer = sessionOf(server, await openSessionOf("viewer@example.com"));
  const { body: exported } = await viewer.get("/app/transactions/export.csv");
  expect(exported).toContain(`-${target.code.slice(-4)}`);
  expect(exported).not.toContain(target.code);
  expect(await admin.text("/app/integrations")).toMatch(
    /First redemption seen Done \d\d\.\d\d\.\d{4} \d\d:\d\d at VM-1\./,
  );
});

describe("integrations", () => {
  it("are in the sidebar of admins only", async () => {
    await addUser("clerk@example.com");
    const clerk = sessionOf(server, await openSessionOf("clerk@example.com"));
    for (const [user, isThere] of [
      [admin, true],
      [clerk, false],
    ] as const) {
      const body = await user.page("/app/support");
      expect(body.includes('href="/app/integrations"')).toBe(isThere);
      expect(body).toContain('href="/app/check"');
    }
  });

  it("need a name, and a refused form comes back as it was", async () => {
    const unnamed = await make("  ");
    expectRejection(unnamed, 422, "Name is required");
    expect(unnamed.body).toContain("<title>Error: Integrations - Promo Console</title>");
    const name = "é".repeat(201);
    const long = await make(name);
    expectRejection(long, 422, "Name cannot exceed 200 characters");
    expect(long.body).toContain(`value="${name}"`);
  });

  it("are named and linked, when the form is sent again with another name", async () => {
    const list = await admin.open("/app/integrations");
    const { address } = await list.press("Create integration", { name: "First try" });
    const refused = await list.press("Create integration", { name: "Second try" });
    expect(refused.status).toBe(409);
    const link = refused.hrefOf('The first attempt created "First try".');
    expect(link).toBe(address.split("?")[0]);
  });

  it.each(["0", "x", "999999999999999999999"])("with the id %s are not there", async (id) => {
    const address = `/app/integrations/${id}`;
    expect((await admin.get(address)).status).toBe(404);
    expect((await newKey(address)).status).toBe(404);
  });
});

it("the page of an integration says what in its address is ignored", async () => {
  const integration = await newIntegration("Pages");
  expect(await admin.text(`${integration}?page=first&per_page=7`)).toContain(
    "The value of 'per_page' is not valid. The value of 'page' is not valid.",
  );
  const past = await page(`${integration}?page=9`);
  expect(past).toContain("That page has no rows, so the nearest one is shown.");
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
    const shown = await admin.get(address);
    expect(keyOf(shown)).toBe("");
    expect(shown.body).toContain(`vqm_…${secret.slice(-4)}`);
  });

  it("stays as it is when its form is sent again after it was used or revoked", async () => {
    for (const column of ["last_used_at", "revoked_at"]) {
      const idempotency_key = randomUUID();
      const secret = keyOf(await newKey(address, { idempotency_key }));
      const row = () => db()("api_keys").where({ last_four: secret.slice(-4) });
      await row().update({ [column]: new Date(0) });
      const before = await db()("api_keys").count();
      const repeated = await newKey(address, { idempotency_key });
      expectRejection(repeated, 409, "which was used or revoked since.");
      expect(await db()("api_keys").count()).toEqual(before);
      if (column === "last_used_at") expect(await row().pluck("revoked_at")).toEqual([null]);
    }
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
    expectRejection(answer, 422, sentence);
    expect(answer.body).toContain("<title>Error: ");
    expect(keyOf(answer)).toBe("");
  });

  it("leaves its secret in no log, no address and no table", async () => {
    const secrets = [
      keyOf(await newKey(address)),
      keyOf(await newKey(`${address}?_data=routes/app.integrations_.$integrationId`)),
    ];
    expect(secrets.every((secret) => secret.length === 53)).toBe(true);
    const { rows: tables } = await db().raw<{ rows: { name: string }[] }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    for (const secret of secrets) {
      await redeem(secret, `canary-${secret.slice(-4)}`);
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
    expect(await page(own)).toContain("No keys yet");
    const secret = keyOf(await newKey(own, { machine: "VM-1" }));
    const id = await idOf(secret);
    const revocation = `${own}/revoke/${id}`;
    expect(await page(revocation)).toContain(
      "&quot;Revoked ones&quot; can no longer use this key.",
    );
    expect((await post(`${address}/revoke/${id}`)).status).toBe(404);
    expect((await redeem(secret, "before")).status).toBe(201);
    const answer = await post(revocation);
    expect([answer.status, answer.headers.location?.split("?")[0]]).toEqual([303, own]);
    expect((await redeem(secret, "after")).status).toBe(401);
    expect(await admin.follow(answer)).toMatch(/Key successfully revoked[^]*Revoked/);
    const revoked = { action: "integration.key_revoked", subject_id: own.split("/").at(-1)! };
    expect(await db()("audit_log").where(revoked)).toHaveLength(1);
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
    keyId = await idOf(secret);
    limit = `${integration}/limit/${keyId}`;
  });

  it("is raised with a form at the key", async () => {
    const before = await page(integration);
    expect(before).toContain("300 a minute");
    expect(before).toContain(`href="${limit}"`);
    expect(await page(limit)).toMatch(/<input[^>]*name="limit"[^>]*value="300"/);
    const answer = await post(limit, { limit: " 1000 " });
    expect([answer.status, answer.headers.location?.split("?")[0]]).toEqual([303, integration]);
    expect(await page(integration)).toContain("1,000 a minute");
  });

  it("is raised, and a key revoked, without leaving the page of the list", async () => {
    const pageOfList = "?page=2&per_page=1";
    const own = await newIntegration("Two pages");
    const first = await idOf(keyOf(await newKey(own)));
    await newKey(own);
    const raised = await post(`${own}/limit/${first}${pageOfList}`, { limit: "500" });
    expect(raised.headers.location).toContain(`${own}${pageOfList}&flash=`);
    const revoked = await post(`${own}/revoke/${first}${pageOfList}`);
    expect(revoked.headers.location).toContain(`${own}${pageOfList}&flash=`);
  });

  it("is not raised again by the same form after somebody else lowered it", async () => {
    const form = await open(limit);
    const key = () => db()("api_keys").where({ id: keyId });
    await form.press("Save limit", { limit: "2000" });
    await key().update({ max_failed_lookups: 1_000 });
    await form.press("Save limit", { limit: "2000" });
    expect(await key()).toMatchObject([{ max_failed_lookups: 1_000 }]);
  });

  it.each(["299", "10001", "", "1e3", "300.5", "\0"])(
    "is not %j, which stays as it was typed",
    async (typed) => {
      const answer = await post(limit, { [formIdField]: "key-limit", limit: typed });
      expectRejection(answer, 422, "Limit must be a whole number from 300 to 10,000");
      expect(answer.body).toContain("<title>Error: Change limit - Integrations");
      expect(answer.body).toMatch(/^(?:(?! autofocus=)[^])*role="alert" [^>]* autofocus=/i);
    },
  );

  it("is not that of a key of one machine or of another integration", async () => {
    await newKey(integration, { machine: "VM-1" });
    const shown = await page(integration);
    expect(shown).toContain("30 a minute");
    expect(shown.match(/Change limit/g)).toHaveLength(1);
    const elsewhere = limit.replace(integration, await newIntegration());
    expect((await admin.get(elsewhere)).status).toBe(404);
    expect((await post(elsewhere, { limit: "500" })).status).toBe(404);
  });

  it("is named by a notice on Integrations when it was reached, until the key is revoked", async () => {
    await post(limit, { limit: "500" });
    await useUpLookups(keyId, 499);
    const notice = `The key vqm_…${secret.slice(-4)} of &quot;Guessers&quot; was throttled`;
    const integrations = () => page("/app/integrations");
    expect(await integrations()).not.toContain(notice);
    const guess = () => redeem(secret, randomUUID(), newCode());
    expect([(await guess()).status, (await guess()).status]).toEqual([422, 429]);
    expect(await integrations()).toContain(notice);
    expect(await integrations()).toContain("because 500 redemptions with it in one minute named");
    await post(`${integration}/revoke/${keyId}`);
    expect(await integrations()).not.toContain(notice);
  });
});

describe("the password once more", () => {
  let address = "";
  const session = sessionOf(server);
  beforeAll(async () => {
    address = await newIntegration("Guarded");
    for (const name of ["second", "third"]) await addUser(`${name}@example.com`, "admin");
    session.cookie = await openSessionOf("second@example.com");
  });
  const key = (fields: Record<string, string> = {}, by = session) => newKey(address, fields, by);

  it("is not asked for within ten minutes", async () => {
    expect(await session.page(address)).not.toContain('type="password"');
    expect((await key()).status).toBe(200);
  });

  it("is asked for after them, in the same form; a stale session makes no key", async () => {
    await session.makeStale();
    expect(await session.page(address)).toContain('type="password"');
    const before = await db()("api_keys").count({ n: "*" }).first();
    const missing = await key({ machine: "VM-1", days: "180" });
    expectRejection(missing, 403, "Enter your password to confirm this action");
    expect(missing.body).toContain('value="VM-1"');
    expect(missing.body).toMatch(
      /<input[^>]*value="180"[^>]*checked=""|checked=""[^>]*value="180"/,
    );
    const wrong = await key({ password: "not it at all" });
    expectRejection(wrong, 403, "The password is wrong");
    expect(wrong.body).not.toContain("not it at all");
    expect(await db()("api_keys").count({ n: "*" }).first()).toEqual(before);
  });

  it("lets this session through for ten minutes, and no other", async () => {
    const other = sessionOf(server, await openSessionOf("second@example.com"));
    await other.makeStale();
    await session.makeStale();
    expect((await key({ password })).status).toBe(200);
    expect((await key()).status).toBe(200);
    expect((await key({}, other)).status).toBe(403);
  });

  it("is counted when it is wrong, like one at sign-in", async () => {
    const guessed = sessionOf(server, await openSessionOf("third@example.com"));
    await guessed.makeStale();
    const guess = (password: string) => key({ password }, guessed);
    expect((await guess("first guess")).status).toBe(403);
    await db()("rate_limits").whereLike("key", "sign-in-pair:%").update({ points: 4 });
    expect((await guess("fifth guess")).status).toBe(403);
    const sixth = await guess("sixth guess");
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers["retry-after"])).toBeGreaterThan(60);
    expect((await guess(password)).status).toBe(429);
    const body = { email: "third@example.com", password };
    expect((await server.send("/login", { method: "POST", body })).status).toBe(429);
  });
});
