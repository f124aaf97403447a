import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { setFactsOf } from "../factories/assignments";
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

async function open(query: string) {
  const page = await server.send(`${bulk}?${query}`, { cookie });
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)?.[1];
  const apply = (fields: Record<string, string> = {}) =>
    server.send(`${bulk}?${query}`, {
      method: "POST",
      cookie,
      body: {
        idempotency_key: hidden("idempotency_key")!,
        expected: hidden("expected")!,
        intent: "apply",
        ...fields,
      },
    });
  return { page, apply };
}

const follow = (location: string | undefined) => server.send(location!, { cookie });

describe("the way of a bulk action", () => {
  it("shows the count, does it once and says what was not changed", async () => {
    const ids = [await insertPromotion(), await insertPromotion({ name: "Off", is_active: false })];
    const { page, apply } = await open(`ids=${ids.join("&ids=")}&intent=deactivate&page=2`);
    expect(page.body).toContain("This deactivates 1 code: 1 single.");
    expect(page.body).toContain("It is inactive already.");
    const [first, second] = [await apply(), await apply()];
    expect(first.status).toBe(303);
    expect(second.headers.location).toBe(first.headers.location);
    expect(first.headers.location).toMatch(/^\/app\/qr-list\/bulk\/[\w-]{36}\?page=2$/);
    const result = await follow(first.headers.location);
    expect(result.body).toContain("1 code deactivated. 1 code not changed.");
    expect(result.body).toContain(">Off<");
    expect(await db()("audit_log").where({ action: "promotion.deactivated" })).toHaveLength(1);
    const others = await server.send(first.headers.location!, { cookie: userCookie });
    expect(others.status).toBe(404);
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
    expect((await follow(done.headers.location)).body).toContain("Expiry of 1 code extended.");
    const row = await db()("promotions").where({ id }).first<{ expires_at: Date }>();
    expect(row.expires_at.toISOString()).toBe("2099-12-31T23:00:00.000Z");
  });

  it("adds machines, with the selector's buttons in between", async () => {
    const id = await insertPromotion();
    const { apply } = await open(`ids=${id}&intent=add-machines`);
    expect((await apply()).body).toContain("Choose at least one machine");
    const all = await apply({ intent: "select-all" });
    expect(all.status).toBe(200);
    expect(all.body).toMatch(/<input[^>]*name="machines"[^>]*checked=""[^>]*value="VM-1"/);
    expect(all.body).toContain(`formaction="?ids=${id}&amp;intent=add-machines#machines"`);
    const done = await apply({ machines: "VM-1" });
    expect((await follow(done.headers.location)).body).toContain("Machines added to 1 code.");
    expect(await setFactsOf([id])).toMatchObject([{ is_assigned: true }]);
  });

  it("says when something changed after the count", async () => {
    await insertPromotion({ name: "Autumn" });
    const { apply } = await open("text=autumn&all=true&intent=delete");
    await insertPromotion({ name: "Autumn too" });
    const result = await follow((await apply()).headers.location);
    expect(result.body).toContain("2 codes deleted.");
    expect(result.body).toContain("The page before said 1 code.");
  });
});

describe("what can't be", () => {
  it("leads back to the list with a sentence when nothing is ticked", async () => {
    const answer = await server.send(`${bulk}?ticked=1&intent=delete&text=a`, { cookie });
    expect(answer.headers.location).toMatch(/^\/app\/qr-list\?text=a&flash=/);
    expect((await follow(answer.headers.location)).body).toContain("Tick at least one code first");
  });

  it("is refused and changes nothing", async () => {
    const id = await insertPromotion({ is_deleted: true });
    const before = await fingerprint();
    const body = { intent: "apply", idempotency_key: "x" };
    for (const [query, status, who] of [
      [`intent=restore&ids=${id}`, 403, userCookie],
      ["intent=delete&all=true&status=golden", 400, cookie],
      ["intent=delete&ids=x", 400, cookie],
      ["intent=explode&ids=1", 303, cookie],
      ["", 303, cookie],
    ] as const) {
      const posted = await server.send(`${bulk}?${query}`, { method: "POST", cookie: who, body });
      expect(posted.status, query).toBe(status);
    }
    expect(await fingerprint()).toBe(before);
  });
});
