import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { idempotencyField } from "../../app/forms/validator";
import { createKey } from "../../app/features/integrations/new-keys.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import type { KeyScope } from "../../app/features/sign-in/key-scopes";
import { issueTokens } from "../../app/features/sign-in/tokens.server";
import { packFields } from "../../app/routes/login/restored-form.server";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertUser } from "../factories/people-and-machines";
import { ago } from "../factories/rows";
import { textsOf } from "../support/html";
import { plainBrowser } from "../support/plain-browser";
import {
  addUser,
  cookieOf,
  openSession,
  password,
  useServer,
  type Answer,
} from "../support/server";
import { expectRejection } from "../support/session";

// One proxy in front: then each test is at an address of its own.
const server = useServer({ environment: { TRUST_PROXY: "1", REQUIRE_2FA: "admin" } });
const path = "/app/profile/second-factor";
let address = 0;
let email = "";
let cookie = "";

beforeEach(async () => {
  email = `person-${++address}@example.com`;
  cookie = await openSession((await addUser(email)).id);
});

const at = () => ({ "X-Forwarded-For": `10.1.0.${address}` });
const login = (body: Record<string, string>, sent = "", target = "/login") =>
  server.send(target, { method: "POST", body, cookie: sent, headers: at() });
const post = (body: Record<string, string>, sent = cookie) =>
  server.send(path, { method: "POST", body, cookie: sent });
const label = "Turn off two-step verification";
const turnOff = (body: Record<string, string> = {}, sent = cookie) =>
  server.send(`${path}/turn-off`, { method: "POST", body, cookie: sent });
const cookiesOf = (answer: Answer) =>
  (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]!).join("; ");

function codeOf(secret: string, stepsAway = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + stepsAway * 30_000 });
}

/** A code of the next 30 s, which is taken for a minute from now on: the code of now may have turned on. */
const nextCodeOf = (secret: string) => codeOf(secret, 1);

/** Turns it on with the code of now. */
async function turnOn(sent = cookie) {
  const { body } = await server.send(path, { cookie: sent });
  const secret = textsOf(body, "code")[0]!.replaceAll(" ", "");
  const answer = await post({ intent: "confirm", code: codeOf(secret) }, sent);
  return { secret, answer, recoveryCodes: textsOf(answer.body, "code") };
}

describe("turning two-step verification on", () => {
  it("needs a code of the app, and shows ten recovery codes once", async () => {
    expect((await post({ intent: "confirm", code: "12345" })).body).toContain(
      "Enter the six digits",
    );
    const wrong = await post({ intent: "confirm", code: "000000" });
    expectRejection(wrong, 422, "This code is wrong");
    const { answer, recoveryCodes, secret } = await turnOn();
    expect(answer.status).toBe(200);
    expect(recoveryCodes).toHaveLength(10);
    expect(answer.body).toMatch(/<div(?=[^>]*aria-label="Your recovery codes")[^>]* autofocus/i);
    const page = (await server.send(path, { cookie })).body.replaceAll("<!-- -->", "");
    expect(page).toContain("Two-step verification is on");
    expect(page).toContain("10 recovery codes");
    expect(page).not.toContain(recoveryCodes[0]!);
    expect(page).not.toContain(secret);
  });

  it("says in a second tab that it is on already", async () => {
    const { secret } = await turnOn();
    const refused = await post({ intent: "confirm", code: nextCodeOf(secret) });
    expectRejection(refused, 409, "Two-step verification is on already.");
    expect(refused.body).not.toContain("This code is wrong");
  });

  it("draws the key as a QR code that nobody stores", async () => {
    const image = await server.send(`${path}/qr.svg`, { cookie });
    expect(image.headers["cache-control"]).toBe("private, no-store");
    expect(image.headers["content-type"]).toContain("image/svg+xml");
    await turnOn();
    expect((await server.send(`${path}/qr.svg`, { cookie })).status).toBe(409);
  });
});

describe("signing in", () => {
  it("asks for a code after the password, and takes each code once", async () => {
    const { secret } = await turnOn();
    const first = await login({ email, password });
    expect(first.body).toContain("Two-step verification");
    expect(cookiesOf(first)).not.toContain("sid=");
    const step = cookiesOf(first);
    const wrong = await login({ intent: "code", code: "111111" }, step);
    expectRejection(wrong, 422, "This code is wrong");
    expect(wrong.body).toContain("<title>Error: Sign in");
    const code = nextCodeOf(secret);
    const right = await login({ intent: "code", code }, step, "/login?returnTo=/app/faq");
    expect([right.status, right.headers.location]).toEqual([303, "/app/faq"]);
    const again = await login(
      { intent: "code", code },
      cookiesOf(await login({ email, password })),
    );
    expect(again.status).toBe(422);
    const spent = await login({ intent: "code", code: nextCodeOf(secret) }, step);
    expectRejection(spent, 401, "Sign in again.");
  });

  it("asks for a password again that was entered more than ten minutes ago, before the code", async () => {
    const { secret } = await turnOn();
    const step = cookiesOf(await login({ email, password }));
    await db()("tokens")
      .where({ kind: "second_factor" })
      .update({ created_at: ago("10 minutes") });
    const sent = cookiesOf(await login({ intent: "code", code: nextCodeOf(secret) }, step));
    expectRejection(await turnOff({}, sent), 403, "Enter your password to confirm this action");
  });

  it("takes each recovery code once", async () => {
    const { recoveryCodes } = await turnOn();
    const enter = async (code: string) =>
      (await login({ intent: "code", code }, cookiesOf(await login({ email, password })))).status;
    expect(await enter(recoveryCodes[3]!.toLowerCase())).toBe(303);
    expect(await enter(recoveryCodes[3]!)).toBe(422);
    expect(await enter(recoveryCodes[4]!.replace("-", " "))).toBe(303);
  });

  it("rejects further codes after five wrong ones, without locking the password out", async () => {
    const { secret } = await turnOn();
    const step = cookiesOf(await login({ email, password }));
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await login({ intent: "code", code: "222222" }, step)).status).toBe(422);
    const limited = await login({ intent: "code", code: nextCodeOf(secret) }, step);
    expectRejection(limited, 429, "Too many attempts.");
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(800);
  });

  it("counts an empty code as no attempt", async () => {
    const { secret } = await turnOn();
    const step = cookiesOf(await login({ email, password }));
    for (let attempt = 0; attempt < 6; attempt++)
      expectRejection(await login({ intent: "code", code: " " }, step), 422, "Enter your code");
    expect((await login({ intent: "code", code: nextCodeOf(secret) }, step)).status).toBe(303);
  });

  it("asks a trusted browser for no code, until the password changes", async () => {
    const { secret } = await turnOn();
    const step = cookiesOf(await login({ email, password }));
    const answer = await login({ intent: "code", code: nextCodeOf(secret), trust: "true" }, step);
    const trusted = /trusted=[\w-]{43}/.exec(cookiesOf(answer))![0];
    expect((await login({ email, password }, trusted)).status).toBe(303);
    await db()("users").where({ email }).update({ password_hash: "another" });
    expect(await db()("trusted_browsers").count()).toEqual([{ count: "0" }]);
  });

  it("trusts a browser that was asked again after a wrong code", async () => {
    const { secret } = await turnOn();
    const browser = plainBrowser(server, "", at());
    const step = await browser.press("/login", "Login", { email, password });
    const wrong = await step.press("Verify", { code: "222222", trust: "true" });
    await wrong.press("Verify", { code: nextCodeOf(secret) });
    expect(browser.cookies.has("trusted")).toBe(true);
  });

  it("gives a form back that was posted after the session had ended", async () => {
    const { secret } = await turnOn();
    const posted = new FormData();
    posted.set("name", "Summer");
    const restored = packFields(posted);
    const asked = await login({ email, password, restored });
    expect(asked.body).toContain(restored);
    const answer = await login(
      { intent: "code", code: nextCodeOf(secret), restored },
      cookiesOf(asked),
    );
    expect(answer.body).toContain('name="name" value="Summer"');
  });

  it("asks for the code on the API too", async () => {
    const { secret } = await turnOn();
    const signIn = (fields: object) =>
      server.call("POST", "/auth/signin/local", {
        body: { email, password, ...fields },
        headers: at(),
      });
    expect((await signIn({})).status).toBe(401);
    expect((await signIn({ code: "000000" })).status).toBe(422);
    expect((await signIn({ code: nextCodeOf(secret) })).status).toBe(200);
  });
});

describe("turning two-step verification off", () => {
  const passkeys = (...names: string[]) =>
    db()("passkeys").insert(
      names.map((name) => ({
        user_id: db()("users").select("id").where({ email }),
        credential_id: `${email} ${name}`,
        public_key: "",
        counter: 0,
        name,
      })),
    );
  const isOn = async () =>
    (await plainBrowser(server, cookie).open(path)).text.includes("Two-step verification is on");

  it("asks first, and says what is removed with it", async () => {
    await turnOn();
    await passkeys("Phone", "Laptop");
    const asked = await (await plainBrowser(server, cookie).open(path)).follow(label);
    expect(asked.text).toContain(
      "Your authenticator app, 2 passkeys and your recovery codes are removed.",
    );
    await asked.follow("Cancel");
    expect(await isOn()).toBe(true);
    const done = await asked.press(label);
    expect(done.address).toContain(path);
    expect(done.html).toContain("Two-step verification is off");
    expect(await isOn()).toBe(false);
  });

  it("names no app where a passkey is the only second factor", async () => {
    await passkeys("Phone");
    const { text } = await plainBrowser(server, cookie).open(`${path}/turn-off`);
    expect(text).toContain("Your 1 passkey and your recovery codes are removed.");
  });

  it("is done once when it is pressed twice, and has no button afterwards", async () => {
    await turnOn();
    expect((await turnOff()).status).toBe(303);
    expect((await turnOff()).status).toBe(303);
    const removed = { action: "user.second_factor_removed", actor_name: email };
    expect(await db()("audit_log").where(removed)).toHaveLength(1);
    const page = await plainBrowser(server, cookie).open(`${path}/turn-off`);
    expect(page.text).toContain("Two-step verification is already off.");
    expect(page.hasButton(label)).toBe(false);
  });

  it("is no action of the page itself any more", async () => {
    await turnOn();
    await post({ intent: "remove" });
    expect(await isOn()).toBe(true);
  });
});

describe("a site that requires it of admins", () => {
  it("leads an admin without it to the set-up, from every page", async () => {
    const admin = `admin-${address}@example.com`;
    await addUser(admin, "admin");
    const sent = cookieOf(await login({ email: admin, password }));
    for (const target of ["/app/dashboard", "/app/users", "/app/qr-list/export.csv"]) {
      const answer = await server.send(target, { cookie: sent });
      expect([answer.status, answer.headers.location]).toEqual([303, path]);
    }
    expect((await server.send(path, { cookie: sent })).body).toContain("Your site requires");
    await turnOn(sent);
    expect((await server.send("/app/users", { cookie: sent })).status).toBe(200);
    const off = await turnOff({}, sent);
    expectRejection(off, 403, "Your site requires two-step");
    expect((await server.send("/app/dashboard", { cookie })).status).toBe(200);
  });

  it("rejects tokens and the personal key of an admin without it, and none of an integration", async () => {
    const { id } = await addUser(`admin-${email}`, "admin");
    const actor = { id, email: `admin-${email}` };
    const [credentialsVersion] = await db()("users").where({ id }).pluck("credentials_version");
    const { token } = await issueTokens({ id, credentialsVersion }, { actor });
    await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
    const { integrationId } = await makeKey();
    const scopes: KeyScope[] = ["read", "redeem"];
    const integration = await createKey(
      integrationId,
      { days: 1, scopes, machineSerial: null },
      { actor },
    );
    const me = (token: string) => server.call("GET", "/auth/me", { token });

    for (const secret of [token, await revealApiKey({ actor })])
      expectRejection(await me(secret), 403, "Set up two-step verification on your profile first.");
    expect((await me(integration.secret)).status).toBe(200);
    const redeemed = await server.redeem(integration.secret, request(await insertRedeemable()));
    expect(redeemed.status).toBe(201);

    await turnOn(await openSession(id));
    expect((await me(token)).status).toBe(200);
  });

  it("lets no admin turn off the own one on the page of the user", async () => {
    const { id } = await insertUser({ role: "admin" });
    const sent = await openSession(id);
    await turnOn(sent);
    const off = await server.send(`/app/users/${id}/edit`, {
      method: "POST",
      cookie: sent,
      body: { intent: "removeSecondFactor" },
    });
    expectRejection(off, 403, "Your site requires two-step");
    expect((await server.send("/app/users", { cookie: sent })).status).toBe(200);
  });

  it("lets an admin turn it off for somebody who has lost the phone", async () => {
    await turnOn();
    const user = await db()("users").where({ email }).first<{ id: string }>("id");
    const admin = await insertUser({ role: "admin" });
    const sent = await openSession(admin.id);
    await turnOn(sent);
    const edit = `/app/users/${user!.id}/edit`;
    expect((await server.send(edit, { cookie: sent })).body).toContain(
      "when phone and recovery codes are lost",
    );
    const off = await server.send(edit, {
      method: "POST",
      cookie: sent,
      body: { intent: "removeSecondFactor" },
    });
    expect(off.status).toBe(303);
    expect((await login({ email, password })).status).toBe(303);
  });

  it("replaces recovery codes again, without another row of the audit log, when an answer was lost", async () => {
    await turnOn();
    const body = { intent: "renew", [idempotencyField]: "lost" };
    const codes = [await post(body), await post(body)].map((answer) =>
      textsOf(answer.body, "code"),
    );
    expect(codes[1]).toHaveLength(10);
    expect(codes[1]).not.toEqual(codes[0]);
    const renewed = { action: "user.recovery_codes_renewed", actor_name: email };
    expect(await db()("audit_log").where(renewed)).toHaveLength(1);
  });

  it("keeps recovery codes that came after those of a form that is sent again", async () => {
    await turnOn();
    const first = { intent: "renew", [idempotencyField]: "first" };
    await post(first);
    const saved = textsOf((await post({ intent: "renew" })).body, "code");
    expectRejection(await post(first), 409, "These recovery codes were replaced since.");
    const step = cookiesOf(await login({ email, password }));
    expect((await login({ intent: "code", code: saved[0]! }, step)).status).toBe(303);
  });

  it("lets everybody else turn it off, after the password", async () => {
    await turnOn();
    await db()("sessions").update({
      password_checked_at: db().raw("now() - interval '11 minutes'"),
    });
    expectRejection(await turnOff(), 403, "Enter your password to confirm this action");
    const removed = await turnOff({ password });
    expect(removed.status).toBe(303);
    expect((await login({ email, password })).status).toBe(303);
  });
});
