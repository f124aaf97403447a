import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import {
  rejectedMessage,
  signIn,
  type SignInRejected,
} from "../../app/features/sign-in/sign-in.server";
import { createUser } from "../../app/features/sign-in/users.server";
import { greetingAt } from "../../app/routes/login/login-page";
import { formsOf } from "../support/html-forms";
import { addUser, cookieOf, openSession, password, useServer } from "../support/server";
import { expectRejection } from "../support/session";

// One proxy in front: then a test can be at any address.
// The clock of its process is wrong by half a day, which changes nothing.
const server = useServer({ environment: { TRUST_PROXY: "1", CLOCK_OFF_MS: "43200000" } });
let address = 0;
const at = (somewhere: string) => ({ "X-Forwarded-For": `9.9.9.9, ${somewhere}` });
const elsewhere = () => at(`10.0.${++address >> 8}.${address & 255}`);
let email = "";
let userId = "";

beforeEach(async () => {
  email = `person-${++address}@example.com`;
  ({ id: userId } = await addUser(email));
});

const sessions = () => db()("sessions").where({ user_id: userId });
const openWith = (cookie: string) => server.send("/app/dashboard", { cookie });
const signInToApi = (body: unknown) =>
  server.call("POST", "/auth/signin/local", { body, headers: elsewhere() });
const callWith = (token: string) => server.call("GET", "/api/machines-list", { token });

function tryToSignIn(
  values: Record<string, string>,
  headers: Record<string, string>,
  target = "/login",
) {
  return server.send(target, { method: "POST", body: values, headers });
}

describe("sessions", () => {
  it("gets a new id at each sign-in, whatever the browser had", async () => {
    const first = await server.signIn(email);
    expect(first).toMatch(/^sid=[\w-]{43}$/);
    const again = await server.send("/login", {
      method: "POST",
      body: { email, password },
      cookie: "sid=fixed-by-somebody-else-fixed-by-somebody-el",
      headers: elsewhere(),
    });
    expect(cookieOf(again)).toMatch(/^sid=[\w-]{43}$/);
    expect(cookieOf(again)).not.toBe(first);
  });

  it("ends the id that the browser had when it signs in anew", async () => {
    const old = await openSession(userId);
    await sessions().update({ last_seen_at: db().raw("now() - interval '8 hours 1 second'") });
    const body = { email, password };
    const answer = await server.send("/login", { method: "POST", body, cookie: old });
    expect(answer.status).toBe(303);
    expect(await sessions()).toHaveLength(1);
    expect((await openWith(old)).status).toBe(302);
    expect((await openWith(cookieOf(answer))).status).toBe(200);
  });

  it.each([
    ["unused for 8 hours", { last_seen_at: "now() - interval '8 hours 1 second'" }],
    ["older than 7 days", { expires_at: "now() - interval '1 second'" }],
  ])("is over when it was %s", async (_name, change) => {
    const cookie = await openSession(userId);
    const [[column, value]] = Object.entries(change) as [[string, string]];
    await sessions().update({ [column]: db().raw(value) });
    const { location } = (await openWith(cookie)).headers;
    expect(location).toBe("/login?returnTo=%2Fapp%2Fdashboard");
  });

  it("lasts 7 days, and notes its use once a minute at most", async () => {
    const cookie = await server.signIn(email);
    const mine = () =>
      sessions().first<{ last_seen_at: Date; life: string }>(
        "last_seen_at",
        db().raw("(expires_at - created_at)::text as life"),
      );
    const opened = await mine();
    expect(opened?.life).toBe("7 days");
    await openWith(cookie);
    expect((await mine())?.last_seen_at).toEqual(opened?.last_seen_at);
    await sessions().update({ last_seen_at: db().raw("now() - interval '2 minutes'") });
    await openWith(cookie);
    expect((await mine())!.last_seen_at.getTime()).toBeGreaterThanOrEqual(
      opened!.last_seen_at.getTime(),
    );
  });

  it("is over after signing out, also for whoever kept the cookie", async () => {
    const cookie = await openSession(userId);
    const answer = await server.send("/logout", { method: "POST", cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe("/login");
    expect(answer.headers["clear-site-data"]).toBe('"cache"');
    expect(answer.headers["set-cookie"]).toEqual([
      "sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    ]);
    expect((await openWith(cookie)).status).toBe(302);
  });

  it("ends the one unused for longest when a user has more than twenty", async () => {
    const cookies = [await openSession(userId), await openSession(userId)];
    const others = Array.from({ length: 18 }, () => ({
      id_hash: randomBytes(32),
      user_id: userId,
      expires_at: db().raw("now() + interval '1 day'"),
    }));
    await db()("sessions").insert(others);
    await server.signIn(email);
    const answers = await Promise.all(cookies.map(openWith));
    expect(answers.map(({ status }) => status)).toEqual([302, 200]);
  });

  it("is not ended by a link", async () => {
    const cookie = await openSession(userId);
    await server.send("/logout", { cookie });
    expect((await openWith(cookie)).status).toBe(200);
  });

  it("writes who signed in", async () => {
    await server.signIn(email);
    expect(await db()("audit_log").where({ actor_name: email })).toMatchObject([
      { action: "user.signed_in", subject_type: "user", covered: 1 },
    ]);
  });
});

it("greets by the hour of the site, by the clock of the database", async () => {
  const read = async () => {
    const hour = "extract(hour from now() at time zone time_zone)::integer as hour";
    return greetingAt((await db()("site_settings").first<{ hour: number }>(db().raw(hour)))!.hour);
  };
  const before = await read();
  const { body } = await server.send("/login");
  const [greeting] = /Good \w+/.exec(body)!;
  expect([before, await read()]).toContain(greeting);
});

describe("the page that was asked for", () => {
  it.each([
    ["/app/qr-list?page=2", "/app/qr-list?page=2"],
    ["//evil.example", "/app/dashboard"],
    ["https://evil.example/", "/app/dashboard"],
    ["/\\evil.example", "/app/dashboard"],
    ["javascript:alert(1)", "/app/dashboard"],
  ])("%s leads to %s", async (returnTo, location) => {
    const target = `/login?returnTo=${encodeURIComponent(returnTo)}`;
    const answer = await tryToSignIn({ email, password }, elsewhere(), target);
    expect(answer.headers.location).toBe(location);
  });

  it.each([
    ["/app/qr-list/export.csv?status=active", "/app/qr-list?status=active"],
    ["/app/qr-generation/7/labels.pdf?part=2", "/app/qr-generation/7/labels?part=2"],
    ["/app/qr-list/7/qr.png", "/app/qr-list/7"],
    ["/app/imports/template.csv?kind=groups", "/app/imports/new?kind=groups"],
    ["/app/reports/export.csv", "/app/reports"],
  ])("of the file %s is %s, and the sign-in page says so", async (file, page) => {
    const { headers } = await server.send(file);
    const target = headers.location!;
    expect((await server.send(target)).body).toContain("Nothing was downloaded.");
    const answer = await tryToSignIn({ email, password }, elsewhere(), target);
    expect(answer.headers.location).toBe(page);
  });

  it("comes back filled when a form was posted after the session had ended", async () => {
    const posted: [string, string][] = [
      ["promotionName", 'Summer "2026" <b>'],
      ["machines", "1"],
      ["machines", "2"],
      ["intent", "create"],
    ];
    const first = await server.send("/app/qr-generation", { method: "POST", body: posted });
    expect(first.status).toBe(307);
    const signInPage = await server.send(first.headers.location!, { method: "POST", body: posted });
    expect(signInPage.status).toBe(401);
    const [form] = formsOf(signInPage.body, "/login");
    const { value } = form!.fields.find(({ name }) => name === "restored")!;
    const restored = { restored: value, email };
    const refused = await tryToSignIn(
      { ...restored, password: "wrong" },
      elsewhere(),
      first.headers.location,
    );
    expect(refused.status).toBe(401);
    expect(refused.body).toContain("<title>Error: Sign in");
    expect(refused.body).toContain('name="restored"');

    const done = await tryToSignIn({ ...restored, password }, elsewhere(), first.headers.location);
    expect(done.status).toBe(200);
    expect(done.body).toContain("<title>Continue - Promo Console</title>");
    expect(done.body).toContain(
      "You are signed in again. The form comes back, without passwords and files.",
    );
    expect(done.body).toContain('action="/app/qr-generation"');
    expect(done.body).toContain('name="promotionName" value="Summer &quot;2026&quot; &lt;b&gt;"');
    expect(done.body.match(/name="machines"/g)).toHaveLength(2);
    expect(done.body).toContain('name="intent" value="restore"');
    const cookie = cookieOf(done);
    expect((await openWith(cookie)).status).toBe(200);

    // Another tab has waited on the sign-in page meanwhile.
    const sending = { method: "POST", body: { ...restored, password: "" }, cookie };
    const other = await server.send(first.headers.location!, sending);
    expect(other.status).toBe(200);
    expect(other.body).toContain("<title>Continue - Promo Console</title>");
    expect(other.body).toContain('name="promotionName" value="Summer &quot;2026&quot; &lt;b&gt;"');
  });
});

it("says so when a form is too long to come back after signing in", async () => {
  const body = { lines: randomBytes(195_000).toString("base64url") };
  const page = await server.send("/login?restore=1", { method: "POST", body });
  expect(page.status).toBe(401);
  expect(page.body).toContain("the form is too long to be kept while you sign in");
  const again = { restored: "", email, password: "wrong" };
  const refused = await tryToSignIn(again, elsewhere(), "/login?restore=1");
  expect(refused.body).toContain("the form is too long to be kept while you sign in");
});

describe("refusals", () => {
  it("are the same bytes, whatever is wrong", async () => {
    const disabled = await createUser({ email: `d-${email}`, password, role: "user" });
    await db()("users").where({ id: disabled.id }).update({ is_disabled: true });
    await createUser({ email: `u-${email}`, password, role: "user", isVerified: false });
    await createUser({ email: `i-${email}`, password: null, role: "user" });
    const tries: [string, string][] = [
      [`nobody-${email}`, password],
      [email, "wrong"],
      [email, ""],
      ["", ""],
      [email, "x".repeat(129)],
      [`d-${email}`, password],
      [`u-${email}`, password],
      [`i-${email}`, ""],
      [`${email}\0`, password],
    ];
    const pages: unknown[] = [];
    const answers: unknown[] = [];
    for (const [name, secret] of tries) {
      const page = await tryToSignIn({ email: name, password: secret }, elsewhere());
      pages.push(withoutNames(page, name));
      const answer = await signInToApi({ email: name, password: secret });
      expect(answer.json).toEqual({ error: rejectedMessage });
      answers.push(withoutNames(answer, name));
    }
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  /** Removes what differs between all answers: time, request id, nonce and input. */
  function withoutNames(
    { status, headers, body }: Awaited<ReturnType<typeof server.send>>,
    name: string,
  ) {
    const { "x-request-id": id, ...rest } = headers;
    delete rest.date;
    delete rest["content-security-policy"];
    // It counts the email that is shown again.
    delete rest["content-length"];
    const storedName = name.replaceAll("\0", "\uFFFD");
    return [
      status,
      rest,
      body
        .replaceAll(String(id), "")
        .replace(/ nonce="[^"]+"/, "")
        .replace(`value="${storedName}"`, 'value=""')
        .replace(`value="${name}"`, 'value=""'),
    ];
  }

  it("say so in the words of the specification, with the email kept", async () => {
    const answer = await tryToSignIn({ email, password: "wrong" }, elsewhere());
    expectRejection(answer, 401, "Something is wrong with your login or password :(");
    expect(answer.body).toContain(`value="${email}"`);
    expect(answer.body).not.toContain("<script");
  });

  it("turn to 429 at the sixth, for this address alone, and a success clears them", async () => {
    const here = elsewhere();
    for (let count = 0; count < 4; count += 1)
      expect((await tryToSignIn({ email, password: "wrong" }, here)).status).toBe(401);
    expect((await tryToSignIn({ email, password }, here)).status).toBe(303);
    for (let count = 0; count < 5; count += 1)
      expect((await tryToSignIn({ email, password: "wrong" }, here)).status).toBe(401);
    for (const secret of ["wrong", password]) {
      const sixth = await tryToSignIn({ email, password: secret }, here);
      expectRejection(sixth, 429, "Too many attempts. Please try again in 15 minutes.");
      expect(Number(sixth.headers["retry-after"])).toBeGreaterThan(800);
    }
    expect((await tryToSignIn({ email, password }, elsewhere())).status).toBe(303);
  });

  it("count exactly when many come at once, on two instances", async () => {
    const clientAddress = `10.0.${++address >> 8}.${address & 255}`;
    const here = async () =>
      (await tryToSignIn({ email, password: "wrong" }, at(clientAddress))).status;
    // This process is an instance too.
    const beside = () =>
      signIn({ email, password: "wrong", clientAddress }).then(
        () => 303,
        (error: SignInRejected) => (error.retryAfterSeconds > 0 ? 429 : 401),
      );
    const answers = await Promise.all(Array.from({ length: 10 }, () => [here(), beside()]).flat());
    expect(answers.filter((status) => status === 401)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
  });

  it("stay counted for other accounts when one of the same address signs in", async () => {
    const clientAddress = `10.0.${++address >> 8}.${address & 255}`;
    const attempt = (name: string, secret: string) =>
      signIn({ email: name, password: secret, clientAddress }).then(
        () => 0,
        (error: SignInRejected) => error.retryAfterSeconds,
      );
    expect(await attempt(`nobody-${email}`, "wrong")).toBe(0);
    await db()("rate_limits").where("key", `sign-in-address:${clientAddress}`).update("points", 49);
    expect(await attempt(email, password)).toBe(0);
    expect(await attempt(`nobody-1-${email}`, "wrong")).toBe(0);
    expect(await attempt(`nobody-2-${email}`, "wrong")).toBeGreaterThan(0);
  });

  it("turn to 429 for a /48 that tries from many of its networks", async () => {
    const site = `2001:db8:${(++address).toString(16)}`;
    const from = (network: number) =>
      tryToSignIn({ email, password: "wrong" }, at(`${site}:${network.toString(16)}::1`));
    expect((await from(0)).status).toBe(401);
    await db()("rate_limits")
      .where("key", "like", `sign-in-pair:%:${site}::/48`)
      .update("points", 49);
    expect((await from(1)).status).toBe(401);
    expect((await from(2)).status).toBe(429);
    await db()("rate_limits").where("key", `sign-in-address:${site}::/48`).update("points", 499);
    const other = { email: `nobody-${email}`, password: "wrong" };
    expect((await tryToSignIn(other, at(`${site}:3::1`))).status).toBe(401);
    expect((await tryToSignIn(other, at(`${site}:4::1`))).status).toBe(429);
  });

  it("turn to 429 for an address that tries many accounts, a whole /64 being one", async () => {
    const prefix = `2001:db8:${(++address).toString(16)}:1`;
    const statusOf = async (count: number) => {
      const someone = { email: `nobody-${count}-${email}`, password: "x" };
      return (await tryToSignIn(someone, at(`${prefix}::${count}`))).status;
    };
    expect(await statusOf(1)).toBe(401);
    await db()("rate_limits").where("key", `sign-in-address:${prefix}`).update("points", 49);
    expect(await statusOf(2)).toBe(401);
    expect(await statusOf(3)).toBe(429);
    expect((await tryToSignIn({ email, password }, elsewhere())).status).toBe(303);
  });
});

describe("the API", () => {
  it("hands out tokens, and takes them back at sign-out", async () => {
    const answer = await signInToApi({ email, password });
    const { token, refresh_token, user } = answer.json;
    expect(Object.keys(user).sort()).toEqual([
      "avatar_icon",
      "email",
      "firstName",
      "id",
      "lastName",
      "role",
    ]);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect((await callWith(token)).status).toBe(200);
    expect((await callWith(refresh_token)).status).toBe(401);
    expect((await callWith(`${token.slice(0, -1)}_`)).status).toBe(401);
    expect((await server.send(`/api/machines-list?token=${token}`)).status).toBe(401);
    expect((await server.call("POST", "/auth/signout", { token })).status).toBe(200);
    expect((await callWith(token)).status).toBe(401);
  });

  it("knows a person's API key, while it is good and the person is", async () => {
    const actor = { id: userId, email };
    await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
    const key = await revealApiKey({ actor });
    const status = async () => (await callWith(key)).status;
    const mine = () => db()("api_keys").where({ user_id: userId });
    expect(await status()).toBe(200);
    expect(await mine().first<{ last_used_at: Date | null }>()).not.toMatchObject({
      last_used_at: null,
    });
    await mine().update({ revoked_at: db().fn.now() });
    expect(await status()).toBe(401);
    await mine().update({ revoked_at: null, expires_at: db().fn.now() });
    expect(await status()).toBe(401);
  });

  it.each(["{", "[]", "null", '{"email":1,"password":{}}', "{}"])(
    "answers %s with 400",
    async (body) => {
      const answer = await signInToApi(body);
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({ error: expect.any(String) });
    },
  );
});
