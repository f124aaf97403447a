import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { startPlatform } from "../support/platform";
import { issueTokenOf, useServer } from "../support/server";
import { expectRejection, useSession, type Fields } from "../support/session";

/** A promotion's machines through the API, and in the dialog without scripts. */
const platform = await startPlatform({ machines: [] });
afterAll(() => platform.stop());
const server = useServer({ environment: platform.environment });
let token = "";
const session = useSession(server);
const other = useSession(server, "other@example.com");
const { follow } = session;
let id = "";

beforeAll(async () => {
  token = await issueTokenOf();
  await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  await insertMachine({ serial_number: "VM-2", human_name: "Canteen" });
  await insertMachine({ serial_number: "VM-3", human_name: "Cellar", is_deleted: true });
  await insertMachine({ serial_number: "V/M 4%", human_name: "<b>Attic</b>" });
  id = await insertPromotion({ name: "Lobby summer" });
});

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token, body });

const add = (machines: unknown, more: object = {}) =>
  call("POST", `/api/promotion/${id}/add-machines`, { machines, ...more });
const serials = (machines: { serialNumber: string }[]) =>
  machines.map(({ serialNumber }) => serialNumber);

describe("the API", () => {
  it("lists the machines of assigned groups too, each once", async () => {
    const member = await insertMachine({ serial_number: "VM-G1" });
    const direct = await insertMachine({ serial_number: "VM-G2" });
    const group = await insertGroup([member.id, direct.id]);
    const promotion = await insertPromotion();
    await assign("promotions", promotion, { machine_id: direct.id }, { group_id: group });
    const { json } = await call("GET", `/api/promotion/${promotion}/machines`);
    expect(serials(json)).toEqual(["VM-G1", "VM-G2"]);
  });

  it("answers the machines as they are, whatever their serial numbers hold", async () => {
    const added = await add([
      { serialNumber: "VM-2", humanName: "Canteen" },
      { serialNumber: "VM-1", humanName: "another name" },
      { serialNumber: "V/M 4%" },
    ]);
    expect(added.json[1]).toEqual({
      serialNumber: "VM-1",
      humanName: "Lobby",
      lastQrUsed: null,
      activePromotions: 0,
      isDeleted: false,
    });
    expect((await call("GET", `/api/promotion/${id}`)).json.machines).toContain("VM-1");
    const path = `/api/promotion/${id}/machines`;
    for (let time = 0; time < 2; time++) {
      const removed = await call("DELETE", `${path}/V%2FM%204%25`);
      expect([removed.status, serials(removed.json)]).toEqual([200, ["VM-1", "VM-2"]]);
    }
    expect((await call("DELETE", path)).json).toEqual([]);
  });

  const noList = "Machines must be a list of {serialNumber, humanName}";
  const lists: [unknown, string][] = [
    [undefined, noList],
    ["VM-1", noList],
    [["VM-1"], noList],
    [[{ serialNumber: 1 }], noList],
    [[{ serialNumber: "VM-1", id: 7 }], noList],
    [[], "Choose at least one machine."],
    [[{ serialNumber: "VM-1" }, { serialNumber: "VM-3" }], "Not available: VM-3. Nothing was"],
    [[{ serialNumber: "a\0" }], "A serial number is not valid"],
    [[{ serialNumber: "\ud800" }], "A serial number is not valid"],
  ];
  it.each(lists)("refuses %j", async (machines, sentence) => {
    const { status, json } = await add(machines);
    expect(status).toBe(422);
    expect(json).toMatchObject({ fields: { machines: expect.stringContaining(sentence) } });
    expect((await call("GET", `/api/promotion/${id}/machines`)).json).toEqual([]);
  });

  it.each<[unknown, string]>([
    [[], "Choose at least one group."],
    [[1.5], "Groups must be a list of ids"],
    [[1e20], "Groups must be a list of ids"],
  ])("refuses the groups %j by the name of their field", async (groups, sentence) => {
    const { status, json } = await call("POST", `/api/promotion/${id}/add-groups`, { groups });
    expect([status, json.fields]).toEqual([422, { groups: sentence }]);
  });

  it("refuses fields that it doesn't know, and what is no JSON", async () => {
    expect(await add([{ serialNumber: "VM-1" }], { role: "admin" })).toMatchObject({ status: 422 });
    const path = `/api/promotion/${id}/add-machines`;
    expect((await call("POST", path, "{")).status).toBe(400);
    expect((await call("POST", path, "[]")).status).toBe(400);
    expect((await call("POST", path)).status).toBe(415);
  });

  it.each([
    ["GET", "machines"],
    ["DELETE", "machines"],
    ["DELETE", "machines/VM-1"],
    ["POST", "add-machines"],
  ])("%s %s of what is no promotion is 404", async (method, path) => {
    const body = method === "POST" ? { machines: [{ serialNumber: "VM-1" }] } : undefined;
    for (const wrong of ["999999", "9223372036854775808"]) {
      const answer = await call(method, `/api/promotion/${wrong}/${path}`, body);
      expect(answer.status).toBe(404);
      expect(answer.json).toEqual({ error: "Error: Promotion not found" });
    }
  });

  it("says that a machine is unknown, and that a promotion is deleted", async () => {
    const unknown = await call("DELETE", `/api/promotion/${id}/machines/nowhere`);
    expect([unknown.status, unknown.json]).toEqual([404, { error: "Machine not found" }]);
    const deleted = await insertPromotion({ is_deleted: true });
    const answer = await call("DELETE", `/api/promotion/${deleted}/machines`);
    const error = "This code is deleted. Its machines can't be changed.";
    expect([answer.status, answer.json]).toEqual([409, { error }]);
  });
});

describe("the dialog, posted by hand", () => {
  const at = (query = "") => `/app/qr-list/${id}/machines${query}`;
  const post = (fields: Fields, query = "") => session.post(at(query), fields);

  it("keeps the list's address and what was searched", async () => {
    const added = await post(
      { intent: "add", machines: ["VM-1", "VM-2"], machine_search: "lob" },
      "?sort=-name&per_page=10",
    );
    expect(added.status).toBe(303);
    expect(added.headers.location).toMatch(
      /machines\?sort=-name&per_page=10&machine_search=lob&flash=/,
    );
    const page = await follow(added);
    expect(page).toContain("Machines successfully added");
    expect(page).toContain('value="remove:VM-1"');
    expect(page).toContain("/app/qr-list?sort=-name&per_page=10");
  });

  it("shortens a search that is too long for an address", async () => {
    const search = { machine_search: "a".repeat(5_000) };
    const added = await post({ intent: "add", machines: "VM-1", ...search });
    expect([added.status, added.headers.location!.length < 400]).toEqual([303, true]);
  });

  it("carries ticks through a search, and counts them", async () => {
    const page = await session.page(at("?machine_search=x&machines=V%2FM+4%25&machines=gone"));
    expect(page).toContain("Selected: 1");
    expect(page).not.toContain("<b>Attic</b>");
  });

  it("keeps the ticks among the available machines when another button is pressed", async () => {
    const promotion = await insertPromotion();
    const assigned = (await db()("machines").where({ serial_number: "VM-1" }).first("id")).id;
    await assign("promotions", promotion, { machine_id: assigned });
    const dialog = await session.open(`/app/qr-list/${promotion}/machines`);
    const ticks = { machines: ["VM-2", "V/M 4%"] };
    const removed = await dialog.press("Remove Lobby, VM-1", ticks);
    expect(removed.text).toContain("Machine successfully removed");
    expect(removed.text).toContain("Selected: 2");
    const found = await removed.press("Search", { machine_search: "can" });
    expect(found.text).toContain("Selected: 2");
    const added = await found.press("Add Selected");
    expect(added.text).toContain("Machines successfully added");
    expect(added.text).toContain("Selected: 0");
  });

  it("keeps hundreds of ticks when another button is pressed", async () => {
    const machines = Array.from({ length: 300 }, (_, number) => `TICKED-${number}`);
    const path = `/app/qr-list/${await insertPromotion()}/machines`;
    const removed = await session.post(path, { intent: "remove:VM-1", machines });
    expect(removed.status).toBe(303);
    expect(
      new URL(removed.headers.location!, server.origin).searchParams.getAll("machines"),
    ).toEqual(machines);
    expect(await follow(removed)).toContain("Machine successfully removed");
  });

  it("leaves its search, ticks and question to itself: the list below it has links without them", async () => {
    const other = await insertPromotion({ name: "Other code" });
    const list = "?type=single&per_page=10";
    const dialog = await session.open(
      at(`${list}&machine_search=x&machines=VM-1&groups=1&question=1`),
    );
    expect(dialog.text).toContain("Selected: 1");
    expect(dialog.hrefOf("Machines of Other code")).toBe(`/app/qr-list/${other}/machines${list}`);
    const view = `${list}&sort=-created&hide=-&show=-`;
    expect(dialog.hrefOf("Save this view")).toBe(`/app/qr-list/views${view}`);
  });

  it("refuses with the page as it was", async () => {
    const refused = await post({ intent: "add", machines: ["V/M 4%", "VM-3"] });
    expectRejection(refused, 422, "Not available: VM-3. Nothing was added.");
    expect(refused.body).toContain("<title>Error: Manage Machines");
    expect(refused.body).toContain("Selected: 1");
    expect((await post({ intent: "add" })).body).toContain("Choose at least one machine.");
  });

  it("removes one, asks before it removes all", async () => {
    const removed = await post({ intent: "remove:VM-1" });
    expect(await follow(removed)).toContain("Machine successfully removed");
    expect(await session.page(at("?question=1"))).toContain(
      "Are you sure you want to unassign all machines from this promotion?",
    );
    const cleared = await post({ intent: "unassign-all" });
    expect(await follow(cleared)).toContain("All machines successfully unassigned");
  });

  it("refreshes from the platform, once in 30 s", async () => {
    platform.machines = [
      { serialNumber: "VM-1", humanName: "Lobby, ground floor" },
      { serialNumber: "VM-2", humanName: "Canteen" },
      { serialNumber: "V/M 4%", humanName: "<b>Attic</b>" },
    ];
    expect(await follow(await post({ intent: "refresh" }))).toContain(
      "Data refreshed successfully",
    );
    expect(await follow(await post({ intent: "refresh" }))).toMatch(
      /Please wait (29|30) seconds before refreshing again\./,
    );
    expect(await session.page(at())).toContain("Lobby, ground floor");
  });

  it("says that a refresh has failed, and why", async () => {
    platform.mode = "error";
    const refused = await other.post(at(), { intent: "refresh" });
    platform.mode = "ok";
    const reason = "SmartVend answers with an error (status 500).";
    expectRejection(refused, 503, `Failed to refresh machines list: ${reason}`);
    expect(refused.body).toContain("Lobby, ground floor");
  });

  it("does nothing for another intent, and shows what was ticked", async () => {
    const before = await db()("audit_log").where({ subject_id: id }).count();
    const restored = await post({ machines: "VM-2", intent: "restore" });
    expect(restored.status).toBe(200);
    expect(restored.body).toContain("Selected: 1");
    expect(restored.body).toContain("You were signed out, so nothing was done.");
    expect(await db()("audit_log").where({ subject_id: id }).count()).toEqual(before);
  });

  it("is read-only for a deleted promotion, and 404 for none", async () => {
    const deleted = await insertPromotion({ is_deleted: true });
    const page = await session.page(`/app/qr-list/${deleted}/machines`);
    expect(page).toContain("This code is deleted. Its machines can't be changed.");
    expect(page).not.toContain("Add Selected");
    expect((await session.get("/app/qr-list/999999/machines")).status).toBe(404);
  });
});

describe("a copy", () => {
  it("fills the form, without a name", async () => {
    const source = await insertPromotion({
      name: "Copied <one>",
      discount_value: 37,
      is_single_use: true,
      expires_at: new Date("2099-12-31T23:00:00Z"),
    });
    await call("POST", `/api/promotion/${source}/add-machines`, {
      machines: [{ serialNumber: "VM-2" }],
    });
    const text = await session.page(`/app/qr-generation?from=${source}`);
    expect(text).toContain("A copy of Copied &lt;one&gt; (");
    expect(text).toContain('value="37"');
    expect(text).toMatch(/<input[^>]*name="is_single_use"[^>]*checked=""/);
    expect(text).toMatch(/<input[^>]*(value="VM-2"[^>]*checked=""|checked=""[^>]*value="VM-2")/);
    expect(text).not.toMatch(/name="promotionName"[^>]*value="[^"]/);
  });

  it("shows the plain form with a note when there is nothing to copy", async () => {
    for (const wrong of ["999999", "x", "", "%00"]) {
      const page = await session.get(`/app/qr-generation?from=${wrong}`);
      expect(page.status).toBe(200);
      expect(page.body).toContain("The code to copy was not found. This form is empty.");
    }
  });
});
