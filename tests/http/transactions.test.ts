import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { everyNth } from "../support/naughty-strings";
import { readCsv } from "../support/read-csv";
import { addUser, useServer } from "../support/server";

const server = useServer();
const csv = "/app/transactions/export.csv";
let cookie = "";
let token = "";
const hostileName = `=cmd|' /C calc'!A0 <img src=x onerror=alert(1)>`;

beforeAll(async () => {
  await addUser("clerk@example.com");
  cookie = await server.signIn("clerk@example.com");
  token = await server.signInToApi("clerk@example.com");
  const promotion = await insertPromotion({ name: "Summer", code: "ABCDEFGH2345" });
  const deleted = await insertPromotion({ name: "Deleted night", is_deleted: true });
  const hostile = await insertPromotion({ name: hostileName });
  const machine = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  const other = await insertMachine({ serial_number: "</td>+2", human_name: "@Hall" });
  await db()("transactions").insert(
    Array.from({ length: 260 }, (_, i) => ({
      redemption_id: `=r-${i}`,
      promotion_id: i === 0 ? hostile : i % 5 === 0 ? deleted : promotion,
      machine_id: i % 4 === 0 ? other.id : machine.id,
      type: i % 2 ? "percentage" : "free_drink",
      original_price: 200,
      discount: i % 2 ? 50 : 200,
      status: i === 7 ? "rolled_back" : "applied",
      rolled_back_at: i === 7 ? new Date() : null,
      created_at: new Date(Date.UTC(2026, 0, 1, 12) + i * 60_000),
    })),
  );
});

const ask = (query: Record<string, string> | string) =>
  server.send(`/app/transactions?${new URLSearchParams(query)}`, { cookie });
const rowsOf = (body: string) => body.match(/<th scope="row"/g)?.length ?? 0;

describe("the screen", () => {
  it("shows the newest first, in words, those of deleted promotions too", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(200);
    expect(rowsOf(body)).toBe(25);
    expect(body).toContain("1–25 of 260");
    expect(body).toMatch(/<th[^>]*>Created</);
    expect(body).toContain("Deleted night");
    expect(body).toContain("ABCD-EFGH-2345");
    expect(body).toMatch(/\$2\.00[\s\S]*\$0\.50[\s\S]*\$1\.50[\s\S]*25%/);
    expect(body).toContain("Skip to the table");
  });

  it("keeps its filters from page to page, and remembers the rows", async () => {
    const first = await ask({ machine: "vm-1", per_page: "50" });
    expect(first.headers["set-cookie"]?.join()).toContain("rows-transactions=50");
    expect(rowsOf(first.body)).toBe(50);
    const next = /href="([^"]+)"[^>]*rel="next"|rel="next"[^>]*href="([^"]+)"/.exec(first.body)!;
    const address = (next[1] ?? next[2])!.replaceAll("&amp;", "&");
    expect(address).toContain("machine=vm-1");
    const second = await server.send(address, {
      cookie: `${cookie}; rows-transactions=10`,
    });
    expect(rowsOf(second.body)).toBe(50);
    const usual = await server.send("/app/transactions", {
      cookie: `${cookie}; rows-transactions=10`,
    });
    expect(rowsOf(usual.body)).toBe(10);
  });

  it("says what it could not understand, and shows the nearest page", async () => {
    const bad = await ask({ status: "golden", created_after: "31/02/2026", machine: "VM-1" });
    expect(bad.body).toContain("Invalid date, so &#x27;Created After&#x27; is ignored");
    expect(bad.body).toContain("The value of &#x27;status&#x27; is not valid");
    expect(rowsOf(bad.body)).toBe(25);
    const far = await ask({ page: "9999" });
    expect(far.body).toContain("That page has no rows, so the nearest one is shown");
    const none = await ask({ machine: "VM-999" });
    expect(none.body).toContain("Nothing matches");
    expect(none.body).not.toContain("Skip to the table");
  });

  it("takes the naughty strings for what they are", { timeout: 120_000 }, async () => {
    for (const [index, text] of everyNth(12).entries()) {
      const one = { machine: text, promotion: text };
      const all = { ...one, status: text, type: text, integration: text, page: text, after: text };
      const answer = await ask(index % 3 ? one : { ...all, created: text, created_before: text });
      // The list drops its empty filters from the address.
      expect(answer.status, text).toBe(text === "" ? 302 : 200);
      expect(answer.body).not.toMatch(/<script>alert|<img src=x/);
    }
  });
});

describe("the CSV", () => {
  const exported = (query: Record<string, string> = {}) =>
    server.send(`${csv}?${new URLSearchParams(query)}`, { cookie });

  it("is a dated file that nobody keeps, and holds exactly what the filters let through", async () => {
    const all = await exported();
    expect(all.status).toBe(200);
    expect(all.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(all.headers["cache-control"]).toBe("private, no-store");
    expect(all.headers["content-disposition"]).toMatch(
      /^attachment; filename="transactions-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(readCsv(all.body.slice(1))).toHaveLength(261);
    const [head = [], ...rows] = readCsv((await exported({ promotion: "calc'!A0" })).body.slice(1));
    expect(rows).toHaveLength(1);
    expect(rows[0]![head.indexOf("Promotion")]).toBe(`'${hostileName}`);
    expect(rows[0]![head.indexOf("Redemption ID")]).toBe("'=r-0");
    expect(rows[0]![head.indexOf("Name of machine")]).toBe("'@Hall");
    expect(readCsv((await exported({ status: "rolled_back" })).body.slice(1))).toHaveLength(2);
  });

  it.each([
    "status=golden",
    "created_after=31/02/2026",
    "promotion=ab",
    "integration=x",
    "page=2",
    "mass_generation_id=-1",
  ])("is never wider than what was asked for: %s is a 400", async (query) => {
    expect((await server.send(`${csv}?${query}`, { cookie })).status).toBe(400);
  });
});

describe("GET /api/transactions", () => {
  const api = (
    query = "",
    headers: Record<string, string> = { Authorization: `Bearer ${token}` },
  ) => server.send(`/api/transactions${query}`, { headers });
  type Wire = { id: number };

  it("is an array, newest first, in the format of the contract", async () => {
    const { status, body } = await api();
    expect(status).toBe(200);
    const rows = JSON.parse(body) as Wire[];
    expect(rows).toHaveLength(100);
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort((a, b) => b - a));
    expect(rows[0]).toEqual({
      id: 260,
      machine: "VM-1",
      originalPrice: 200,
      discount: 50,
      discountedPrice: 150,
      savings: 25,
      timestamp: "2026-01-01T16:19:00.000Z",
      status: "Applied",
      type: "percentage",
    });
  });

  it("has the filters of the screen, and links to the rows that follow", async () => {
    const statuses = async (query: string) =>
      (JSON.parse((await api(query)).body) as { status: string; machine: string }[]).length;
    expect(await statuses("?status=rolled_back")).toBe(1);
    expect(await statuses("?machine=vm-1&created_before=2026-01-01&limit=50")).toBe(50);
    expect(await statuses("?created_after=2026-01-02")).toBe(0);
    expect(await statuses("?promotion=deleted+night")).toBe(51);
    for (const wrong of ["status=gone", "created_after=x", "promotion=ab", "sort=id"])
      expect((await api(`?${wrong}`)).status, wrong).toBe(400);

    const machines = new Set<string>();
    let count = 0;
    for (let next: string | undefined = "?type=percentage&limit=50"; next !== undefined;) {
      const { body, headers } = await api(next);
      const rows = JSON.parse(body) as { machine: string }[];
      count += rows.length;
      rows.forEach(({ machine }) => machines.add(machine));
      next = /^<\/api\/transactions(\?[^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
    }
    expect([count, [...machines]]).toEqual([130, ["VM-1"]]);
  });

  it("is read to its end with limit and before", async () => {
    const ids: number[] = [];
    for (let before = ""; ;) {
      const rows = JSON.parse((await api(`?limit=90${before}`)).body) as Wire[];
      ids.push(...rows.map(({ id }) => id));
      if (rows.length < 90) break;
      before = `&before=${ids.at(-1)}`;
    }
    expect(ids).toEqual(Array.from({ length: 260 }, (_, i) => 260 - i));
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?limit=ten", "limit"],
    ["?before=x", "before"],
    ["?before=99999999", "before"],
    ["?page=2", "page"],
    ["?limit=1;drop", "limit"],
  ])("%s is a 400 that names the parameter", async (query, name) => {
    const { status, body } = await api(query);
    expect(status).toBe(400);
    const { error, fields } = JSON.parse(body) as { error: string; fields: object };
    expect(error).toMatch(/\w/);
    expect(Object.keys(fields)).toEqual([name]);
  });

  it("is for a person's token only, and only read", async () => {
    expect((await api("", {})).status).toBe(401);
    expect((await api(`?api_key=${token}`, {})).status).toBe(401);
    expect((await server.send("/api/transactions", { cookie })).status).toBe(401);
    const posted = await server.send("/api/transactions", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: "{}",
    });
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});
