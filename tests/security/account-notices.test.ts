import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import type { PasskeyCreation } from "../../app/features/second-factor/passkey";
import { insertSchedule } from "../support/action-cases/settings";
import { makeAuthenticator, passkeyRequestOf } from "../support/authenticator";
import { textsOf } from "../support/html";
import { linkIn, useMailbox } from "../support/mailbox";
import { usePerson } from "../support/person";
import { plainBrowser } from "../support/plain-browser";
import { addUser, openSessionOf, password, useServer } from "../support/server";
import { bodyOf, headerOf, type ReceivedMail } from "../support/smtp";

/** Tests the mails that tell people of changes of their accounts. */
const mailbox = useMailbox();
const server = useServer({
  environment: () => ({ TRUST_PROXY: "1", SMTP_URL: mailbox.url }),
});
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0";
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36";
const newPassword = "an unlikely sequence of plums";

/** Returns the subjects of the mails that arrived since, by recipient. */
async function subjects(): Promise<[recipient: string, subject: string][]> {
  const mails = await mailbox.deliver();
  return mails.map((mail) => [mail.recipients[0]!, headerOf(mail, "Subject")!]);
}

describe("a change of an account is told to its address", () => {
  const person = usePerson(server);
  beforeEach(() => mailbox.deliver());

  async function changePassword() {
    await person.browser.press("/app/user/edit/password", "Save Password", {
      currentPassword: password,
      newPassword,
      confirmPassword: newPassword,
    });
  }

  async function addPasskey() {
    const path = "/app/profile/second-factor/passkey";
    const asked = await person.browser.press(path, "Continue");
    const credential = makeAuthenticator(server.origin).create(
      passkeyRequestOf<PasskeyCreation>(asked.html),
    );
    const body = { intent: "add", name: "Phone", credential };
    await server.send(path, { method: "POST", cookie: person.cookie, body });
  }

  async function addApp() {
    const page = await person.browser.open("/app/profile/second-factor");
    const key = textsOf(page.html, "code")
      .find((text) => / /.test(text))!
      .replaceAll(" ", "");
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
    await page.press("Turn on two-step verification", { code });
  }

  const press = async (path: string, button: string) =>
    void (await person.browser.press(path, button));

  it.each<[string, () => Promise<void>, string[]]>([
    ["a new password", changePassword, ["Your password was changed"]],
    ["an app", addApp, ["An authenticator app was added"]],
    [
      "new recovery codes",
      async () => {
        await addApp();
        await press("/app/profile/second-factor", "Create new recovery codes");
      },
      ["An authenticator app was added", "Your recovery codes were replaced"],
    ],
    [
      "no second factor",
      async () => {
        await addApp();
        await press("/app/profile/second-factor/turn-off", "Turn off two-step verification");
      },
      ["An authenticator app was added", "Two-step verification was turned off"],
    ],
    ["a passkey", addPasskey, ["A passkey was added"]],
    [
      "no passkey",
      async () => {
        await addPasskey();
        const page = await person.browser.open("/app/profile/second-factor");
        await (await page.follow("Remove Phone")).press("Remove passkey");
      },
      ["A passkey was added", "A passkey was removed"],
    ],
    [
      "keys",
      async () => {
        await press("/app/profile/api-key", "Create API key");
        await press("/app/profile/api-key", "Regenerate API key");
      },
      ["An API key was created", "Your API key was replaced"],
    ],
  ])("%s", async (_change, act, expected) => {
    await act();
    const told = (await subjects()).sort();
    expect(told).toEqual(
      expected.map((subject) => [person.email, `${subject} at Promo Console`]).sort(),
    );
  });

  it("with the time of the site's zone, the browser, and what to do", async () => {
    const changed = await server.send("/app/user/edit/password", {
      method: "POST",
      cookie: person.cookie,
      body: { currentPassword: password, newPassword, confirmPassword: newPassword },
      headers: { "User-Agent": firefox, "X-Forwarded-For": "192.0.2.7" },
    });
    expect(changed.status).toBe(303);
    const [mail] = await mailbox.deliver();
    const text = bodyOf(mail!);
    expect(text).toMatch(/When: \d\d\.\d\d\.\d{4} \d\d:\d\d \(Europe\/Berlin\)\./);
    expect(text).toContain("From: Firefox on Windows, 192.0.2.7.");
    expect(text).toContain("If this was not you, set a new password at once, and tell an admin.");
  });

  it.each([
    ["asks for no password after a new one", changePassword, "/password-reset"],
    ["asks for the present password otherwise", addPasskey, "/app/user/edit/password"],
  ])("with the form for a new password that %s", async (_form, act, path) => {
    await act();
    const [mail] = await mailbox.deliver();
    const address = /Set a new password:\s+(\S+)/.exec(bodyOf(mail!))![1]!;
    expect(new URL(address).pathname).toBe(path);
  });

  it.each([
    ["a passkey", addPasskey, "remove the passkey under Profile, Two-step verification, and tell"],
    [
      "a key",
      () => press("/app/profile/api-key", "Create API key"),
      "revoke the API key under Profile, and tell an admin.",
    ],
  ])("with what a new password leaves of %s", async (_access, act, remedy) => {
    await act();
    const [mail] = await mailbox.deliver();
    const text = bodyOf(mail!).replace(/\s+/g, " ");
    expect(text).toContain(`If this was not you, set a new password at once, ${remedy}`);
  });

  it("with the admin who did it", async () => {
    await addApp();
    await mailbox.deliver();
    const admin = plainBrowser(server, await openSessionOf());
    await admin.press(`/app/users/${person.userId}/edit`, "Turn off two-step verification");
    const mails = (await mailbox.deliver()).filter(({ recipients }) =>
      recipients.includes(person.email),
    );
    expect(mails.map((mail) => bodyOf(mail))).toEqual([
      expect.stringMatching(
        /By: admin@example\.com\.[^]*If you don't know why, ask admin@example\.com\.[^]*If you know of it, there is nothing to do\./,
      ),
    ]);
  });

  it("with the admin who took the own key away by making a viewer", async () => {
    await press("/app/profile/api-key", "Create API key");
    await mailbox.deliver();
    const admin = plainBrowser(server, await openSessionOf());
    await admin.press(`/app/users/${person.userId}/edit`, "Save changes", { role: "viewer" });
    const [mail, ...others] = await mailbox.deliver();
    expect([mail!.recipients, others]).toEqual([[person.email], []]);
    expect(bodyOf(mail!).replace(/\s+/g, " ")).toMatch(
      /Your API key was revoked at Promo Console: viewers have none\. .*By: admin@example\.com\./,
    );
    const revoked = { action: "user.api_key_revoked", subject_id: person.userId };
    expect(await db()("audit_log").where(revoked)).toMatchObject([
      { actor_name: "admin@example.com", details: { last_four: { to: null } } },
    ]);
  });

  it("at the old and the new address when it is changed", async () => {
    await server.signIn(person.email);
    const admin = plainBrowser(server, await openSessionOf());
    await mailbox.deliver();
    const email = `${randomUUID()}@example.com`;
    await admin.press(`/app/users/${person.userId}/edit`, "Save changes", { email });
    const mails = await mailbox.deliver();
    const told = (recipient: string): ReceivedMail =>
      mails.find(({ recipients }) => recipients.includes(recipient))!;
    expect(mails).toHaveLength(2);
    for (const recipient of [email, person.email])
      expect(bodyOf(told(recipient))).toContain(`${person.email} → ${email}`);
    expect(bodyOf(told(person.email))).toContain("/undo-email?token=");
    expect(bodyOf(told(email))).not.toContain("token=");
  });

  it("that is undone takes the reports by mail back to the old one", async () => {
    await server.signIn(person.email);
    const id = await insertSchedule({ recipients: [person.email] });
    const recipients = () => db()("report_schedules").where({ id }).pluck("recipients");
    const admin = plainBrowser(server, await openSessionOf());
    await mailbox.deliver();
    const email = `${randomUUID()}@example.com`;
    await admin.press(`/app/users/${person.userId}/edit`, "Save changes", { email });
    expect(await recipients()).toEqual([[email]]);
    const mail = (await mailbox.deliver()).find((each) => linkIn(each)?.includes("undo"));
    const page = await plainBrowser(server, "").open(linkIn(mail!)!);
    await page.press(`Restore ${person.email}`);
    expect(await recipients()).toEqual([[person.email]]);
  });
});

describe("a sign-in from a device that was never seen", () => {
  let email = "";
  let userId = "";
  beforeEach(async () => {
    await mailbox.deliver();
    email = `${randomUUID()}@example.com`;
    ({ id: userId } = await addUser(email));
  });

  const headers = (userAgent: string, address: string) => ({
    "User-Agent": userAgent,
    "X-Forwarded-For": address,
  });
  async function signIn(userAgent: string, address: string): Promise<void> {
    const body = { email, password };
    const sending = { method: "POST", body, headers: headers(userAgent, address) };
    expect((await server.send("/login", sending)).status).toBe(303);
  }

  it("is told, but not the first one, nor one from a device that was seen", async () => {
    await signIn(firefox, "192.0.2.7");
    await signIn(firefox, "192.0.2.7");
    expect(await subjects()).toEqual([]);
    await signIn(chrome, "192.0.2.7");
    const [mail, ...others] = await mailbox.deliver();
    expect([mail!.recipients, headerOf(mail!, "Subject"), others]).toEqual([
      [email],
      "New sign-in at Promo Console",
      [],
    ]);
    expect(bodyOf(mail!)).toContain("From: Chrome on Linux, 192.0.2.7.");
    await signIn(firefox, "192.0.2.8");
    expect(await subjects()).toHaveLength(1);
    for (const device of [firefox, chrome]) await signIn(device, "192.0.2.7");
    expect(await subjects()).toEqual([]);
  });

  it("is told of the API too", async () => {
    await signIn(firefox, "192.0.2.7");
    for (let time = 0; time < 2; time++) {
      const body = { email, password };
      const device = { headers: headers("curl/8.5.0", "192.0.2.7") };
      expect((await server.call("POST", "/auth/signin/local", { body, ...device })).status).toBe(
        200,
      );
    }
    expect(await subjects()).toEqual([[email, "New sign-in at Promo Console"]]);
  });

  it("is not told within the /64 of an IPv6 address", async () => {
    await signIn(firefox, "2001:db8:7:1::1");
    await signIn(firefox, "2001:db8:7:1:aaaa::2");
    expect(await subjects()).toEqual([]);
    await signIn(firefox, "2001:db8:7:2::1");
    expect(await subjects()).toHaveLength(1);
  });

  it("leaves the thirty devices that were used last", async () => {
    for (let day = 1; day <= 40; day++)
      await db()("known_devices").insert({
        user_id: userId,
        browser: "curl",
        network: `10.0.0.${day}`,
        last_seen_at: db().raw("now() - make_interval(days => ?)", [day]),
      });
    await signIn(firefox, "192.0.2.7");
    const kept = await db()("known_devices").where({ user_id: userId }).orderBy("last_seen_at");
    expect(kept).toHaveLength(30);
    expect(kept[0]).toMatchObject({ network: "10.0.0.29" });
  });
});
