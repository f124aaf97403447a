import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import type { PasskeyCreation, PasskeyRequest } from "../../app/features/second-factor/passkey";
import { smtpTransport } from "../../app/services/mail/smtp-transport.server";
import { testSecret } from "../support/app-secret";
import { makeAuthenticator, passkeyRequestOf } from "../support/authenticator";
import { textsOf } from "../support/html";
import { deliverDueMails, linkIn } from "../support/mailbox";
import { plainBrowser } from "../support/plain-browser";
import { type Answer, apiOf, openSessionOf, type Sending, useServer } from "../support/server";
import { startSmtp } from "../support/smtp";

/** A user's whole life, with every secret that it has, and a search for them wherever they must not be. */
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let stopSmtp = async () => {};
const smtpPassword = "canary-of-the-mail-server";
beforeAll(async () => {
  const options = {
    allowInsecureAuth: true,
    onAuth: (_auth: unknown, _session: unknown, answer: (error: null, user: object) => void) =>
      answer(null, { user: "promo" }),
  };
  smtp = await startSmtp({ options }, (stop) => {
    stopSmtp = stop;
  });
});
const smtpUrl = () => smtp.url.replace("//", `//promo:${smtpPassword}@`);
const server = useServer({ environment: () => ({ SMTP_URL: smtpUrl(), ALLOW_SIGNUP: "1" }) });
afterAll(() => stopSmtp());

const email = "canary@example.com";
const newcomer = "newcomer@example.com";
const chosen = "canary herons over the lake";
const changed = "canary geese over the fields";
const reset = "canary swans under the bridge";
const mistyped = "canary that nobody has";

const twice = (secret: string) => ({ newPassword: secret, confirmPassword: secret });

/** Requests and answers, in order. */
const exchanges: { target: string; answer: Answer }[] = [];
const recorder = {
  async send(target: string, sending?: Sending): Promise<Answer> {
    const answer = await server.send(target, sending);
    exchanges.push({ target, answer });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [name = "", value = ""] = line.split(";")[0]!.split("=");
      if (value.length > 30) keep(`cookie ${name}`, value);
    }
    return answer;
  },
};

/** The secrets, with the number of answers that may show each. */
const secrets = new Map<string, { name: string; shown: number }>();
function keep(name: string, secret: string, shown = 0): string {
  expect(secret, name).toMatch(/.{10}/);
  secrets.set(secret, { name, shown });
  return secret;
}

async function mailedLink(): Promise<string> {
  await deliverDueMails(smtpTransport({ smtpUrl: smtpUrl(), mailFrom: "promo@example.com" }));
  await vi.waitFor(
    async () => expect(await db()("outbox").where({ state: "pending" })).toEqual([]),
    { timeout: 20_000 },
  );
  const link = smtp.received
    .splice(0)
    .map(linkIn)
    .findLast((found) => found !== undefined)!;
  keep("mailed link", link.split("token=")[1]!);
  return link;
}

const call = apiOf((target, sending) => recorder.send(target, sending));
const open = (cookie = "theme=default") => plainBrowser(recorder, cookie);
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

async function live(): Promise<void> {
  for (const secret of [chosen, changed, reset, mistyped]) keep("password", secret);
  keep("SMTP_URL", smtpPassword);
  keep("APP_SECRET", testSecret);

  const admin = open(await openSessionOf());
  await admin.press("/app/user/new", "Invite user", { email });
  const { id } = (await db()("users").where({ email }).first<{ id: string }>("id"))!;
  const ofUser = `/app/users/${id}/edit`;
  await mailedLink();
  await admin.press(ofUser, "Resend invitation");
  const browser = open();
  await browser.press(await mailedLink(), "Save Password", twice(chosen));
  const login = await browser.open("/login");
  await login.press("Login", { email, password: mistyped });
  await login.press("Login", { email, password: chosen });

  await browser.press("/app/profile?edit=1", "Save Changes", { company: "Vending" });
  await browser.press("/app/profile/avatar", "Save avatar", { avatarIcon: "music" });
  await browser.press("/app/profile/api-key", "Create API key");
  const revealed = await browser.press("/app/profile", "Reveal API key");
  const key = keep("API key", /vqk_\w{49}/.exec(revealed.html)![0], 1);
  await browser.press("/app/profile/api-key", "Regenerate API key");

  const device = makeAuthenticator(server.origin);
  const sid = `sid=${browser.cookies.get("sid")}`;
  const adding = "/app/profile/second-factor/passkey";
  const asked = await browser.press(adding, "Continue");
  const creation = passkeyRequestOf<PasskeyCreation>(asked.html);
  keep("challenge", creation.challenge, 1);
  const added = await recorder.send(adding, {
    method: "POST",
    cookie: sid,
    body: { intent: "add", name: "Phone", credential: device.create(creation) },
  });
  for (const code of textsOf(added.body, "code")) keep("recovery code", code, 1);
  const page = await browser.open("/app/profile/second-factor");
  const totp = textsOf(page.html, "code").find((text) => / /.test(text))!;
  // The page is shown again by its own form.
  keep("key of the app", totp, 2);
  const confirmed = await page.press("Add authenticator app", {
    code: codeOf(totp.replaceAll(" ", ""), 0),
  });
  const codes = textsOf(confirmed.html, "code");
  for (const code of codes) keep("recovery code", code, 1);
  await browser.press("/app/profile/second-factor", "Create new recovery codes");
  const renewed = textsOf(exchanges.at(-1)!.answer.body, "code");
  for (const code of renewed) keep("recovery code", code, 1);

  const code = codeOf(totp.replaceAll(" ", ""), 1);
  const body = { email, password: chosen, code };
  const { token, refresh_token } = (await call("POST", "/auth/signin/local", { body })).json;
  for (const secret of [token, refresh_token]) keep("token", secret, 1);
  await call("GET", "/api/machines-list", { token });
  const next = (await call("POST", "/api/auth/refresh", { body: { refresh_token } })).json;
  for (const secret of [next.token, next.refresh_token]) keep("token", secret, 1);

  const second = open();
  const step = await second.press("/login", "Login", { email, password: chosen });
  await step.press("Verify", { code: renewed[0]!, trust: "true" });
  const third = open();
  const request = await third.press("/login", "Use a passkey", { email: "", password: "" });
  const { challenge, ...rest } = passkeyRequestOf<PasskeyRequest>(request.html);
  keep("challenge", challenge, 1);
  await recorder.send("/login", {
    method: "POST",
    body: { intent: "passkey", credential: device.get({ challenge, ...rest }) },
  });

  await browser.press("/app/profile", "Sign out all other sessions");
  await browser.press("/app/user/edit/password", "Save Password", {
    currentPassword: chosen,
    ...twice(changed),
  });
  const forgotten = open();
  await forgotten.press("/password-reset", "Send", { email });
  await forgotten.press(await mailedLink(), "Save Password", twice(reset));
  await admin.press(ofUser, "Turn off two-step verification");
  await admin.press(ofUser, "Save changes", { email: "elsewhere@example.com" });
  await open().press(await mailedLink(), `Restore ${email}`);
  await mailedLink();

  const stranger = open();
  await stranger.press("/signup", "Create account", {
    email: newcomer,
    ...twice(chosen),
  });
  await stranger.press(await mailedLink(), "Verify email");
  // Errors that carry secrets.
  await call("POST", "/auth/signin/local", { body: `{"password": "${reset}` });
  await recorder.send("/nowhere", {
    cookie: `sid=${"x".repeat(43)}`,
    headers: { Authorization: `Bearer ${key}` },
  });
  await call("GET", "/auth/me", { token: key });
  await recorder.send("/app/profile", {
    method: "POST",
    body: { password: reset, intent: "reveal" },
  });
}

/** Returns the forms in which a secret could be stored or shown. */
const formsOf = (secret: string) => [
  secret,
  secret.replaceAll(/[ -]/g, ""),
  encodeURIComponent(secret),
  Buffer.from(secret).toString("hex"),
  Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(0, -1),
];

describe("secrets", () => {
  beforeAll(live, 120_000);

  it("are of every kind that the product has", () => {
    const kinds = new Set([...secrets.values()].map(({ name }) => name));
    expect([...kinds].sort()).toEqual(
      [
        "API key",
        "APP_SECRET",
        "SMTP_URL",
        "challenge",
        "cookie sid",
        "cookie step",
        "cookie trusted",
        "key of the app",
        "mailed link",
        "password",
        "recovery code",
        "token",
        ...["email_undo", "email_verification", "invitation", "password_reset"].map(
          (link) => `cookie link-${link}`,
        ),
      ].sort(),
    );
  });

  it("are in no log", () => {
    const log = server.output();
    for (const [secret, { name }] of secrets)
      for (const form of formsOf(secret)) expect(log.includes(form), name).toBe(false);
  });

  it("are in no page but the one that shows them, and in no address", () => {
    const mailed = /\?token=/;
    for (const [secret, { name, shown }] of secrets) {
      const bodies = exchanges.filter(({ answer }) => answer.body.includes(secret));
      expect(bodies.length, name).toBeLessThanOrEqual(shown);
      for (const { target, answer } of exchanges) {
        if (!mailed.test(target)) expect(target.includes(secret), name).toBe(false);
        const headers = JSON.stringify({ ...answer.headers, "set-cookie": [] });
        expect(headers.includes(secret), name).toBe(false);
      }
    }
  });

  it("can't be read in a dump of the database", async () => {
    const { rows: tables } = await db().raw<{ rows: { name: string }[] }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    for (const { name: table } of tables) {
      const { rows } = await db().raw<{ rows: { dump: string | null }[] }>(
        "select string_agg(t::text, ' ') as dump from ?? t",
        [table],
      );
      for (const [secret, { name }] of secrets)
        for (const form of formsOf(secret))
          expect(rows[0]?.dump?.includes(form) ?? false, `${name} in ${table}`).toBe(false);
    }
  });
});
