import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { runChunks } from "../../app/features/promotions/lifecycle/lifecycle-operations.server";
import { formIdField } from "../../app/forms/validator";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { textsOf } from "../support/html";
import { useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";
import { rowById } from "../factories/rows";

/** Bulk actions with nothing but HTTP: no browser, no script. */
const server = useServer();
const bulk = "/app/qr-list/bulk";
const unknown = "This action is not known.";
const admin = useSession(server);
const user = useSession(server, "user@example.com");
const { get, page } = admin;

beforeAll(() => insertMachine({ serial_number: "VM-1", human_name: "Lobby" }));
beforeEach(() => db()("promotions").delete());

/** Opens the confirmation, which the list's form leads to. */
async function open(query: string) {
  const location = (await get(`${bulk}?${query}`)).headers.location!;
  const apply = (fields: Record<string, string> = {}, by = admin) =>
    by.post(location, { [formIdField]: "bulk-action", intent: "apply", ...fields });
  return { location, confirmation: await page(location), apply };
}

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
    const { location, confirmation, apply } = await open(
      `ids=${ids.join("&ids=")}&intent=deactivate&page=2`,
    );
    expect(location).toMatch(/^\/app\/qr-list\/bulk\/\d+\?page=2$/);
    expect(confirmation).toContain(">Deactivate 1 code</h1>");
    expect(confirmation).toContain("Machines will refuse this code until an admin reactivates it.");
    expect(confirmation).toContain(">No. 1</a> (");
    expect(confirmation).toMatch(
      />Off \(<code[^>]*>[-2-9A-Z]{14}<\/code>\): It is already inactive\.</,
    );
    expect(confirmation).not.toContain('href="/app/qr-list/bulk"');
    expect(confirmation).toMatch(/aria-current="page"[^>]*>Deactivate 1 code</);
    const [first, second] = [await apply(), await apply()];
    expect([first.status, first.headers.location]).toEqual([303, location]);
    expect(second.headers.location).toBe(location);
    const result = await page(location);
    expect(result).toContain(">1 code deactivated</h1>");
    expect(result).toContain("Done: 1 code was changed, 1 code was not.");
    expect(result).toContain(">Off<");
    expect(await db()("audit_log").where({ action: "promotion.deactivated" })).toHaveLength(1);
    const undone = await admin.post(location, { intent: "undo" });
    expect(await page(undone.headers.location!)).toContain(">1 code reactivated</h1>");
    expect((await user.get(location)).status).toBe(404);
    expect((await apply({}, user)).status).toBe(404);
  });

  it("says on its page that a user can't undo it after ten minutes", async () => {
    const [id] = await insertNamed(1);
    const list = await user.open(`${bulk}?ids=${id}&intent=deactivate`);
    const done = await list.press("Deactivate 1 code");
    await db()("lifecycle_operations").update({
      started_at: db().raw("started_at - interval '10 minutes'"),
    });
    const refused = await done.press("Reactivate 1 code");
    expectRejection(refused, 409, "This can no longer be undone. Ask an admin to do it.");
  });

  it("says that a campaign was deactivated whose codes another bulk action deactivates, and undoes it", async () => {
    const generation = await insertGeneration({ num_codes: 2 });
    const [first, second] = await insertCodes(generation, 2);
    const whole = await open(`ids=${first}.${second}&intent=deactivate`);
    await open(`ids=${first}&intent=deactivate`);
    await rowById("promotions", second).update({ is_active: false });
    // Stopped before its first chunk, as by a crash.
    const [latest] = await db()("lifecycle_operations").max("id as id");
    await db()("lifecycle_operations").where(latest!).update({ started_at: new Date() });
    await whole.apply();
    const result = await page(whole.location);
    expect(result).toContain(">1 mass generation deactivated</h1>");
    expect(result).toContain("Done: 1 mass generation was changed, 2 codes were not.");
    expect(result).toContain("Reactivate 1 mass generation");
    const undone = await admin.post(whole.location, { intent: "undo" });
    expect(await page(undone.headers.location!)).toContain(">1 mass generation reactivated</h1>");
  });

  it("takes several codes from one parameter, but no more than 1,000", async () => {
    const ids = await insertNamed(3);
    const { confirmation } = await open(
      `ids=${ids.slice(0, 2).join(".")}&ids=${ids[2]}&intent=delete`,
    );
    expect(confirmation).toContain(">Delete 3 codes</h1>");
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1).join(".");
    const refused = await open(`ids=${many}&intent=delete`);
    expect(refused.confirmation).toContain("The selection is not valid.");
  });

  it("names ten codes and the number of the others", async () => {
    const ids = await insertNamed(12);
    const { confirmation } = await open(`ids=${ids.join("&ids=")}&intent=delete`);
    expect(confirmation).toContain(">No. 10</a> (");
    expect(confirmation).not.toContain(">No. 11</a>");
    expect(confirmation).toContain("and 2 more");
  });

  it("says when no code can be changed, and when none could be any more", async () => {
    const ids = await insertNamed(2);
    const query = `ids=${ids.join("&ids=")}&intent=delete`;
    const [one, other] = [await open(query), await open(query)];
    await one.apply();
    expect(await page(one.location)).toContain("Done: 2 codes were changed.");
    await other.apply();
    const body = await page(other.location);
    expect(body).toContain(">No codes changed</h1>");
    expect(body).toContain("2 codes: It is already deleted.");
    const late = await open(query);
    expect(late.confirmation).toContain(">No code can be changed</h1>");
    expect(late.confirmation).not.toContain('value="apply"');
  });

  it("shows its progress until the last code is done", async () => {
    const ids = await insertNamed(3);
    const { location } = await open(`ids=${ids.join("&ids=")}&intent=deactivate`);
    const operationId = /\/(\d+)$/.exec(location)![1]!;
    // Stopped between two chunks, as by a crash.
    await rowById("lifecycle_operations", operationId).update({
      started_at: new Date(),
      position: 1,
    });
    const body = await page(location);
    expect(body).toContain(">Deactivating 3 codes</h1>");
    expect(body).toMatch(
      /<progress [^>]*value="1"[^>]*max="3"|<progress [^>]*max="3"[^>]*value="1"/,
    );
    expect(body).toContain("25% done");
    expect(body).toContain("1 of 3 codes done.");
    expect(body).not.toContain("deactivated");
    await runChunks(operationId);
    expect(await page(location)).toContain(">3 codes deactivated</h1>");
  });

  it("extends the expiry with the rules of a date", async () => {
    const id = await insertPromotion({ expires_at: new Date("2027-01-01T00:00:00Z") });
    const { apply } = await open(`ids=${id}&intent=extend`);
    for (const [typed, sentence] of [
      ["", "Date is required"],
      ["31/02/2099", "Invalid date. 31/02/2099 doesn't exist: Feb 2099 has 28 days"],
      ["01/01/2020", "Date cannot be in the past"],
    ] as const) {
      const refused = await apply({ expiration_date: typed });
      expectRejection(refused, 422, sentence);
      expect(refused.body).toContain(`value="${typed}"`);
      expect(refused.body).toContain("<title>Error: ");
    }
    const done = await apply({ expiration_date: "31/12/2099" });
    expect(await admin.follow(done)).toContain("Expiration of 1 code extended");
    const row = await rowById("promotions", id).first<{ expires_at: Date }>();
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
    expect(textsOf(all.body, "h2")).toEqual(["Machines and groups"]);
    expect(all.body).toMatch(/<fieldset[^>]*aria-describedby="machines-hint"/);
    await apply({ machines: "VM-1", groups: group });
    expect(await page(location)).toContain("Machines assigned to 1 code");
    expect(await db()("assignments").select("machine_id", "group_id")).toHaveLength(2);
  });
});

describe("what can't be", () => {
  it.each([
    [
      "nothing is ticked",
      "ticked=1&intent=delete&text=a",
      "\\?text=a&",
      "Select at least one code",
    ],
    ["the action is not known", "ticked=1&intent=explode&ids=1&text=a", "\\?text=a&", unknown],
    ["there is no action", "", "\\?", unknown],
    [
      "a filter is not valid",
      "intent=delete&all=true&status=golden",
      "\\?status=golden&",
      "The value of 'status'",
    ],
    [
      "the selection is not valid",
      "intent=delete&ids=x",
      "\\?",
      "The selection is not valid. Select the codes again.",
    ],
  ])("leads back to the list with a message when %s", async (_why, query, kept, message) => {
    const { location, confirmation } = await open(query);
    expect(location).toMatch(new RegExp(`^/app/qr-list${kept}flash=`));
    expect(confirmation).toContain(message);
  });

  it.each(["restore", "reactivate"])("is refused to users: to %s codes", async (intent) => {
    const id = await insertPromotion({ is_deleted: true });
    expect((await user.get(`${bulk}?intent=${intent}&ids=${id}`)).status).toBe(403);
  });
});
