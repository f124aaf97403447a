import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { readCsv } from "../support/read-csv";
import { issueTokenOf, useServer } from "../support/server";
import { useSession } from "../support/session";

const server = useServer();
const csv = "/app/transactions/export.csv";
const session = useSession(server, "clerk@example.com");
let token = "";
const hostileName = `=cmd|' /C calc'!A0 <img src=x onerror=alert(1)>`;

beforeAll(async () => {
  token = await issueTokenOf("clerk@example.com");
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
  session.get(`/app/transactions?${new URLSearchParams(query)}`);
const rowsOf = (body: string) => body.match(/<th scope="row"/g)?.length ?? 0;

describe("the screen", () => {
  it("shows the newest first, in words, those of deleted promotions too", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(200);
    expect(rowsOf(body)).toBe(25);
    expect(body).toContain("1–25 of 260");
    expect(body).toMatch(/<th[^>]*>Time</);
    expect(body).toContain("Deleted night");
    expect(body).toContain("ABCD-EFGH-2345");
    expect(body).toMatch(/\$2\.00[\s\S]*\$0\.50[\s\S]*\$1\.50[\s\S]*25%/);
    expect(body).toContain("Skip to the table");
  });

  it("says what it could not understand", async () => {
    const { body } = await ask({ status: "golden", created_after: "31/02/2026", machine: "VM-1" });
    expect(body).toContain(
      "Invalid date. 31/02/2026 doesn't exist: Feb 2026 has 28 days, so 'Time after' is ignored",
    );
    expect(body).toContain("The value of 'status' is not valid");
    expect(rowsOf(body)).toBe(25);
  });
});

describe("the CSV", () => {
  const exported = (query: Record<string, string> = {}) =>
    session.get(`${csv}?${new URLSearchParams(query)}`);

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
    expect(rows[0]![head.indexOf("Name of code")]).toBe(`'${hostileName}`);
    expect(rows[0]![head.indexOf("Redemption ID")]).toBe("'=r-0");
    expect(rows[0]![head.indexOf("Name of machine")]).toBe("'@Hall");
    expect(readCsv((await exported({ status: "rolled_back" })).body.slice(1))).toHaveLength(2);
  });

  it.each(["status=golden", "page=2"])(
    "is never wider than what was asked for: %s is a 400",
    async (query) => {
      expect((await session.get(`${csv}?${query}`)).status).toBe(400);
    },
  );
});

describe("GET /api/transactions", () => {
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const api = (query = "") => server.call("GET", `/api/transactions${query}`, { token });

  it("is an array, newest first, in the format of the contract", async () => {
    const { status, json: rows } = await api();
    expect(status).toBe(200);
    expect(rows).toHaveLength(100);
    expect(idsOf(rows)).toEqual(idsOf(rows).sort((a, b) => b - a));
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
    const count = async (query: string) => (await api(query)).json.length;
    expect(await count("?status=rolled_back")).toBe(1);
    expect(await count("?machine=vm-1&created_before=2026-01-01&limit=50")).toBe(50);
    expect(await count("?created_after=2026-01-02")).toBe(0);
    expect(await count("?promotion=deleted+night")).toBe(51);
    for (const wrong of ["status=gone", "created_after=x", "promotion=ab", "sort=id"])
      expect((await api(`?${wrong}`)).status, wrong).toBe(400);

    const machines: string[] = [];
    for (let next: string | undefined = "?type=percentage&limit=50"; next !== undefined;) {
      const { json, headers } = await api(next);
      for (const { machine } of json) machines.push(machine);
      next = /^<\/api\/transactions(\?[^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
    }
    expect(machines).toEqual(Array(130).fill("VM-1"));
  });

  it("names the parameters that are sent twice", async () => {
    const { status, json } = await api("?type=percentage&type=free_drink&limit=5&limit=6");
    const fields = { type: "Send 'type' once", limit: "Send 'limit' once" };
    expect([status, json.fields]).toEqual([400, fields]);
  });

  it("asks for days as its document does", async () => {
    const { fields } = (await api("?created_after=x")).json;
    expect(fields.created_after).toBe("Invalid date. Enter it as YYYY-MM-DD");
  });

  it.each([
    ["?limit=101", "limit"],
    ["?before=99999999", "before"],
    ["?page=2", "page"],
  ])("%s is a 400 that names the parameter", async (query, name) => {
    const { status, json } = await api(query);
    expect(status).toBe(400);
    expect(json.error).toMatch(/\w/);
    expect(Object.keys(json.fields)).toEqual([name]);
  });
});
