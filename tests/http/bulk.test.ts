import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { finishOperation } from "../../app/features/promotions/lifecycle/lifecycle-operations.server";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { addUser, fingerprint, useServer } from "../support/server";

/** Bulk actions with nothing but HTTP: no browser, no script. */
const server = useServer();
const bulk = "/app/qr-list/bulk";
let cookie = "";
let userCookie = "";

beforeAll(async () => {
  cookie = await server.signIn();
  await addUser("user@example.com");
  userCookie = await server.signIn("user@example.com");
  await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
});
beforeEach(() => db()("promotions").delete());

/** Opens the confirmation, which the list's form leads to. */
async function open(query: string) {
  const { headers } = await server.send(`${bulk}?${query}`, { cookie });
  const location = headers.location!;
  const page = await follow(location);
  const apply = (fields: Record<string, string> = {}, who = cookie) =>
    server.send(location, { method: "POST", cookie: who, body: { intent: "apply", ...fields } });
  return { location, page, apply };
}

const follow = (location: string | undefined) => server.send(location!, { cookie });

const insertNamed = async (count: number) => {
  const ids: string[] = [];
  for (let made = 1; made <= count; made++)
    ids.push(await insertPromotion({ name: `No. ${made}` }));
  return ids;
};

describe("a bulk action", () => {
  it("shows the codes, is done once and says what was not changed", async () => {
    const ids = [
      ...(await insertNamed(1)),
      await insertPromotion({ name: "Off", is_active: false }),
    ];
    const { location, page, apply } = await open(
      `ids=${ids.join("&ids=")}&intent=deactivate&page=2`,
    );
    expect(location).toMatch(/^\/app\/qr-list\/bulk\/\d+\?page=2$/);
    expect(page.body).toContain(">Deactivate 1 code</h1>");
    expect(page.body).toContain("Machines will refuse this code until an admin reactivates it.");
    expect(page.body).toContain(">No. 1</a> (");
    expect(page.body).toMatch(
      />Off \(<code[^>]*>[-2-9A-Z]{14}<\/code>\): It is already inactive\.</,
    );
    expect(page.body).not.toContain('href="/app/qr-list/bulk"');
    expect(page.body).toMatch(/aria-current="page"[^>]*>Deactivate 1 code</);
    const [first, second] = [await apply(), await apply()];
    expect([first.status, first.headers.location]).toEqual([303, location]);
    expect(second.headers.location).toBe(location);
    const result = await follow(location);
    expect(result.body).toContain(">1 code deactivated</h1>");
    expect(result.body).toContain("Done: 1 code was changed, 1 code was not.");
    expect(result.body).toContain(">Off<");
    expect(await db()("audit_log").where({ action: "promotion.deactivated" })).toHaveLength(1);
    expect((await server.send(location, { cookie: userCookie })).status).toBe(404);
    expect((await apply({}, userCookie)).status).toBe(404);
  });

  it("takes several codes from one parameter, but no more than 1,000", async () => {
    const ids = await insertNamed(3);
    const { page } = await open(`ids=${ids.slice(0, 2).join(".")}&ids=${ids[2]}&intent=delete`);
    expect(page.body).toContain(">Delete 3 codes</h1>");
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1).join(".");
    const refused = await server.send(`${bulk}?ids=${many}&intent=delete`, { cookie });
    expect((await follow(refused.headers.location)).body).toContain("The selection is not valid.");
  });

  it("names ten codes and the number of the others", async () => {
    const ids = await insertNamed(14);
    const { page } = await open(`ids=${ids.join("&ids=")}&intent=delete`);
    expect(page.body).toContain(">No. 10</a> (");
    expect(page.body).not.toContain("No. 11 (");
    expect(page.body).toContain("and 4 more");
  });

  it("says when no code can be changed, and when none could be any more", async () => {
    const ids = await insertNamed(2);
    const query = `ids=${ids.join("&ids=")}&intent=delete`;
    const [one, other] = [await open(query), await open(query)];
    await one.apply();
    expect((await follow(one.location)).body).toContain("Done: 2 codes were changed.");
    await other.apply();
    const { body } = await follow(other.location);
    expect(body).toContain(">No codes changed</h1>");
    expect(body).toContain("2 codes: It is already deleted.");
    const late = await open(query);
    expect(late.page.body).toContain(">No code can be changed</h1>");
    expect(late.page.body).not.toContain('value="apply"');
  });

  it("shows its progress until the last code is done", async () => {
    const ids = await insertNamed(3);
    const { location } = await open(`ids=${ids.join("&ids=")}&intent=deactivate`);
    const operationId = /\/(\d+)$/.exec(location)![1]!;
    // Stopped between two chunks, as by a crash.
    await db()("lifecycle_operations")
      .where({ id: operationId })
      .update({ started_at: new Date(), position: 1 });
    const { body } = await follow(location);
    expect(body).toContain(">Deactivating 3 codes</h1>");
    expect(body).toMatch(
      /<progress [^>]*value="1"[^>]*max="3"|<progress [^>]*max="3"[^>]*value="1"/,
    );
    expect(body).toContain("25% done");
    expect(body).toContain("1 of 3 codes done.");
    expect(body).not.toContain("deactivated");
    await finishOperation(operationId);
    expect((await follow(location)).body).toContain(">3 codes deactivated</h1>");
  });

  it("extends the expiry with the rules of a date", async () => {
    const id = await insertPromotion({ expires_at: new Date("2027-01-01T00:00:00Z") });
    const { apply } = await open(`ids=${id}&intent=extend`);
    for (const [typed, sentence] of [
      ["", "Date is required"],
      ["31/02/2099", "Invalid date"],
      ["01/01/2020", "Date cannot be in the past"],
    ] as const) {
      const refused = await apply({ expiration_date: typed });
      expect(refused.status).toBe(422);
      expect(refused.body).toContain(sentence);
      expect(refused.body).toContain(`value="${typed}"`);
      expect(refused.body).toContain("<title>Error: ");
    }
    const done = await apply({ expiration_date: "31/12/2099" });
    expect((await follow(done.headers.location)).body).toContain("Expiry of 1 code extended");
    const row = await db()("promotions").where({ id }).first<{ expires_at: Date }>();
    expect(row.expires_at.toISOString()).toBe("2099-12-31T23:00:00.000Z");
  });

  it("adds to machines and groups, with the selector's buttons in between", async () => {
    const id = await insertPromotion();
    const group = await insertGroup();
    const { location, apply } = await open(`ids=${id}&intent=assign`);
    expect((await apply()).body).toContain("Choose at least one machine or group");
    const all = await apply({ intent: "select-all" });
    expect(all.status).toBe(200);
    expect(all.body).toMatch(/<input[^>]*name="machines"[^>]*checked=""[^>]*value="VM-1"/);
    await apply({ machines: "VM-1", groups: group });
    expect((await follow(location)).body).toContain("1 code added to machines and groups");
    expect(await db()("assignments").select("machine_id", "group_id")).toHaveLength(2);
  });

  it("changes exactly what its confirmation counted", async () => {
    await insertPromotion({ name: "Autumn" });
    const { location, apply } = await open("text=autumn&all=true&intent=delete");
    await insertPromotion({ name: "Autumn too" });
    await apply();
    expect((await follow(location)).body).toContain(">1 code deleted</h1>");
    expect(await db()("promotions").where({ is_deleted: true })).toHaveLength(1);
  });
});

describe("what can't be", () => {
  it("leads back to the list with a sentence when nothing is ticked", async () => {
    const answer = await server.send(`${bulk}?ticked=1&intent=delete&text=a`, { cookie });
    expect(answer.headers.location).toMatch(/^\/app\/qr-list\?text=a&flash=/);
    expect((await follow(answer.headers.location)).body).toContain("Select at least one code");
  });

  it("leads back to the list with a sentence when the action or the selection is not known", async () => {
    for (const [query, kept, message] of [
      ["ticked=1&intent=explode&ids=1&text=a", "\\?text=a&", "This action is not known."],
      ["", "\\?", "This action is not known."],
      [
        "intent=delete&all=true&status=golden",
        "\\?status=golden&",
        "The value of &#x27;status&#x27;",
      ],
      ["intent=delete&ids=x", "\\?", "The selection is not valid. Select the codes again."],
    ] as const) {
      const { location } = (await server.send(`${bulk}?${query}`, { cookie })).headers;
      expect(location).toMatch(new RegExp(`^/app/qr-list${kept}flash=`));
      expect((await follow(location)).body).toContain(message);
    }
  });

  it("is refused and changes nothing", async () => {
    const id = await insertPromotion({ is_deleted: true });
    const before = await fingerprint();
    for (const [query, status, who] of [
      [`intent=restore&ids=${id}`, 403, userCookie],
      [`intent=reactivate&ids=${id}`, 403, userCookie],
    ] as const) {
      const answer = await server.send(`${bulk}?${query}`, { cookie: who });
      expect(answer.status, query).toBe(status);
    }
    expect(await fingerprint()).toBe(before);
  });
});
