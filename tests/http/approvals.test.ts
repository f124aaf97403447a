import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { updateAlerts } from "../../app/features/alerts/update-alerts.server";
import { insertApproval, requestedCode } from "../factories/approvals";
import { insertImport } from "../factories/imports";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { documentedCall, expectDocumented } from "../support/generated-requests";
import { formsOf } from "../support/html-forms";
import { plainBrowser } from "../support/plain-browser";
import { addUser, issueTokenOf, openSession, openSessionOf, useServer } from "../support/server";

/** Codes that wait for a second admin, on screens without scripts and in the API. */
const server = useServer();

const newUser = (role: "user" | "admin") => addUser(`${randomUUID()}@example.com`, role);
const newToken = async (role: "user" | "admin") => issueTokenOf((await newUser(role)).email);
const newBrowser = async (role: "user" | "admin") =>
  plainBrowser(server, await openSession((await newUser(role)).id));

const createCodes = (token: string, count: number, headers = {}) =>
  server.call("POST", "/api/generate_codes", {
    token,
    headers,
    body: { name: "Festival", num_codes: count, discount_type: "percentage", discount_value: 5 },
  });

const countCodes = async () => Number((await db()("promotions").count())[0]!.count);

describe("codes above the limit", () => {
  beforeAll(async () => {
    await db()("site_settings").update({ approval_codes: 3 });
    const token = await newToken("user");
    // The server reads its settings every 2 s.
    await vi.waitFor(async () => expect((await createCodes(token, 4)).status).toBe(202), {
      timeout: 20_000,
      interval: 200,
    });
  });

  it("are asked for in the form, found among the alerts, and made when another admin approves", async () => {
    const { id, email } = await newUser("user");
    const maker = plainBrowser(server, await openSession(id));
    const before = await countCodes();
    const form = await maker.open("/app/qr-generation/mass");
    const waiting = await form.press("Generate codes", {
      name: "Festival",
      num_codes: "4",
      discount_type: "percentage",
      discount_value: "20",
    });
    expect(waiting.text).toContain("Waiting for a second admin");
    expect(waiting.text).toContain("Nothing happens until another admin approves it");
    expect(waiting.hasButton("Approve request")).toBe(false);
    expect(await countCodes()).toBe(before);

    const admin = await newBrowser("admin");
    await updateAlerts(["approval_waiting"]);
    const alerts = await admin.open("/app/alerts");
    const decide = await alerts.follow(`Open request: ${email} asks for 4 codes: "Festival".`);
    const made = await decide.press("Approve request");
    expect(made.text).toContain("Approved and carried out");
    expect(made.text).toContain("Festival");
    expect(await countCodes()).toBe(before + 4);
    const again = await admin.open(decide.address);
    expect(again.hasButton("Approve request")).toBe(false);
    expect(again.text).toContain("Approved");
    // Approved codes do not count.
    const few = await (
      await maker.open("/app/qr-generation")
    ).press("Create code", {
      name: "One",
      discount_type: "percentage",
      discount_value: "5",
    });
    expect(few.text).not.toContain("Waiting for a second admin");
  });

  it("are answered with 202 and their address in the API, once for an idempotency key", async () => {
    const token = await newToken("user");
    const headers = { "Idempotency-Key": randomUUID() };
    expect((await createCodes(token, 3)).status).toBe(200);
    const [first, second] = [
      await createCodes(token, 1, headers),
      await createCodes(token, 1, headers),
    ];
    expect(first.status).toBe(202);
    const { approval } = first.json as { approval: { id: number } };
    expect(approval).toMatchObject({ state: "pending", codes: 1, mass_generation_id: null });
    expect(second.json).toEqual(first.json);
    const address = `/api/approvals/${approval.id}`;
    expect(first.headers.location).toBe(address);
    const other = await server.call("GET", address, { token: await newToken("user") });
    expect(other.status).toBe(404);

    const admin = await newBrowser("admin");
    await (await admin.open(`/app/approvals/${approval.id}`)).press("Approve request");
    const decided = await server.call("GET", address, { token });
    const { mass_generation_id: id } = decided.json as { mass_generation_id: number };
    expect(decided.json).toMatchObject({ state: "approved" });
    const generation = await server.call("GET", `/api/mass_generation/${id}`, { token });
    expect(generation.json).toMatchObject({ name: "Festival", num_codes: 1 });

    const more = await server.call("POST", `/api/mass_generation/${id}/add-codes`, {
      token,
      body: { num_codes: 2 },
    });
    expect(more.status).toBe(202);
    const added = (more.json as { approval: { id: number } }).approval;
    expect(added).toMatchObject({ kind: "added", codes: 2 });
    await (await admin.open(`/app/approvals/${added.id}`)).press("Approve request");
    const grown = await server.call("GET", `/api/mass_generation/${id}`, { token });
    expect(grown.json).toMatchObject({ num_codes: 3, added: [{ num_codes: 2, first_number: 2 }] });
  });

  it("are answered as it is documented by each call that makes them", async () => {
    const { id: userId, email } = await newUser("user");
    const token = await issueTokenOf(email);
    const made = await createCodes(token, 3);
    const generation = made.headers["content-location"]!.split("/").at(-1)!;
    const terms = { name: "Fair", num_codes: 1, discount_type: "free_drink", discount_value: 1 };
    const calls: [path: string, body?: object][] = [
      [
        "/api/create_promotion",
        { promotionName: "Fair", discount_type: "free_drink", discount: 1 },
      ],
      ["/api/generate_codes", terms],
      [`/api/mass_generation/${generation}/add-codes`, { num_codes: 1 }],
      [`/api/imports/codes/${await insertImport(userId, "checked")}/confirm`],
    ];
    for (const [path, body] of calls) {
      const answer = await server.call("POST", path, { token, body });
      expect(answer.status, path).toBe(202);
      expectDocumented(documentedCall("POST", path), answer, path);
    }
  });

  it("are counted together when requests arrive at once", async () => {
    const token = await newToken("user");
    const answers = await Promise.all(Array.from({ length: 5 }, () => createCodes(token, 1)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 202, 202]);
  });
});

describe("a request", () => {
  it("is not approved by who made it, nor twice, nor once it was refused", async () => {
    const own = await newUser("admin");
    const id = await insertApproval(own.id);
    const cookie = await openSession(own.id);
    const approve = (by: string) =>
      server.send(`/app/approvals/${id}`, {
        method: "POST",
        cookie: by,
        body: { intent: "approve" },
      });
    expect((await approve(cookie)).status).toBe(409);
    const other = await openSession((await newUser("admin")).id);
    const page = await plainBrowser(server, other).open(`/app/approvals/${id}`);
    const refusal = formsOf(page.html, page.address).find(({ intents }) =>
      intents.includes("refuse"),
    )!;
    expect(refusal.fields.map(({ name }) => name)).not.toContain("password");
    const refused = await page.press("Refuse request");
    expect(refused.text).toContain("Request refused. Nothing was changed.");
    expect((await approve(other)).status).toBe(409);
    expect(await db()("approvals").where({ id }).first()).toMatchObject({ state: "refused" });
  });

  it("is made once when two admins approve at the same time", async () => {
    const { id: userId } = await newUser("user");
    const id = await insertApproval(userId);
    const before = await countCodes();
    const cookies = [
      await openSession((await newUser("admin")).id),
      await openSession((await newUser("admin")).id),
    ];
    const answers = await Promise.all(
      cookies.map((cookie) =>
        server.send(`/app/approvals/${id}`, {
          method: "POST",
          cookie,
          body: { intent: "approve" },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await countCodes()).toBe(before + 1);
  });

  it("is listed for who made it and for admins, and for nobody else", async () => {
    const { id: userId } = await newUser("user");
    await insertApproval(userId, { name: "Asked by one user" });
    const listOf = async (cookie: string) =>
      (await plainBrowser(server, cookie).open("/app/approvals")).text;
    expect(await listOf(await openSession(userId))).toContain("Asked by one user");
    await insertApproval(userId, {
      name: "Asked with an end",
      input: {
        ...requestedCode("Asked with an end"),
        discountType: "free_drink",
        discountValue: 2,
        expirationDate: "2098-12-31",
      },
    });
    const list = await (await newBrowser("admin")).open("/app/approvals");
    const ending = await list.follow("Asked with an end");
    expect(ending.text).toContain("valid until 31.12.2098 23:59 (");
    expect(ending.text).toContain("Uses of each2");
    expect(list.text).toContain("Waiting for a second admin");
    expect(list.text).toMatch(/\d requests?/);
    const decide = await list.follow("Asked by one user");
    expect(decide.hasButton("Approve request")).toBe(true);
    for (const term of [
      "5% off",
      "eachUnlimited",
      "StartNone",
      "ExpirationNone",
      "Redeemable at0 machines",
    ])
      expect(decide.text).toContain(term);
    const stranger = await newUser("user");
    expect(await listOf(await openSession(stranger.id))).toContain("No requests yet");
  });

  it.each([
    ["mass", "/app/qr-generation/1", "Open campaign"],
    ["import", "/app/imports/1", "Open import"],
  ])("of the kind %s leads to %s once it was carried out", async (kind, result, label) => {
    const { id } = await newUser("user");
    const decided = { state: "approved", decided_by: "a@example.com", decided_at: new Date() };
    const input = { ...requestedCode("Made"), id: "1" };
    const request = await insertApproval(id, { kind, input, result, ...decided });
    const page = await plainBrowser(server, await openSession(id)).open(
      `/app/approvals/${request}`,
    );
    expect(page.html).toMatch(new RegExp(`href="${result}"[^>]*>${label}<`));
  });

  it("names the group that it wants codes for, and can't be approved once that is deleted", async () => {
    const { id: userId } = await newUser("user");
    const machines = [await insertMachine(), await insertMachine()];
    const groupId = await insertGroup(
      machines.map(({ id }) => id),
      { name: "Route Nord" },
    );
    const { serial_number: machine } = await insertMachine({ human_name: "Lobby" });
    const input = { ...requestedCode("Grouped"), machines: [machine], groups: [groupId] };
    const id = await insertApproval(userId, { name: "Grouped", input });
    const admin = await newBrowser("admin");
    const page = await admin.open(`/app/approvals/${id}`);
    expect(page.text).toContain("Redeemable at3 machines: group Route Nord, Lobby");
    const deletion = await admin.open(`/app/machine-groups/${groupId}/delete`);
    expect(deletion.text).toContain(
      "1 request for codes for this group waits for a second admin, and can't be approved without it.",
    );
    await deletion.press("Delete group");
    const without = await admin.open(page.address);
    expect(without.text).toContain("Redeemable at1 machine: Lobby");
    expect(without.text).toContain("A chosen group was deleted. The request can't be approved.");
  });

  it.each([
    ["has expired", { expirationDate: "2020-01-01" }, "Date cannot be in the past."],
    ["should have started", { startsAt: "2020-01-01T00:00" }, "Start cannot be in the past."],
    ["is for a group that is gone", { groups: ["999999"] }, "A chosen group no longer exists."],
  ])(
    "can only be refused if its code %s by now, and says so without a link",
    async (_, term, why) => {
      const { id: userId } = await newUser("user");
      const input = { ...requestedCode("Late"), ...term };
      const id = await insertApproval(userId, { name: "Late", input });
      const page = await (await newBrowser("admin")).open(`/app/approvals/${id}`);
      const kept = await page.press("Approve request");
      expect(kept.status).toBe(422);
      expect(kept.text).toContain(why);
      expect(kept.text).toContain("Refuse this request.");
      for (const field of ["expiration_date", "starts_at", "groups"])
        expect(kept.html).not.toContain(`href="#${field}"`);
    },
  );

  it("is withdrawn by who made it, and by nobody else", async () => {
    const { id: userId } = await newUser("user");
    const id = await insertApproval(userId);
    const path = `/app/approvals/${id}`;
    const [cookie, ownCookie] = [
      await openSession((await newUser("admin")).id),
      await openSession(userId),
    ];
    const [admin, own] = [plainBrowser(server, cookie), plainBrowser(server, ownCookie)];
    const statusOf = async (by: string, intent: string) =>
      (await server.send(path, { method: "POST", cookie: by, body: { intent } })).status;
    const asked = await admin.open(path);
    expect(asked.hasButton("Withdraw request")).toBe(false);
    expect(await statusOf(cookie, "withdraw")).toBe(409);
    for (const intent of ["approve", "refuse"]) expect(await statusOf(ownCookie, intent)).toBe(403);
    const page = await own.open(path);
    const withdrawn = await page.press("Withdraw request");
    expect(withdrawn.text).toContain("Request withdrawn");
    expect(withdrawn.hasButton("Withdraw request")).toBe(false);
    expect(withdrawn.text).toContain("Withdrawn");
    await db()("users").where({ id: userId }).update({ email: "moved@example.com" });
    expect(await own.open("/app/approvals").then(({ text }) => text)).toContain("Withdrawn");
    const refused = await asked.press("Approve request");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("This request was decided before");
    expect(refused.hasButton("Approve request")).toBe(false);
    expect(await db()("approvals").where({ id }).first()).toMatchObject({ state: "refused" });
  });

  it("can only be refused if the person who asked was disabled since", async () => {
    const { id: userId } = await newUser("user");
    const id = await insertApproval(userId);
    await db()("users").where({ id: userId }).update({ is_disabled: true });
    const page = await (await newBrowser("admin")).open(`/app/approvals/${id}`);
    const kept = await page.press("Approve request");
    expect(kept.status).toBe(409);
    expect(kept.text).toContain("may no longer make it");
  });
});

describe("the limit", () => {
  it("is changed by two admins, and never where there is one", async () => {
    await db()("site_settings").update({ approval_codes: null });
    await db()("users").where({ role: "admin" }).whereNot({ email: "admin@example.com" }).update({
      is_disabled: true,
    });
    const one = plainBrowser(server, await openSessionOf());
    const alone = await (
      await one.open("/app/settings")
    ).press("Save settings", {
      approvalCodes: "100",
    });
    expect(alone.status).toBe(422);
    expect(alone.text).toContain("This needs a second admin, and there is none");
    await insertUser({ role: "admin", password_hash: null, email_verified_at: null });
    const invited = await alone.press("Save settings", { approvalCodes: "100" });
    expect(invited.text).toContain("This needs a second admin, and none has signed in yet");

    const other = await newBrowser("admin");
    const waiting = await alone.press("Save settings", { approvalCodes: "100" });
    expect(waiting.text).toContain("waits for a second admin");
    expect(await db()("site_settings").first()).toMatchObject({ approval_codes: null });
    const page = await one.open("/app/settings");
    expect(page.text).toContain("Waits for a second adminLimit of 100 codes in 24 hours");
    const again = await page.press("Save settings", { approvalCodes: "100" });
    expect(again.address.split("?")[0]).toBe(waiting.address.split("?")[0]);
    expect(await db()("approvals").where({ kind: "limit" })).toHaveLength(1);
    const decide = await other.open(waiting.address);
    const settings = await decide.press("Approve request");
    expect(settings.valuesOf("approvalCodes")).toEqual(["100"]);
    await (await other.open(waiting.address)).follow("Open settings");

    const { body } = await server.send("/app/users", { cookie: await openSessionOf() });
    expect(body).toContain("admin@example.com");
    const last = await db()("users")
      .where({ role: "admin", is_disabled: false })
      .whereNotNull("password_hash")
      .orderBy("id");
    expect(last).toHaveLength(2);
    const token = await issueTokenOf();
    const removal = await server.call("DELETE", `/users/${last.at(-1).id}`, { token });
    expect(removal.status).toBe(409);
    expect(removal.json).toMatchObject({ error: expect.stringContaining("one of two") });
  });
});
