import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { usePerson } from "../support/person";
import { plainBrowser } from "../support/plain-browser";
import { cookieOf, openSessionOf, password, useServer } from "../support/server";
import { expectRejection } from "../support/session";

const server = useServer();
const newPassword = "seven grey herons landing";
const person = usePerson(server);

describe("the older profile", () => {
  it("has three tabs", async () => {
    const account = await person.browser.open("/app/user/edit");
    expect(account.text).toContain("ACCOUNT PROFILE CHANGE PASSWORD");
    expect((await account.follow("PROFILE")).address).toBe("/app/user/edit/profile");
    expect((await account.follow("CHANGE PASSWORD")).address).toBe("/app/user/edit/password");
    expect(account.html).not.toContain('href="/app/user"');
  });

  it.each([
    ["/app/user/edit", "User Edited"],
    ["/app/user/edit/profile", "Profile updated"],
  ])("saves %s and goes to the dashboard with '%s'", async (address, message) => {
    const form = await person.browser.open(address);
    const saved = await form.press("Save", { firstName: "Maria" });
    expect(saved.address).toMatch(/^\/app\/dashboard\?flash=/);
    expect(saved.html).toContain(message);
    expect(saved.html).toMatch(/Hi, (<!-- -->)?Maria</);
    expect(await person.audited("user.profile_edited")).toHaveLength(1);
  });

  it.each(["/app/user/edit", "/app/user/edit/profile"])(
    "says nothing was saved by %s when it was not, and 'Reset' shows what is stored",
    async (address) => {
      const form = await person.browser.open(address);
      const refused = await form.press("Save", { firstName: "x".repeat(101) });
      expect(refused.status).toBe(422);
      expect(refused.html).not.toMatch(/User Edited|Profile updated/);
      const reset = await refused.follow("Reset");
      expect(reset.valuesOf("firstName")).toEqual([""]);
    },
  );

  it("keeps what was typed in the second of two tabs", async () => {
    const [first, second] = [
      await person.browser.open("/app/user/edit/profile"),
      await person.browser.open("/app/user/edit"),
    ];
    await first.press("Save", { firstName: "First" });
    const conflict = await second.press("Save", { firstName: "Second" });
    expect(conflict.status).toBe(409);
    expect(conflict.text).toContain("First nameFirst");
    expect(conflict.valuesOf("firstName")).toEqual(["Second"]);
  });
});

describe("the password", () => {
  const change = (fields: Record<string, string> = {}) => ({
    currentPassword: password,
    newPassword,
    confirmPassword: newPassword,
    ...fields,
  });

  it("is changed; other sessions end, and this one gets a new id", async () => {
    const other = await openSessionOf(person.email);
    const form = await person.browser.open("/app/user/edit/password");
    const saved = await form.press("Save Password", change());
    expect(saved.address).toMatch(/^\/app\/user\/edit\/password\?flash=/);
    expect(saved.html).toContain("Password updated");
    expect(saved.valuesOf("newPassword")).toEqual([""]);
    expect(person.browser.cookies.get("sid")).not.toBe(person.cookie.split("=")[1]);
    expect(await person.isSignedIn(`sid=${person.browser.cookies.get("sid")}`)).toBe(true);
    for (const cookie of [person.cookie, other])
      expect(await person.isSignedIn(cookie)).toBe(false);
    expect(await person.canSignIn(password)).toBe(false);
    expect(await person.canSignIn(newPassword)).toBe(true);
    expect(await person.audited("user.password_changed")).toHaveLength(1);
  });

  const easy = { newPassword: "passwordpassword", confirmPassword: "passwordpassword" };
  it.each<[Record<string, string>, number, string]>([
    [{ currentPassword: "" }, 422, "Enter your current password"],
    [{ currentPassword: "not it at all" }, 403, "The password is wrong"],
    [{ confirmPassword: "seven grey herons" }, 422, "Passwords do not match"],
    [easy, 422, "Repeated words are easy to guess. Add other words."],
    // The current password comes first: whoever doesn't know it costs no rating of a new one.
    [{ currentPassword: "not it at all", ...easy }, 403, "The password is wrong"],
    [
      { newPassword: password, confirmPassword: password },
      422,
      "Choose a password that you don't use now",
    ],
  ])("stays when %o is sent, and is not sent back", async (fields, status, message) => {
    const stored = () => db()("users").where({ id: person.userId }).first("password_hash");
    const before = await stored();
    const form = await person.browser.open("/app/user/edit/password");
    const refused = await form.press("Save Password", change(fields));
    expectRejection(refused, status, message);
    for (const secret of [password, newPassword, "not it at all", "passwordpassword"])
      expect(refused.html).not.toContain(secret);
    expect(await person.isSignedIn(person.cookie)).toBe(true);
    expect(await stored()).toEqual(before);
  });

  it("is guessed no more often than at sign-in", async () => {
    const form = await person.browser.open("/app/user/edit/password");
    const statusOf = async (currentPassword: string) =>
      (await form.press("Save Password", change({ currentPassword }))).status;
    expect(await statusOf("first guess")).toBe(403);
    await db()("rate_limits").whereLike("key", "sign-in-pair:%").update({ points: 4 });
    expect(await statusOf("fifth guess")).toBe(403);
    expect(await statusOf("sixth guess")).toBe(429);
    expect(await statusOf(password)).toBe(429);
  });

  it("is changed once by a form that is sent twice at once, which stays signed in", async () => {
    const body = { ...change(), idempotency_key: randomUUID() };
    const send = () =>
      server.send("/app/user/edit/password", { method: "POST", body, cookie: person.cookie });
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await person.audited("user.password_changed")).toHaveLength(1);
    const locations = answers.map(({ headers }) => headers.location);
    expect(locations).not.toContainEqual(expect.stringContaining("/login"));
    const signedIn = await Promise.all(
      answers.map((answer) => person.isSignedIn(cookieOf(answer))),
    );
    expect(signedIn).toEqual([true, true]);
  });
});

describe("signing up", () => {
  it("is open as soon as the setting says so", async () => {
    expect((await server.send("/signup")).status).toBe(404);
    const admin = plainBrowser(server, await openSessionOf());
    await admin.press("/app/settings", "Save settings", { allowSignup: "true" });
    expect((await server.send("/signup")).status).toBe(200);
    expect((await server.send("/login")).body).toContain('href="/signup"');
  });
});
