import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { withIdempotency } from "../../app/features/activity/idempotency.server";
import { formIdField } from "../../app/forms/validator";
import * as images from "../factories/images";
import { insertUser } from "../factories/people-and-machines";
import { textsOf } from "../support/html";
import { encodeForm } from "../support/multipart";
import { addUser, openSessionOf, useServer } from "../support/server";
import { expectRejection, sessionOf, useSession } from "../support/session";

/** User administration with nothing but HTTP: every task is a plain form post. */
const server = useServer();
const admin = useSession(server);
const { get, post, follow } = admin;

const userOf = (email: string) =>
  db()("users").where({ email }).first<Record<string, unknown> & { id: string }>();
const audited = (subject_id: string) =>
  db()("audit_log").where({ subject_id, subject_type: "user" }).orderBy("id").pluck("action");

const fields = {
  email: "New.Person@Example.com ",
  firstName: " Ada ",
  lastName: "Lovelace",
  phoneNumber: "+44 20 7946 0000",
  role: "user",
};

describe("the list", () => {
  it("pages, sorts and filters on the server, five rows a page", async () => {
    for (const [index, firstName] of ["Ann", "Bob", "Cleo", "Dan", "Eve", "Flo"].entries())
      await insertUser({
        email: `list-${index}@example.com`,
        first_name: firstName,
        last_name: "Listed",
        phone: `555-${index}`,
      });
    const names = (html: string) =>
      [...html.matchAll(/>(list-\d@example\.com)<\/a>/g)].map(([, email]) => email!.slice(5, 6));
    const first = await get("/app/users?lastName=listed&sort=-firstName");
    expect(names(first.body)).toEqual(["5", "4", "3", "2", "1"]);
    expect(first.body).toContain("6 users");
    expect(first.body).toContain("1–5 of 6");
    expect(names((await get("/app/users?lastName=listed&sort=-firstName&page=2")).body)).toEqual([
      "0",
    ]);
    expect(names((await get("/app/users?phoneNumber=555-3")).body)).toEqual(["3"]);
    expect(names((await get("/app/users?firstName=cl&email=LIST-")).body)).toEqual(["2"]);
    expect(names((await get("/app/users?lastName=listed&per_page=20")).body)).toHaveLength(6);
    const nobody = await get("/app/users?email=nobody%25");
    expect(nobody.body).toContain("No results found");
  });
});

describe("creating a user", () => {
  it("creates one with trimmed values, and records it", async () => {
    const created = await post("/app/user/new", fields);
    expect(created.status).toBe(303);
    expect(await follow(created)).toContain(
      `Users created. An invitation to new.person@example.com is on its way.`,
    );
    const user = (await userOf("new.person@example.com"))!;
    expect(user).toMatchObject({
      first_name: "Ada",
      last_name: "Lovelace",
      phone: "+44 20 7946 0000",
      role: "user",
      is_disabled: false,
      password_hash: null,
      email_verified_at: null,
    });
    expect(await audited(user.id)).toEqual(["user.created"]);
    const links = await db()("tokens").where({ user_id: user.id, kind: "invitation" });
    expect(links).toHaveLength(1);
  });

  it("needs an email, as forms of users say alike", async () => {
    const { id } = await addUser("marked@example.com");
    for (const address of ["/app/user/new", `/app/users/${id}/edit`]) {
      const { body } = await get(address);
      expect(body).toMatch(/<input[^>]* required[^>]* name="email"|name="email"[^>]* required/);
    }
  });

  it("comes back filled, with a message for each wrong field", async () => {
    await addUser("taken@example.com");
    for (const [change, message] of [
      [{ email: "" }, "Email is required"],
      [{ email: "a@b\r\nBcc: c@d.example" }, "Enter an email address, like name@example.com"],
      [
        { email: `${"İ".repeat(130)}@example.com` },
        "Enter an email address, like name@example.com",
      ],
      [{ email: "TAKEN@example.com" }, "User with this email already exists"],
      [{ role: "owner" }, "Choose a role"],
      [{ firstName: "x".repeat(101) }, "Use no more than 100 characters"],
    ] as const) {
      const answer = await post("/app/user/new", {
        [formIdField]: "new-user",
        ...fields,
        ...change,
      });
      expectRejection(answer, 422, message);
      expect(answer.body).toContain('value="Lovelace"');
    }
  });
});

describe("editing a user", () => {
  it("saves what changed, and tells the second of two admins what is stored now", async () => {
    const { id } = await insertUser({ email: "edited@example.com", first_name: "Old" });
    const path = `/app/users/${id}/edit`;
    const own = { email: "edited@example.com", firstName: "First" };
    const edit = {
      [formIdField]: "edit-user",
      ...fields,
      ...own,
      intent: "save",
      version: "1",
    };
    expect(await follow(await post(path, edit))).toContain("Users updated");
    expect((await post(path, edit)).status).toBe(303);
    const late = await post(path, { ...edit, firstName: "Second" });
    expectRejection(late, 409, "Someone else changed this user after you opened it.");
    expect(late.body).toContain('value="Second"');
    expect(textsOf(late.body, "dd")).toContain("First");
    expect(late.body).toContain('name="version" value="2"');
    expect(await audited(id)).toEqual(["user.edited"]);
  });

  it("lets nobody change their own role, disable or delete themselves", async () => {
    const own = (await userOf("admin@example.com"))!;
    const path = `/app/users/${own.id}/edit`;
    const values = { ...fields, intent: "save", email: own.email as string };
    const edit = { ...values, version: String(own.version) };
    expect((await get(path)).body).toContain("You can't change your own role");
    const role = await post(path, { ...edit, role: "user" });
    expectRejection(role, 403, "You can't change your own role");
    const disabled = await post(path, { ...edit, role: "admin", disabled: "true" });
    expect(disabled.status).toBe(403);
    const deletion = await post(`/app/users/${own.id}/delete`);
    expectRejection(deletion, 403, "You can't delete yourself");
    expect(await userOf("admin@example.com")).toMatchObject({ role: "admin", is_disabled: false });
  });

  it("says of a sign-up that its address is not verified", async () => {
    const { id } = await addUser("unverified@example.com");
    await db()("users").where({ id }).update({ email_verified_at: null });
    expect((await get("/app/users?email=unverified")).body).toContain("Not verified");
  });

  it("offers everybody's deletion but one's own", async () => {
    const { body } = await get("/app/users?email=admin@example.com");
    expect(textsOf(body, "small")).toEqual(["You"]);
    expect(body).not.toContain("Delete admin@example.com");
  });

  it("sends the invitation again until it is accepted", async () => {
    const { id } = await insertUser({ email: "invited@example.com" });
    const path = `/app/users/${id}/edit`;
    expect((await get(path)).body).toContain("Resend invitation");
    expect(await follow(await post(path, { intent: "invite" }))).toContain(
      "A new invitation is on its way",
    );
    await post(path, { intent: "invite" });
    expect(await db()("tokens").where({ user_id: id })).toHaveLength(1);
    const { id: active } = await addUser("accepted@example.com");
    const refused = await post(`/app/users/${active}/edit`, { intent: "invite" });
    expectRejection(refused, 409, "This user has accepted the invitation already.");
  });
});

describe("a mail that failed", () => {
  const fail = (template: string, recipient: string, dedup_key: string) =>
    db()("outbox").insert({
      template,
      recipient,
      dedup_key,
      message_id: randomUUID(),
      data: {},
      state: "failed",
      give_up_at: new Date(),
      finished_at: new Date(),
      last_error: "Mailbox full.",
    });

  it("shows on the user's row and page with its reason, and is sent again from there", async () => {
    const { id } = await insertUser({ email: "full@example.com" });
    await fail("account_notice", "Full@example.com", "notice");
    const failed = /Account notice to Full@example\.com failed on [\d.]+ [\d:]+: Mailbox full\./;
    expect((await get("/app/users?email=full")).body).toMatch(failed);
    const own = `/app/users/${id}/edit`;
    const { body } = await get(own);
    expect(body).toMatch(failed);
    const [, action] = /action="(\/app\/jobs\/mail-\d+\/run)"/.exec(body)!;
    const sent = await post(action!, { returnTo: own });
    expect(sent.headers.location).toContain(own);
    expect(await follow(sent)).not.toMatch(failed);
  });

  it("says that an invitation needs a new link once its own has expired", async () => {
    const { id } = await insertUser({ email: "late@example.com" });
    await fail("invitation", "late@example.com", "late");
    await db()("outbox").where({ dedup_key: "late" }).update({ link_expires_at: new Date() });
    const { body } = await get(`/app/users/${id}/edit`);
    expect(body).toContain("Its link has expired: send a new one.");
    expect(body).toContain("Resend invitation");
  });

  it("shows among the reports by mail", async () => {
    await fail("report", "boss@example.com", "report 1 2026-11-25 0");
    expect((await get("/app/reports/mailing")).body).toMatch(
      /Report to boss@example\.com failed on .*: Mailbox full\..*Send again/s,
    );
  });
});

describe("a picture", () => {
  const send = async (path: string, fields: Record<string, string>, picture: File) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ idempotency_key: randomUUID(), ...fields }))
      body.set(name, value);
    body.set("photo", picture);
    return server.send(path, { method: "POST", cookie: admin.cookie, ...(await encodeForm(body)) });
  };
  const names = { firstName: "Pia", lastName: "", phoneNumber: "", role: "user" };

  it("of a new user that is sent again with another one leads to the user", async () => {
    const email = "sent-again@example.com";
    const form = { [formIdField]: "new-user", idempotency_key: randomUUID() };
    const fields = { ...form, ...names, email };
    const png = new File([new Uint8Array(await images.png())], "a.png", { type: "image/png" });
    const other = new File([new Uint8Array(await images.webp())], "b.webp", { type: "image/webp" });
    for (let sent = 0; sent < 2; sent++)
      expect(await follow(await send("/app/user/new", fields, png))).toContain("Users created");
    const user = (await userOf(email))!;
    const refused = await send("/app/user/new", fields, other);
    expectRejection(refused, 409, "This was already sent with other values.");
    expect(refused.body).toContain(`href="/app/users/${user.id}/edit"`);
    expect(refused.body).toContain("The first attempt created &quot;sent-again@example.com&quot;");
    expect((await userOf(email))!.avatar_id).toBe(user.avatar_id);
  });

  it("is chosen for a new user and changed by the form of the user", async () => {
    const email = "pictured@example.com";
    const png = new File([new Uint8Array(await images.png())], "pia.png", { type: "image/png" });
    const wrong = new File(["<svg>"], "pia.svg", { type: "image/svg+xml" });
    const refused = await send("/app/user/new", { ...names, email }, wrong);
    expectRejection(refused, 422, "Invalid format");
    const unnamed = await send("/app/user/new", { ...names, [formIdField]: "new-user" }, png);
    expectRejection(unnamed, 422, "Email is required");
    expect(unnamed.body).toContain('<a href="#photo">Choose the file again</a>');
    expect(await userOf(email)).toBeUndefined();

    const created = await send("/app/user/new", { ...names, email }, png);
    expect(await follow(created)).toContain("Users created");
    const user = (await userOf(email))!;
    const path = `/app/users/${user.id}/edit`;
    const edit = { ...names, email, intent: "save", version: String(user.version) };
    expect((await get(path)).body).toContain(`src="/app/profile/photos/${user.avatar_id}"`);
    expect((await send(path, { ...edit, firstName: "Pina" }, png)).status).toBe(303);
    const changed = (await userOf(email))!;
    expect(changed).toMatchObject({ first_name: "Pina" });
    expect(changed.avatar_id).not.toBe(user.avatar_id);
    const none = new File([], "");
    const same = { ...edit, firstName: "Pia", version: String(changed.version) };
    expect((await send(path, same, none)).status).toBe(303);
    expect((await userOf(email))!.avatar_id).toBe(changed.avatar_id);
  });
});

describe("a user that doesn't exist", () => {
  it.each(["edit", "delete"])(
    "leads from its page /%s to the list, which says so",
    async (page) => {
      for (const id of ["99999999", "nobody"]) {
        const answer = await get(`/app/users/${id}/${page}`);
        expect(answer.headers.location).toMatch(/^\/app\/users\?flash=/);
        expect(await follow(answer)).toContain("User not found.");
      }
    },
  );
});

describe("deleting a user", () => {
  it("asks, deletes and keeps the page size", async () => {
    const { id } = await addUser("gone@example.com");
    const session = await openSessionOf("gone@example.com");
    const path = `/app/users/${id}/delete?per_page=20`;
    const asked = await get(path);
    expect(asked.body).toContain("Confirm delete");
    expect(asked.body).toContain("Are you sure you want to delete this item?");
    expect(asked.body).toContain("Disagree");
    const deleted = await post(path);
    expect(deleted.headers.location).toMatch(/^\/app\/users\?per_page=20&flash=/);
    expect(await follow(deleted)).toContain("User successfully deleted");
    expect((await server.send("/app/support", { cookie: session })).status).toBe(302);
    expect(await audited(id)).toEqual(["user.deleted"]);
    const repeated = await post(path);
    expect(repeated.headers.location).toMatch(/^\/app\/users\?per_page=20&flash=/);
    expect(await follow(repeated)).toContain("This user is already deleted.");
  });

  it("keeps the results of the user's requests for their 24 hours", async () => {
    const { id } = await addUser("retries@example.com");
    const request = { userId: id, key: "key-of-the-deleted", input: { created: "twice?" } };
    let runs = 0;
    const send = () => withIdempotency(db(), request, async () => ({ run: (runs += 1) }));
    await send();
    expect((await post(`/app/users/${id}/delete`)).status).toBe(303);
    expect(await userOf("retries@example.com")).toBeUndefined();
    expect(await send()).toEqual({ result: { run: 1 }, wasReplayed: true });
    const created_at = db().raw("now() - interval '24 hours 1 second'");
    await db()("idempotency_keys").where({ user_id: id }).update({ created_at });
    expect(await send()).toEqual({ result: { run: 2 }, wasReplayed: false });
  });

  it("keeps an admin who can sign in when two delete each other at once", async () => {
    await db()("users").whereNot({ email: "admin@example.com" }).delete();
    const { id } = await addUser("unverified-admin@example.com", "admin");
    await db()("users").where({ id }).update({ email_verified_at: null });
    const other = await addUser("other-admin@example.com", "admin");
    const own = (await userOf("admin@example.com"))!;
    const theirs = sessionOf(server, await openSessionOf("other-admin@example.com"));
    const answers = await Promise.all([
      post(`/app/users/${other.id}/delete`),
      theirs.post(`/app/users/${own.id}/delete`),
    ]);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const admins = await db()("users").where({ role: "admin" }).whereNot({ id });
    expect(admins).toHaveLength(1);
  });
});
