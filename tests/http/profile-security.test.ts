import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { createKey as createIntegrationKey } from "../../app/features/integrations/new-keys.server";
import { findApiKey, regenerateApiKey } from "../../app/features/sign-in/api-key.server";
import { hashSecret, issueTokens, refreshTokens } from "../../app/features/sign-in/tokens.server";
import { makeKey } from "../factories/redemptions";
import { usePerson } from "../support/person";
import { plainBrowser, type PlainPage } from "../support/plain-browser";
import { addUser, insertSession, openSessionOf, password, useServer } from "../support/server";
import { insertPasskey } from "../factories/people-and-machines";

const server = useServer();
const person = usePerson(server);

const keyIn = (page: PlainPage) => /vqk_[0-9A-Za-z]{49}/.exec(page.html)?.[0] ?? "";

async function createKey(): Promise<string> {
  const question = await person.browser.open("/app/profile/api-key");
  const page = await question.press("Create API key");
  expect(page.html).toContain("API key created. Reveal it to copy it.");
  return keyIn(await page.press("Reveal API key"));
}

const callApi = (token: string) => server.call("GET", "/api/machines-list", { token });

/** Sends five forms that make a key at once. */
const makeKeys = () =>
  Promise.all(
    Array.from({ length: 5 }, () =>
      server.send("/app/profile/api-key", {
        method: "POST",
        body: { idempotency_key: randomUUID(), days: "90", scopes: "read" },
        cookie: person.cookie,
      }),
    ),
  );

describe("the API key", () => {
  it("is masked until it is revealed, and calls the API as its user", async () => {
    const page = await person.browser.open("/app/profile");
    expect(page.text).toContain("API keyNone yet");
    const question = await page.follow("Create API key");
    const created = await question.press("Create API key");
    expect(created.address).toMatch(/^\/app\/profile\?flash=/);
    expect(keyIn(created)).toBe("");
    const revealed = await created.press("Reveal API key");
    const key = keyIn(revealed);
    expect(created.text).toContain(`••••••••${key.slice(-4)}`);
    expect(revealed.text).toContain(`User ID${person.userId}`);
    expect((await callApi(key)).status).toBe(200);
    const later = await revealed.follow("Hide");
    expect(keyIn(later)).toBe("");
    expect(later.text).not.toContain("Last usedNever");
    expect(await person.audited("user.api_key_created")).toHaveLength(1);
    expect(await person.audited("user.api_key_revealed")).toHaveLength(1);
  });

  it("is replaced by another, and refused from then on", async () => {
    const old = await createKey();
    const question = await (await person.browser.open("/app/profile")).follow("Regenerate API key");
    expect(question.text).toContain(`Your key ending in ${old.slice(-4)} stops working at once`);
    const page = await question.press("Regenerate API key");
    const key = keyIn(await page.press("Reveal API key"));
    expect(key).not.toBe(old);
    expect((await callApi(old)).status).toBe(401);
    expect((await callApi(key)).status).toBe(200);
    expect(await person.audited("user.api_key_regenerated")).toHaveLength(1);
  });

  it("stays one when several forms are sent at once", async () => {
    await makeKeys();
    const keys = await db()("api_keys").where({ user_id: person.userId });
    expect(keys).toHaveLength(5);
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(1);
  });

  it("is revealed by no other session that entered no password", async () => {
    await createKey();
    const other = plainBrowser(server, await openSessionOf(person.email));
    await person.makeStale();
    await (await person.browser.open("/app/profile")).press("Reveal API key", { password });
    const refused = await (await other.open("/app/profile")).press("Reveal API key");
    expect([refused.status, keyIn(refused)]).toEqual([403, ""]);
  });

  it("can't be decrypted in the row of another user", async () => {
    await createKey();
    const [theirs] = await db()("api_keys").where({ user_id: person.userId }).select("ciphertext");
    const thief = await addUser(`${randomUUID()}@example.com`);
    const other = plainBrowser(server, await openSessionOf(thief.email));
    await (await other.open("/app/profile/api-key")).press("Create API key");
    await db()("api_keys")
      .where({ user_id: thief.id })
      .update(theirs as object);
    const refused = await (await other.open("/app/profile")).press("Reveal API key");
    expect([refused.status, keyIn(refused)]).toEqual([409, ""]);
    expect(refused.text).toContain("This key can't be shown any more. Regenerate it.");
  });
});

describe("the sessions", () => {
  const firefox = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";

  async function openSessionIn(user_agent: string): Promise<string> {
    const { cookie, publicId } = await insertSession(person.userId);
    await db()("sessions").where({ public_id: publicId }).update({ user_agent });
    return cookie;
  }

  it("are listed with their browsers, this one first", async () => {
    await server.send("/login", {
      method: "POST",
      body: { email: person.email, password },
      headers: { "User-Agent": firefox },
    });
    const page = await person.browser.open("/app/profile");
    expect(page.text).toMatch(/Unknown browser This browser.*Firefox on Windows/);
    expect(page.html).not.toContain(hashSecret(person.cookie.split("=")[1]!).toString("hex"));
  });

  it("are ended one by one", async () => {
    const other = await openSessionIn(firefox);
    const { started } = (await db()("sessions")
      .where({ user_id: person.userId, user_agent: firefox })
      .first(
        db().raw(
          "to_char(created_at at time zone 'Europe/Berlin', 'DD.MM.YYYY HH24:MI') as started",
        ),
      )) as {
      started: string;
    };
    const page = await person.browser.open("/app/profile?edit=1");
    const ended = await page.press(`Sign out Firefox on Windows, signed in ${started}`);
    expect(ended.html).toContain("The session was signed out");
    expect(ended.hasButton("Save Changes")).toBe(true);
    expect([await person.isSignedIn(other), await person.isSignedIn(person.cookie)]).toEqual([
      false,
      true,
    ]);
    expect(await person.audited("user.session_ended")).toMatchObject([
      { details: { browser: "Firefox on Windows" } },
    ]);
  });

  it("are left by signing out of this one, which leads to the sign-in page", async () => {
    const other = await openSessionIn(firefox);
    const page = await person.browser.open("/app/profile");
    const own = page.html.match(/This browser.*?<form[^>]*action="([^"]*)"/s)!;
    const answer = await server.send(own[1]!, { method: "POST", cookie: person.cookie, body: {} });
    expect([answer.status, answer.headers.location]).toEqual([303, "/login"]);
    expect([await person.isSignedIn(other), await person.isSignedIn(person.cookie)]).toEqual([
      true,
      false,
    ]);
  });

  it("are all ended but this one", async () => {
    const others = [await openSessionIn(firefox), await openSessionIn("curl/8")];
    const page = await person.browser.open("/app/profile");
    const ended = await page.press("Sign out all other sessions");
    expect(ended.html).toContain("2 other sessions signed out");
    expect(await Promise.all([...others, person.cookie].map(person.isSignedIn))).toEqual([
      false,
      false,
      true,
    ]);
    expect(await person.audited("user.other_sessions_ended")).toMatchObject([
      { details: { sessions: 2 } },
    ]);
    expect(ended.hasButton("Sign out all other sessions")).toBe(false);
  });

  it("are ended with the sign-ins by the API, which are counted", async () => {
    const checked = { id: person.userId, credentialsVersion: 1 };
    const actor = { id: person.userId, email: person.email };
    const issued = [await issueTokens(checked, { actor }), await issueTokens(checked, { actor })];
    await refreshTokens(issued[0]!.refreshToken, { requestId: "", address: "", userAgent: "" });
    const page = await person.browser.open("/app/profile");
    expect(page.text).toContain("2 sign-ins by the API");
    const ended = await page.press("Sign out all other sessions");
    expect(ended.html).toContain("2 sign-ins by the API ended");
    expect(ended.hasButton("Sign out all other sessions")).toBe(false);
    for (const { token } of issued)
      expect((await server.call("GET", "/auth/me", { token })).status).toBe(401);
    expect(await person.audited("user.other_sessions_ended")).toMatchObject([
      { details: { sessions: 0, apiSignIns: 2 } },
    ]);
  });

  it("are ended with the API key and the passkeys if that is ticked, after the password", async () => {
    const actor = { id: person.userId, email: person.email };
    await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
    const { integrationId } = await makeKey();
    const key = { days: 1, machineSerial: null };
    const integration = await createIntegrationKey(integrationId, key, { actor });
    await insertPasskey(person.userId);
    await person.makeStale();

    const page = await person.browser.open("/app/profile");
    const ticks = { revokeKey: "true", removePasskeys: "true" };
    const refused = await page.press("Sign out all other sessions", ticks);
    expect(refused.status).toBe(403);
    expect(await db()("passkeys").where({ user_id: person.userId })).toHaveLength(1);

    const ended = await refused.press("Sign out all other sessions", { ...ticks, password });
    expect(ended.html).toContain("API key revoked, 1 passkey removed");
    expect(await db()("passkeys").where({ user_id: person.userId })).toEqual([]);
    const open = await db()("api_keys").whereNull("revoked_at").pluck("id");
    expect(open).toContain(integration.id);
    expect(await findApiKey(person.userId)).toBeNull();
    expect(await person.audited("user.api_key_revoked")).toHaveLength(1);
    expect(await person.audited("user.passkeys_removed")).toMatchObject([
      { details: { passkeys: { from: ["Phone"], to: [] } } },
    ]);
  });

  it("leave the API key and the passkeys alone unless that is ticked", async () => {
    const actor = { id: person.userId, email: person.email };
    await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor });
    await person.makeStale();
    const page = await person.browser.open("/app/profile");
    expect((await page.press("Sign out all other sessions")).html).toContain("no other session");
    expect(await findApiKey(person.userId)).not.toBeNull();
  });

  it.each(["of another user", "that don't exist", "that are no id"])(
    "%s are not found, which a message says",
    async (kind) => {
      const admin = await openSessionOf();
      const { public_id } = (await db()("sessions")
        .whereNot({ user_id: person.userId })
        .first("public_id")) as { public_id: string };
      const session = { "of another user": public_id, "that don't exist": randomUUID() }[kind];
      const answer = await server.send("/app/profile", {
        method: "POST",
        body: { intent: "end-session", session: session ?? "x'\0", idempotency_key: randomUUID() },
        cookie: person.cookie,
      });
      const page = await person.browser.open(answer.headers.location!);
      expect(page.text).toContain("This session has ended already");
      expect(await person.isSignedIn(admin)).toBe(true);
    },
  );
});

it("lists what the user did, and nothing of others", async () => {
  const other = await addUser("other@example.com");
  for (const { email } of [other, person]) await server.signIn(email);
  await person.browser.press("/app/profile?edit=1", "Save Changes", { phone: "030 1" });
  const { text } = await person.browser.open("/app/profile");
  const activity = text.slice(text.indexOf("Your activity"));
  expect(activity).toMatch(/Profile edited.*Phone: 030 1.*Signed in/);
  expect(activity.match(/Signed in/g)).toHaveLength(1);
});

it("names and links nobody whom only admins see, once the user is no admin any more", async () => {
  const other = await addUser("latest@example.com");
  await db()("audit_log").insert({
    ...{ actor_id: person.userId, actor_name: person.email, action: "user.edited", covered: 1 },
    ...{ subject_type: "user", subject_id: other.id },
    details: { email: { from: "first@example.com", to: "second@example.com" } },
  });
  const { html } = await person.browser.open("/app/profile");
  expect(html).toContain("second@example.com");
  expect(html).not.toContain("latest@example.com");
  expect(html).not.toContain(`/app/users/${other.id}`);
});
