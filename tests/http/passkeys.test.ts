import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import type { PasskeyCreation, PasskeyRequest } from "../../app/features/second-factor/passkey";
import { packFields } from "../../app/routes/login/restored-form.server";
import { insertPasskey, insertUser } from "../factories/people-and-machines";
import { makeAuthenticator, passkeyRequestOf } from "../support/authenticator";
import { textsOf } from "../support/html";
import { plainBrowser } from "../support/plain-browser";
import { addUser, openSession, password, useServer, type Answer } from "../support/server";
import { expectRejection } from "../support/session";

// One proxy in front: then each test is at an address of its own.
const server = useServer({ environment: { TRUST_PROXY: "1", REQUIRE_2FA: "admin" } });
const overview = "/app/profile/second-factor";
const adding = `${overview}/passkey`;
let address = 0;
let user: { id: string; email: string };
let cookie = "";
let authenticator: ReturnType<typeof makeAuthenticator>;

beforeEach(async () => {
  address += 1;
  user = await addUser(`${randomUUID()}@example.com`);
  cookie = await openSession(user.id);
  authenticator = makeAuthenticator(server.origin);
});

const login = (body: Record<string, string>, sent = "", target = "/login") =>
  server.send(target, {
    method: "POST",
    body,
    cookie: sent,
    headers: { "X-Forwarded-For": `10.2.0.${address}` },
  });
const signInAsSomeone = async (role: "admin" | "user" = "user") =>
  openSession((await insertUser({ role })).id);
const post = (target: string, body: Record<string, string>, sent = cookie) =>
  server.send(target, { method: "POST", body, cookie: sent });
const cookiesOf = (answer: Answer) =>
  (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]!).join("; ");
const opensSession = (answer: Answer) => /sid=[\w-]{43}/.test(cookiesOf(answer));
const audited = (action: string) => db()("audit_log").where({ action, subject_id: user.id });
const passkeys = () => db()("passkeys").where({ user_id: user.id });

async function startAdding(sent = cookie): Promise<PasskeyCreation> {
  const answer = await post(adding, { intent: "start", name: "Phone" }, sent);
  return passkeyRequestOf<PasskeyCreation>(answer.body);
}

async function add(sent = cookie, key = authenticator): Promise<Answer> {
  const credential = key.create(await startAdding(sent));
  return post(adding, { intent: "add", name: "Phone", credential }, sent);
}

async function startSignIn(fields: Record<string, string> = {}): Promise<PasskeyRequest> {
  const answer = await login({ intent: "ask-passkey", ...fields });
  return passkeyRequestOf<PasskeyRequest>(answer.body);
}

/** Lets the challenge of an answer expire before it is sent. */
async function expired(credential: string): Promise<string> {
  await db()("passkey_challenges").update({ expires_at: db().raw("now()") });
  return credential;
}

/** Changes the user before an answer is sent. */
async function changed(values: object, credential: string): Promise<string> {
  await db()("users").where({ id: user.id }).update(values);
  return credential;
}

const signIn = (credential: string, fields: Record<string, string> = {}, sent = "") =>
  login({ intent: "passkey", credential, ...fields }, sent, "/login?returnTo=/app/faq");

describe("adding a passkey", () => {
  it("turns two-step verification on, shows ten recovery codes once, and is audited", async () => {
    const added = await add();
    expect([added.status, textsOf(added.body, "code")]).toMatchObject([200, { length: 10 }]);
    const page = (await server.send(overview, { cookie })).body.replaceAll("<!-- -->", "");
    expect(page).toContain("Two-step verification is on");
    expect(page).toMatch(/Phone.*Added .*, last used never/);
    expect(await audited("user.passkey_added")).toMatchObject([{ details: { name: "Phone" } }]);
    const second = await add(cookie, makeAuthenticator(server.origin));
    expect([second.status, second.headers.location]).toMatchObject([
      303,
      /^\/app\/profile\/second/,
    ]);
    expect(await passkeys()).toHaveLength(2);
  });

  it("adds one passkey when its form is sent again, and shows recovery codes that work", async () => {
    const credential = authenticator.create(await startAdding());
    const form = { intent: "add", name: "Phone", credential, idempotency_key: randomUUID() };
    await post(adding, form);
    const repeated = await post(adding, form);
    expect([repeated.status, textsOf(repeated.body, "code")]).toMatchObject([200, { length: 10 }]);
    expect(await passkeys()).toHaveLength(1);
    expect(await audited("user.passkey_added")).toHaveLength(1);
    const other = { ...form, idempotency_key: randomUUID() };
    expect((await post(adding, other)).status).toBe(409);
  });

  it("is enough for a site that requires a second factor", async () => {
    const sent = await signInAsSomeone("admin");
    expect((await server.send("/app/users", { cookie: sent })).headers.location).toBe(overview);
    await add(sent);
    expect((await server.send("/app/users", { cookie: sent })).status).toBe(200);
  });

  it("asks for a name", async () => {
    expect((await post(adding, { intent: "start", name: " " })).status).toBe(422);
  });

  it("stops at ten", async () => {
    for (let count = 0; count < 10; count++) await insertPasskey(user.id, `Phone ${count}`);
    const refused = await post(adding, { intent: "start", name: "Phone" });
    expectRejection(refused, 409, "You have 10 passkeys");
  });

  it.each<[string, (options: PasskeyCreation) => string | Promise<string>]>([
    [
      "another origin",
      (options) => authenticator.create(options, { origin: "https://promo.example" }),
    ],
    ["another domain", (options) => authenticator.create(options, { rpId: "example.com" })],
    ["nobody verified", (options) => authenticator.create(options, { isUserVerified: false })],
    ["a challenge that has expired", (options) => expired(authenticator.create(options))],
    [
      "the challenge of another user",
      async () => authenticator.create(await startAdding(await signInAsSomeone())),
    ],
    [
      "the challenge of a sign-in",
      async (options) => authenticator.create({ ...options, ...(await startSignIn()) }),
    ],
    [
      "an answer to a sign-in",
      async (options) => authenticator.get({ ...(await startSignIn()), ...options }),
    ],
    ["nothing", () => ""],
    ["no JSON", () => "{"],
    ["odd JSON", () => '{"id":7,"response":{"clientDataJSON":[null]}}'],
  ])("refuses %s", async (_why, answer) => {
    const credential = await answer(await startAdding());
    const refused = await post(adding, { intent: "add", name: "Phone", credential });
    expectRejection(refused, 409, "The passkey was not accepted");
    expect(await passkeys()).toHaveLength(0);
  });

  it("takes an answer once, and a passkey for one user", async () => {
    const credential = authenticator.create(await startAdding());
    const body = { intent: "add", name: "Phone", credential };
    const answers = await Promise.all([post(adding, body), post(adding, body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await add(await signInAsSomeone())).status).toBe(409);
  });
});

describe("signing in", () => {
  /** The page without its nonces and its greeting, which follows the hour. */
  const pageOf = ({ body }: Answer) => body.replaceAll(/nonce="[^"]*"|Good \w+/g, "");
  let pageOfWrongPassword = "";
  beforeAll(async () => {
    const target = "/login?returnTo=/app/faq";
    pageOfWrongPassword = pageOf(await login({ email: "", password: "wrong" }, "", target));
  });
  beforeEach(async () => {
    await add();
  });

  it("needs no password, and leads to the page that was asked for", async () => {
    const answer = await signIn(authenticator.get(await startSignIn()));
    expect([answer.status, answer.headers.location]).toEqual([303, "/app/faq"]);
    const sent = cookiesOf(answer);
    expect((await server.send("/app/support", { cookie: sent })).status).toBe(200);
    expect(await audited("user.signed_in")).toHaveLength(1);
    // Sensitive actions ask for the password: a passkey is none.
    expect((await post("/app/profile", { intent: "reveal" }, sent)).status).toBe(403);
  });

  it("takes the place of the code after the password, and of that user's passkey only", async () => {
    const step = cookiesOf(await login({ email: user.email, password }));
    const other = makeAuthenticator(server.origin);
    await add(await signInAsSomeone(), other);
    const second = { second_step: "true" };
    const refused = await signIn(other.get(await startSignIn(second)), second, step);
    expect([refused.status, opensSession(refused)]).toEqual([401, false]);
    expect(refused.body).toContain("authenticator app, or a recovery code");
    const right = await signIn(authenticator.get(await startSignIn(second)), second, step);
    expect([right.status, opensSession(right)]).toEqual([303, true]);
    expect((await post("/app/profile", { intent: "reveal" }, cookiesOf(right))).status).toBe(200);
  });

  it("takes a recovery code where there is no script", async () => {
    const [code] = textsOf((await add(cookie, makeAuthenticator(server.origin))).body, "code");
    expect(code).toBeUndefined();
    const renewed = textsOf((await post(overview, { intent: "renew" })).body, "code");
    const step = cookiesOf(await login({ email: user.email, password }));
    expect((await login({ intent: "code", code: renewed[0]! }, step)).status).toBe(303);
  });

  it.each<[string, (options: PasskeyRequest) => string | Promise<string>]>([
    ["another origin", (options) => authenticator.get(options, { origin: "http://localhost" })],
    ["another domain", (options) => authenticator.get(options, { rpId: "example.com" })],
    ["nobody verified", (options) => authenticator.get(options, { isUserVerified: false })],
    ["a forged signature", (options) => authenticator.get(options, { isForged: true })],
    ["an old counter", (options) => authenticator.get(options, { counter: 1 })],
    ["an unknown passkey", (options) => makeAuthenticator(server.origin).get(options)],
    [
      "an answer that was used",
      async (options) => {
        const credential = authenticator.get(options);
        expect((await signIn(credential)).status).toBe(303);
        return credential;
      },
    ],
    ["a challenge that has expired", (options) => expired(authenticator.get(options))],
    [
      "a challenge for adding one",
      async (options) =>
        authenticator.get({ ...options, challenge: (await startAdding()).challenge }),
    ],
    ["a disabled user", (options) => changed({ is_disabled: true }, authenticator.get(options))],
    [
      "an unverified user",
      (options) => changed({ email_verified_at: null }, authenticator.get(options)),
    ],
    ["nothing", () => ""],
    ["no object", () => "null"],
    ["odd JSON", () => '{"id":"a\\u0000","response":{"clientDataJSON":"e30"}}'],
  ])("refuses %s like a wrong password", async (_why, answer) => {
    const refused = await signIn(await answer(await startSignIn()));
    expect([refused.status, opensSession(refused)]).toEqual([401, false]);
    expect(pageOf(refused)).toBe(pageOfWrongPassword);
  });

  it("opens one session for an answer that is sent twice at once", async () => {
    const credential = authenticator.get(await startSignIn());
    const answers = await Promise.all([signIn(credential), signIn(credential)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401]);
  });

  it("gives a form back that was posted after the session had ended", async () => {
    const posted = new FormData();
    posted.set("name", "Summer");
    const restored = packFields(posted);
    const asked = await login({ intent: "ask-passkey", restored });
    expect(asked.body).toContain(restored);
    const request = passkeyRequestOf<PasskeyRequest>(asked.body);
    const answer = await signIn(authenticator.get(request), { restored });
    expect(answer.body).toContain('name="name" value="Summer"');
  });

  it("gives the way back to the sign-in page with the form that was posted", async () => {
    const posted = new FormData();
    posted.set("name", "Summer");
    const start = await plainBrowser(server, "").open("/login?returnTo=/app/faq&restore=1");
    const asked = await start.press("Use a passkey", { restored: packFields(posted) });
    const back = await asked.press("Back to login");
    expect(back.text).toContain("Sign in again, and the form comes back");
    const { email } = await addUser(`${randomUUID()}@example.com`);
    const signedIn = await back.press("Login", { email, password });
    expect(signedIn.html).toContain('action="/app/faq"');
    expect(signedIn.html).toContain('name="name" value="Summer"');
  });

  it("says what to do where no script runs", async () => {
    const asked = await login({ intent: "ask-passkey" });
    expect(asked.body).toContain("Passkeys need JavaScript");
    const lite = await server.send("/login", { cookie: "lite=on" });
    expect(lite.body).not.toContain("passkey");
  });

  it("is asked for at most 50 times by an address that never succeeds", async () => {
    await startSignIn();
    await db()("rate_limits").where("key", `passkey/10.2.0.${address}`).update("points", 49);
    await startSignIn();
    const limited = await login({ intent: "ask-passkey" });
    expectRejection(limited, 429, "Too many attempts");
  });
});

describe("removing a passkey", () => {
  const remove = (id: string, as?: string) => post(`${overview}/remove/${id}`, {}, as);
  const idOf = async (userId = user.id) =>
    (await db()("passkeys").where({ user_id: userId }).first<{ id: string }>("id"))!.id;

  it("turns two-step verification off with the last one, and says so first", async () => {
    await add();
    const page = await plainBrowser(server, cookie).open(overview);
    const asked = await page.follow("Remove Phone");
    expect(asked.text).toContain(
      "Without it, two-step verification is turned off, and your recovery codes are removed.",
    );
    await asked.follow("Cancel");
    expect(await passkeys()).toHaveLength(1);
    const removed = await asked.press("Remove passkey");
    expect(removed.html).toContain("Passkey removed");
    expect(await audited("user.passkey_removed")).toHaveLength(1);
    expect(await db()("recovery_codes").where({ user_id: user.id })).toHaveLength(0);
    expect(opensSession(await login({ email: user.email, password }))).toBe(true);
  });

  it("is done once when it is pressed twice, and leaves the other passkey", async () => {
    await add();
    await add(cookie, makeAuthenticator(server.origin));
    const id = await idOf();
    const asked = await plainBrowser(server, cookie).open(`${overview}/remove/${id}`);
    expect(asked.text).toContain("This passkey can no longer be used to sign in.");
    expect((await remove(id)).status).toBe(303);
    const again = await asked.press("Remove passkey");
    expect(again.html).toContain("This passkey is already removed.");
    expect(await passkeys()).toHaveLength(1);
    expect(await audited("user.passkey_removed")).toHaveLength(1);
  });

  it("is refused for the last one where the site requires a second factor, and for another user's", async () => {
    const admin = await insertUser({ role: "admin" });
    const sent = await openSession(admin.id);
    await add(sent);
    const id = await idOf(admin.id);
    const asked = await plainBrowser(server, sent).open(`${overview}/remove/${id}`);
    expect(asked.text).toContain(
      "Without it, two-step verification is turned off, and your site requires it.",
    );
    expect(asked.hasButton("Remove passkey")).toBe(false);
    const asAnother = await server.send(`${overview}/remove/${id}`, { cookie });
    expect(asAnother.headers.location).toContain(overview);
    await remove(id, cookie);
    expect((await remove(id, sent)).status).toBe(403);
    expect(await db()("passkeys").where({ user_id: admin.id })).toHaveLength(1);
  });

  it("is done by an admin's reset", async () => {
    await add();
    const sent = await signInAsSomeone("admin");
    await add(sent, makeAuthenticator(server.origin));
    const reset = await post(`/app/users/${user.id}/edit`, { intent: "removeSecondFactor" }, sent);
    expect(reset.status).toBe(303);
    expect(await passkeys()).toHaveLength(0);
    expect(opensSession(await login({ email: user.email, password }))).toBe(true);
  });
});

it("keeps no challenge in the clear", async () => {
  const { challenge } = await startSignIn();
  const { rows } = await db().raw<{ rows: { text: string }[] }>(
    "select c::text || encode(hash, 'base64') as text from passkey_challenges c",
  );
  const stored = rows.map(({ text }) => text).join();
  const hex = Buffer.from(challenge, "base64url").toString("hex");
  for (const secret of [challenge, hex]) expect(stored).not.toContain(secret);
  expect(server.output()).not.toContain(challenge);
});
