import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { replaceRecoveryCodes } from "../../app/features/second-factor/recovery-codes.server";
import { renewRecoveryCodes } from "../../app/features/second-factor/second-factor.server";
import { regenerateApiKey, revealApiKey } from "../../app/features/sign-in/api-key.server";
import { countSessions, openTransaction } from "../support/database-sessions";
import { linkIn, useMailbox } from "../support/mailbox";
import { plainBrowser } from "../support/plain-browser";
import { addUser, openSessionOf, password, useServer } from "../support/server";

/** Tests what a change of an address ends, with nothing but HTTP and mail. */
const mailbox = useMailbox();
const server = useServer({ environment: () => ({ TRUST_PROXY: "1", SMTP_URL: mailbox.url }) });
const newPassword = "an unlikely sequence of plums";
const twice = { newPassword, confirmPassword: newPassword };
let admin = "";
let mistyped = "";
let right = "";
let count = 0;

beforeAll(async () => {
  admin = await openSessionOf();
});
beforeEach(() => {
  count += 1;
  mistyped = `stranger-${count}@example.com`;
  right = `clerk-${count}@example.com`;
});

/** Each test has an address of its own. */
const fromHere = () => ({ "X-Forwarded-For": `10.5.0.${count}` });

const browserOf = (cookie = "") => plainBrowser(server, cookie, fromHere());

const userOf = (email: string) => db()("users").where({ email }).first<{ id: string }>();

async function invite(email: string): Promise<string> {
  await browserOf(admin).press("/app/user/new", "Invite user", { email, role: "user" });
  return (await userOf(email)).id;
}

const changeAddress = (id: string, email: string) =>
  browserOf(admin).press(`/app/users/${id}/edit`, "Save changes", { email });

const askForReset = (email: string) => browserOf().press("/password-reset", "Send", { email });

async function canSignIn(email: string, secret: string): Promise<boolean> {
  const sending = { method: "POST", body: { email, password: secret }, headers: fromHere() };
  return (await server.send("/login", sending)).status === 303;
}

/** Returns the links that arrived since, by recipient. */
async function deliveredLinks(): Promise<Record<string, string | undefined>> {
  const mails = await mailbox.deliver();
  const links = mails.map((mail) => [mail.recipients[0]!, linkIn(mail)] as const);
  return Object.fromEntries(links.filter(([, link]) => link !== undefined));
}

describe("correcting the address of an invitation", () => {
  it("leaves nothing to the stranger who got the first one", async () => {
    const id = await invite(mistyped);
    const { [mistyped]: old } = await deliveredLinks();
    const stranger = await browserOf().open(old!);
    expect(stranger.text).toContain("Welcome!");
    await changeAddress(id, right);

    const refused = await stranger.press("Save Password", twice);
    expect(refused.text).toContain("This link was already used or has expired.");
    expect((await browserOf().open(old!)).hasButton("Save Password")).toBe(false);
    expect(await canSignIn(right, newPassword)).toBe(false);

    const links = await deliveredLinks();
    expect(Object.keys(links)).toEqual([right]);
    await browserOf().press(links[right]!, "Save Password", twice);
    expect(await canSignIn(right, newPassword)).toBe(true);
  });

  it("doesn't send the first invitation any more if it has not left yet", async () => {
    const id = await invite(mistyped);
    await mailbox.deliver();
    await db()("outbox")
      .where({ recipient: mistyped })
      .update({
        state: "pending",
        finished_at: null,
        next_attempt_at: db().raw("now() + interval '1 hour'"),
      });
    await changeAddress(id, right);
    expect(await db()("outbox").where({ recipient: mistyped })).toEqual([]);
    expect(Object.keys(await deliveredLinks())).toEqual([right]);
  });

  it("is not the only correction that mails a new link: the role and the state end the one before, too", async () => {
    const id = await invite(right);
    const path = `/app/users/${id}/edit`;
    const { [right]: first } = await deliveredLinks();
    await browserOf(admin).press(path, "Save changes", { role: "viewer" });
    const { [right]: second } = await deliveredLinks();
    expect((await browserOf().open(first!)).text).toContain("This link was already used");
    await browserOf(admin).press(path, "Save changes", { disabled: "true" });
    expect(await mailbox.deliver()).toEqual([]);
    expect((await browserOf().open(second!)).text).toContain("This link was already used");
    await browserOf(admin).press(path, "Save changes", { disabled: "" });
    const { [right]: third } = await deliveredLinks();
    await browserOf().press(third!, "Save Password", twice);
    expect(await canSignIn(right, newPassword)).toBe(true);
  });

  it("mails no invitation for other changes, nor to a disabled user", async () => {
    const id = await invite(mistyped);
    await mailbox.deliver();
    const page = await browserOf(admin).open(`/app/users/${id}/edit`);
    expect(page.text).toContain("Changing it ends all links that were mailed before.");
    expect(page.text).toContain("The invitation is mailed to the new address.");
    await page.press("Save changes", { firstName: "Ada" });
    const path = `/app/users/${id}/edit`;
    await browserOf(admin).press(path, "Save changes", { email: right, disabled: "true" });
    expect(await mailbox.deliver()).toEqual([]);
  });
});

describe("a change of address", () => {
  it("ends the link for a new password that was mailed to the old one", async () => {
    const { id } = await addUser(mistyped);
    await askForReset(mistyped);
    const { [mistyped]: old } = await deliveredLinks();
    await changeAddress(id, right);
    expect((await browserOf().open(old!)).text).toContain("This link was already used");
    expect(await canSignIn(right, newPassword)).toBe(false);
    expect(await canSignIn(right, password)).toBe(true);
  });

  it("mails no link to the old address that was asked for while it was being committed", async () => {
    const { id } = await addUser(mistyped);
    const trx = await db().transaction();
    await trx("users").where({ id }).update({ email: right });
    const asked = askForReset(mistyped);
    await expect
      .poll(() =>
        db()("pg_stat_activity")
          .whereRaw("datname = current_database() and wait_event_type = 'Lock'")
          .select("pid"),
      )
      .toHaveLength(1);
    await trx.commit();
    await asked;
    expect(await db()("tokens").where({ user_id: id })).toEqual([]);
  });
});

describe("undoing a change of address", () => {
  /** Adds a user who has signed in, and changes the address. Returns the link that undoes it. */
  async function takeAddress() {
    const { id } = await addUser(right);
    const session = await server.signIn(right);
    await changeAddress(id, mistyped);
    const { [right]: undo } = await deliveredLinks();
    return { id, session, undo: undo! };
  }

  it("gives an account back that somebody took over", async () => {
    const { id, session, undo } = await takeAddress();
    await askForReset(mistyped);
    const { [mistyped]: link } = await deliveredLinks();
    await browserOf().press(link!, "Save Password", twice);
    const theirs = await server.signIn(mistyped, newPassword);
    await regenerateApiKey({ scopes: ["read"], days: 1 }, { actor: { id, email: mistyped } });
    await mailbox.deliver();

    const page = await browserOf().open(undo);
    expect(page.address).toBe("/undo-email");
    expect(page.text).toContain(`Your account signs in with ${mistyped} now.`);
    const done = await page.press(`Restore ${right}`);
    expect(done.text).toContain("Your address was restored.");
    expect((await page.press(`Restore ${right}`)).title).toMatch(/^Error: /);

    for (const cookie of [theirs, session])
      expect((await server.send("/app/support", { cookie })).status).toBe(302);
    for (const email of [right, mistyped])
      for (const secret of [password, newPassword])
        expect(await canSignIn(email, secret)).toBe(false);
    expect(await db()("api_keys").where({ user_id: id, revoked_at: null })).toEqual([]);
    const [entry] = await db()("audit_log").where({ action: "user.email_change_undone" });
    expect(entry).toMatchObject({
      actor_name: right,
      subject_id: id,
      details: { email: { from: mistyped, to: right } },
    });

    const { [right]: own } = await deliveredLinks();
    await browserOf().press(own!, "Save Password", twice);
    expect(await canSignIn(right, newPassword)).toBe(true);
    const again = await browserOf().open(undo);
    expect(again.text).toContain("This link was already used or has expired.");
    expect(again.text).toContain("we have mailed you a link to set a new password");
  });

  it.each([
    ["keeps an app that was confirmed before the change", "now() - interval '1 hour'", 1],
    ["removes an app that was confirmed after the change", "now()", 0],
    ["ends the set-up of an app that was never confirmed", "null", 0],
  ])("%s", async (_name, confirmedAt, apps) => {
    const { id, undo } = await takeAddress();
    const created_at = db().raw("now() - interval '1 hour'");
    await db()("passkeys").insert({
      ...{ user_id: id, credential_id: `own-${count}`, public_key: Buffer.of(1) },
      ...{ counter: 0, name: "Own", created_at },
    });
    await db()("second_factors").insert({
      ...{ user_id: id, secret: Buffer.of(1), created_at },
      confirmed_at: db().raw(confirmedAt),
    });
    await browserOf().press(undo, `Restore ${right}`);
    expect(await db()("second_factors").where({ user_id: id })).toHaveLength(apps);
  });

  it.each([
    ["keeps recovery codes that were made before the change", false, 10],
    ["ends recovery codes that were made after the change", true, 0],
  ])("%s", async (_name, isAfter, codes) => {
    const { id, undo } = await takeAddress();
    const confirmed_at = db().raw("now() - interval '1 hour'");
    await db()("second_factors").insert({ user_id: id, secret: Buffer.of(1), confirmed_at });
    if (isAfter) await renewRecoveryCodes(id, { actor: { id, email: mistyped } });
    else await db().transaction((trx) => replaceRecoveryCodes(trx, id));
    await browserOf().press(undo, `Restore ${right}`);
    expect(await db()("recovery_codes").where({ user_id: id })).toHaveLength(codes);
  });

  it.each([
    ["keeps a key that was made before the change", false],
    ["ends a key that was made before the change and revealed after it", true],
  ])("%s", async (_name, isRevealed) => {
    const { id, undo } = await takeAddress();
    const actor = { id, email: mistyped };
    await regenerateApiKey({ scopes: ["read"], days: 30 }, { actor });
    const created_at = db().raw("now() - interval '1 hour'");
    await db()("api_keys").where({ user_id: id }).update({ created_at });
    if (isRevealed) await revealApiKey({ actor });
    await browserOf().press(undo, `Restore ${right}`);
    const open = await db()("api_keys").where({ user_id: id, revoked_at: null });
    expect(open).toHaveLength(isRevealed ? 0 : 1);
  });

  it("tells the first address of another change, also before it has a new password", async () => {
    const { id, undo } = await takeAddress();
    await browserOf().press(undo, `Restore ${right}`);
    await mailbox.deliver();
    const third = `third-${count}@example.com`;
    await changeAddress(id, third);
    const { [right]: again } = await deliveredLinks();
    const undone = await browserOf().press(again!, `Restore ${right}`);
    expect(undone.text).toContain("Your address was restored.");
  });

  it("is open to the first address after further changes, and to none of the later ones then", async () => {
    const { id, undo } = await takeAddress();
    await server.signIn(mistyped);
    const third = `third-${count}@example.com`;
    await changeAddress(id, third);
    const { [mistyped]: later } = await deliveredLinks();
    const undone = await browserOf().press(undo, `Restore ${right}`);
    expect(undone.text).toContain("Your address was restored.");
    expect((await userOf(right)).id).toBe(id);
    expect((await browserOf().open(later!)).hasButton(`Restore ${mistyped}`)).toBe(false);
  });

  it.each([
    ["the own key", "/app/profile/api-key", "Create API key"],
    ["a key of an integration", "", "Create key"],
  ])("lets nobody add %s whose request was let in before", async (_name, ownPage, button) => {
    const { id } = await addUser(right, "admin");
    const [integration] = await db()("integrations")
      .insert({ name: right })
      .returning<{ id: string }[]>("id");
    const session = await server.signIn(right);
    const page = await browserOf(session).open(ownPage || `/app/integrations/${integration!.id}`);
    const undoing = await openTransaction();
    await undoing("users").where({ id }).update({ password_hash: null });
    const pressed = page.press(button);
    const waiting = expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await Promise.race([pressed, waiting]);
    await undoing.commit();
    expect((await pressed).text).toContain("Your account was changed meanwhile. Sign in again.");
    expect(await db()("api_keys").where({ user_id: id }).orWhere({ created_by: id })).toEqual([]);
  });

  it("leaves the link of an earlier change open when a later one is undone", async () => {
    const { id, undo } = await takeAddress();
    await server.signIn(mistyped);
    await changeAddress(id, `third-${count}@example.com`);
    const { [mistyped]: later } = await deliveredLinks();
    await browserOf().press(later!, `Restore ${mistyped}`);
    const page = await browserOf().open(undo);
    expect((await page.press(`Restore ${right}`)).text).toContain("Your address was restored.");
    expect((await userOf(right)).id).toBe(id);
  });

  it("says that the address was given to somebody else meanwhile, and changes nothing", async () => {
    const { id, undo } = await takeAddress();
    await addUser(right);
    const page = await browserOf().open(undo);
    const refused = await page.press(`Restore ${right}`);
    expect(refused.text).toContain("Another account has this address now. Ask an admin for help.");
    expect((await userOf(mistyped)).id).toBe(id);
    expect(await canSignIn(mistyped, password)).toBe(true);
  });

  it("ends after 72 hours", async () => {
    const { undo } = await takeAddress();
    await db()("email_undos").update({
      expires_at: db().raw("expires_at - interval '71 hours 59 minutes'"),
    });
    expect((await browserOf().open(undo)).hasButton(`Restore ${right}`)).toBe(true);
    await db()("email_undos").update({
      expires_at: db().raw("expires_at - interval '1 minute 1 second'"),
    });
    expect((await browserOf().open(undo)).hasButton(`Restore ${right}`)).toBe(false);
  });

  it("is offered to no address with which nobody ever signed in", async () => {
    const { id } = await addUser(mistyped);
    await changeAddress(id, right);
    expect((await mailbox.deliver()).map(({ recipients }) => recipients)).not.toContainEqual([
      mistyped,
    ]);
    expect(await db()("email_undos").where({ user_id: id })).toEqual([]);
  });
});
