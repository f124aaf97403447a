import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertUser } from "../factories/people-and-machines";
import { formsOf } from "../support/html-forms";
import { linkIn, useMailbox } from "../support/mailbox";
import {
  addUser,
  type Answer,
  cookieOf,
  openSessionOf,
  password,
  useServer,
} from "../support/server";
import { expectRejection } from "../support/session";
import { bodyOf, headerOf } from "../support/smtp";

/** Links in mails, sent through a real SMTP server, with nothing but HTTP. */
const mailbox = useMailbox();
const { deliver } = mailbox;
const server = useServer({
  environment: () => ({ TRUST_PROXY: "1", ALLOW_SIGNUP: "1", SMTP_URL: mailbox.url }),
});
let admin = "";
let count = 0;
let email = "";
const newPassword = "an unlikely sequence of plums";
const twice = { newPassword, confirmPassword: newPassword };

beforeAll(async () => {
  admin = await openSessionOf();
});
beforeEach(async () => {
  email = `reader-${++count}@example.com`;
  // Notices about what an earlier test did.
  await deliver();
});

const at = () => ({ "X-Forwarded-For": `10.2.0.${count}` });
const get = (path: string, cookie = "") => server.send(path, { cookie, headers: at() });
const post = (path: string, body: Record<string, string>, cookie = "") =>
  server.send(path, { method: "POST", body, cookie, headers: at() });
const signIn = (secret: string) => post("/login", { email, password: secret });

/** Returns the path of the link in the only mail with one that arrived. */
async function deliveredLink(): Promise<string> {
  const mails = (await deliver()).filter(linkIn);
  expect(mails.map(({ recipients }) => recipients)).toEqual([[email]]);
  return linkIn(mails[0]!)!;
}

/** Follows a link as a browser does: the secret moves into a cookie. */
async function open(link: string): Promise<{ path: string; cookie: string; page: Answer }> {
  const moved = await get(link);
  expect(moved.status).toBe(302);
  const path = moved.headers.location!;
  expect(path).not.toContain("token");
  const cookie = cookieOf(moved);
  return { path, cookie, page: await get(path, cookie) };
}

const askForReset = () => post("/password-reset", { intent: "send", email });

describe("an invitation", () => {
  it("sets the first password, verifies the address and works once", async () => {
    await post("/app/user/new", { email, role: "user", firstName: "", lastName: "" }, admin);
    const { path, cookie, page } = await open(await deliveredLink());
    expect(page.body).toContain("Welcome!");
    expect(page.body).toContain(email);
    const refused = await post(path, { ...twice, confirmPassword: "something else" }, cookie);
    expect(refused.body).toContain("<title>Error: Invitation");
    expect(refused.body).toMatch(/autofocus[^]*<a href="#confirmPassword">Passwords do not match/);
    const set = await post(path, twice, cookie);
    expect([set.status, set.headers.location]).toEqual([303, "/login?notice=welcome"]);
    expect((await get(set.headers.location!)).body).toContain("Your account is ready.");
    expect((await signIn(newPassword)).status).toBe(303);
    const again = await post(path, twice, cookie);
    expectRejection(again, 409, "If you have chosen a password, sign in.");
  });

  it("says who is signed in on the browser that opens it, and signs them out", async () => {
    await post("/app/user/new", { email, role: "user", firstName: "", lastName: "" }, admin);
    const { path, cookie } = await open(await deliveredLink());
    const session = await openSessionOf();
    const both = `${cookie}; ${session}`;
    const page = await get(path, both);
    expect(page.body).toContain("You are signed in as admin@example.com.");
    expect(page.body).toContain(`Choose a password for ${email}.`);
    const set = await post(path, twice, both);
    expect(set.headers.location).toBe("/login?notice=welcome");
    expect((await get("/app/faq", session)).status).toBe(302);
  });

  it("sets no password of another account whose link was opened in a second tab", async () => {
    const first = email;
    await post("/app/user/new", { email, role: "user", firstName: "", lastName: "" }, admin);
    const { path, page } = await open(await deliveredLink());
    const [form] = formsOf(page.body, path);
    const filled = { ...Object.fromEntries(form!.sent), ...twice };
    email = `second-${first}`;
    await post("/app/user/new", { email, role: "user", firstName: "", lastName: "" }, admin);
    const { cookie } = await open(await deliveredLink());
    const refused = await post(path, filled, cookie);
    expectRejection(refused, 409, `Open the link for ${first} in its mail again.`);
    expect((await signIn(newPassword)).status).toBe(401);
    const withoutLink = await post(path, filled);
    expectRejection(withoutLink, 409, `Open the link for ${first} in its mail again.`);
  });
});

describe("a forgotten password", () => {
  it("is replaced by the link of a mail, which ends every session", async () => {
    await addUser(email);
    const session = cookieOf(await signIn(password));
    const asked = await askForReset();
    expect(asked.body).toContain("a mail with a link is on its way");
    const link = await deliveredLink();
    const { rows } = await db().raw<{ rows: { text: string }[] }>(
      "select t::text as text from tokens t union all select o::text from outbox o",
    );
    expect(rows.map(({ text }) => text).join()).not.toContain(link.split("=")[1]!);
    // A scanner of mails follows links too.
    await open(link);
    const { path, cookie } = await open(link);
    const set = await post(path, { intent: "save", ...twice }, cookie);
    expect(set.headers.location).toBe("/login?notice=password");
    expect((await get(set.headers.location!)).body).toContain("Password has been updated");
    expect((await get("/app/faq", session)).status).toBe(302);
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn(newPassword)).status).toBe(303);
    const again = await post(path, { intent: "save", ...twice }, cookie);
    expectRejection(again, 409, "This link was already used");
    expect(again.body).toContain("If you have set a password with it, sign in.");
  });

  it("has only the newest link, for ten minutes, and one of two posts at once succeeds", async () => {
    await addUser(email);
    await askForReset();
    const first = await open(await deliveredLink());
    await askForReset();
    const second = await open(await deliveredLink());
    const save = ({ path, cookie }: typeof first) =>
      post(path, { intent: "save", ...twice }, cookie);
    expect((await save(first)).status).toBe(409);
    const both = await Promise.all([save(second), save(second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409]);
    await askForReset();
    const third = await open(await deliveredLink());
    await db()("tokens").update({ expires_at: db().raw("now()") });
    expect((await save(third)).status).toBe(409);
    expect((await get(third.path, third.cookie)).body).toContain("or has expired");
  });

  it("that a mail program has damaged is said to have ended", async () => {
    const { page } = await open("/password-reset?token=damaged%3E");
    expect(page.body).toContain("or has expired");
    expect(cookieOf(page), "the link is forgotten").toBe("link-password_reset=");
  });

  it("answers the same for every address, and mails only those with an account", async () => {
    const unknown = await askForReset();
    const disabled = `disabled-${count}@example.com`;
    await insertUser({ email: disabled, is_disabled: true });
    const other = await post("/password-reset", { intent: "send", email: disabled });
    const known = `known-${count}@example.com`;
    await addUser(known);
    const real = await post("/password-reset", { intent: "send", email: known });
    const bare = ({ body }: Answer, address: string) =>
      body.replaceAll(address, "").replace(/nonce="[^"]*"|"requestId":"[^"]*"/g, "");
    expect(bare(unknown, email)).toBe(bare(real, known));
    expect(bare(other, disabled)).toBe(bare(real, known));
    expect([unknown.status, other.status, real.status]).toEqual([200, 200, 200]);
    expect((await deliver()).map(({ recipients }) => recipients)).toEqual([[known]]);
    expect(await db()("outbox").where({ recipient: email })).toEqual([]);
  });

  it("says to every address that no mail is sent while outgoing messages are paused", async () => {
    await db()("site_settings").update({ is_outgoing_paused: true });
    const unknown = await askForReset();
    await addUser(email);
    const known = await askForReset();
    await db()("site_settings").update({ is_outgoing_paused: false });
    for (const { body } of [unknown, known]) {
      expect(body).toContain("No mail is sent now: outgoing messages are paused.");
      expect(body).not.toContain("is on its way");
    }
  });

  it("mails an address three times an hour, and answers as before", async () => {
    await addUser(email);
    const answers = [];
    for (let time = 0; time < 4; time++) answers.push((await askForReset()).status);
    expect(answers).toEqual([200, 200, 200, 200]);
    expect(await deliver()).toHaveLength(3);
  });

  it("is asked for ten times an hour from the /64 of an IPv6 address, which one client has", async () => {
    const ask = async (host: number, network = count) => {
      const recipient = `asked-${network}-${host}@example.com`;
      await addUser(recipient);
      await server.send("/password-reset", {
        method: "POST",
        body: { intent: "send", email: recipient },
        headers: { "X-Forwarded-For": `2001:db8:5:${network}::${host}` },
      });
    };
    await ask(1);
    await db()("rate_limits")
      .where({ key: `mail/by/2001:db8:5:${count}` })
      .update({ points: 9 });
    await ask(2);
    await ask(3);
    await ask(4, count + 1);
    const mailed = (await deliver()).flatMap(({ recipients }) => recipients).sort();
    expect(mailed).toEqual(
      [`${count}-1`, `${count}-2`, `${count + 1}-4`]
        .map((name) => `asked-${name}@example.com`)
        .sort(),
    );
  });

  it("reaches its owner, however often a client beyond its limit has asked for it", async () => {
    await addUser(email);
    const ask = (address: string) =>
      server.send("/password-reset", {
        method: "POST",
        body: { intent: "send", email },
        headers: { "X-Forwarded-For": address },
      });
    const client = `10.3.0.${count}`;
    await ask(client);
    await db()("rate_limits")
      .where({ key: `mail/by/${client}` })
      .update({ points: 10 });
    for (let time = 0; time < 3; time++) await ask(client);
    await ask(`10.4.0.${count}`);
    expect(await deliver()).toHaveLength(2);
  });

  it("builds links from APP_ORIGIN, and puts nothing of a request into a header", async () => {
    await addUser(email);
    const hostile = await server.send("/password-reset", {
      method: "POST",
      body: { intent: "send", email: `${email}\r\nBcc: victim@example.com` },
      headers: at(),
    });
    expect(hostile.status).toBe(422);
    await server.send("/password-reset", {
      method: "POST",
      body: { intent: "send", email },
      headers: { ...at(), "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" },
    });
    const [mail] = await deliver();
    expect(bodyOf(mail!)).not.toContain("evil.example");
    expect(headerOf(mail!, "Bcc")).toBeUndefined();
  });
});

describe("signing up", () => {
  const values = () => ({ email, firstName: "Ada", lastName: "", ...twice });

  it("opens an account once its address is verified by a press, not by following the link", async () => {
    expect((await get("/login")).body).toContain("New User");
    expect((await post("/signup", values())).body).toContain("A mail is on its way");
    expect((await signIn(newPassword)).status).toBe(401);
    const { path, cookie, page } = await open(await deliveredLink());
    expect(page.body).toContain(`Confirm that ${email} is yours.`.split(email)[0]!);
    expect((await signIn(newPassword)).status).toBe(401);
    const verified = await post(path, {}, cookie);
    expect(verified.headers.location).toBe("/login?notice=email");
    expect((await get("/login?notice=email")).body).toContain("Your email was verified");
    expect((await signIn(newPassword)).status).toBe(303);
    const again = await post(path, {}, cookie);
    expectRejection(again, 409, "If you have confirmed your address, sign in.");
  });

  it("is refused after 20 attempts in 15 minutes by a client, before a password is rated", async () => {
    const easy = {
      ...values(),
      newPassword: "passwordpassword",
      confirmPassword: "passwordpassword",
    };
    const statusOfEasy = async () => (await post("/signup", easy)).status;
    expect(await statusOfEasy()).toBe(422);
    await db()("rate_limits")
      .where({ key: `sign-up/by/10.2.0.${count}` })
      .update({ points: 19 });
    expect(await statusOfEasy()).toBe(422);
    expect(await statusOfEasy()).toBe(429);
    const refused = await post("/signup", values());
    expect(refused.body).toContain("Too many sign-ups. Please try again in 15 minutes.");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
    expect(await db()("users").where({ email })).toEqual([]);
  });

  it("says that the mail waits while outgoing messages are paused", async () => {
    await db()("site_settings").update({ is_outgoing_paused: true });
    const answer = await post("/signup", values());
    await db()("site_settings").update({ is_outgoing_paused: false });
    expect(answer.body).toContain("once an admin resumes outgoing messages, which are paused.");
    expect(answer.body).not.toContain("is on its way");
  });

  it("tells the owner of an address with an account by mail only", async () => {
    await addUser(email);
    expect((await post("/signup", values())).body).toContain("A mail is on its way");
    const [mail] = await deliver();
    expect(headerOf(mail!, "Subject")).toBe("You have an account at Promo Console");
    expect((await signIn(password)).status).toBe(303);
  });

  it("takes the longest address, and so does asking for a new password", async () => {
    email = `${"a".repeat(242)}@example.com`;
    const answers = [await post("/signup", values()), await askForReset()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("comes back filled, without the passwords", async () => {
    const refused = await post("/signup", { ...values(), newPassword: "short" });
    expectRejection(refused, 422, "Password must have at least 12 characters");
    expect(refused.body).toContain('value="Ada"');
    expect(refused.body).not.toContain(newPassword);
  });

  it("names all that is wrong at once, in an API call by the names of its fields", async () => {
    const call = { email: "ada", password: "short" };
    const answer = await server.call("POST", "/auth/signup", { body: call, headers: at() });
    expect([answer.status, answer.json.fields]).toEqual([
      422,
      {
        email: "Enter an email address, like name@example.com",
        password: "Password must have at least 12 characters",
      },
    ]);
    const { body } = await post("/signup", { ...values(), email: "ada", newPassword: "" });
    expect(body).toContain("Enter a new password");
    expect(body.match(/aria-invalid="true"/g)).toHaveLength(2);
  });
});

it("a forgotten password of somebody who was invited drops the invitations that wait or have failed", async () => {
  await post("/app/user/new", { email, role: "user", firstName: "", lastName: "" }, admin);
  // The server sends it, too, and a mail that is being sent would arrive below.
  await deliver();
  const failed = { state: "failed", finished_at: db().fn.now() };
  await db()("outbox").where({ recipient: email }).update(failed);
  await askForReset();
  const { path, cookie } = await open(await deliveredLink());
  await post(path, { intent: "save", ...twice }, cookie);
  expect((await signIn(newPassword)).status).toBe(303);
  const { id } = await db()("users").where({ email }).first<{ id: string }>();
  expect((await get(`/app/users/${id}/edit`, admin)).body).not.toContain(`Invitation to ${email}`);
});
