import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  insertCodes,
  insertGeneration,
  insertMany,
  insertPromotion,
} from "../factories/promotions";
import { countSessions, lockTable } from "../support/database-sessions";
import { readCsv } from "../support/read-csv";
import { readZip } from "../support/read-zip";
import { useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

const server = useServer();
const csv = "/app/qr-list/export.csv";
/** One more than a ZIP of QR codes holds. */
const rows = 10_001;
const session = useSession(server);
beforeAll(() => insertMany(rows));

describe("the CSV of the list", () => {
  it("is a file with a dated name that nobody keeps, for spreadsheets", async () => {
    const answer = await session.get(csv);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    expect(answer.headers["content-disposition"]).toMatch(
      /^attachment; filename="codes-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.body.startsWith("\ufeffID,Code,Name,")).toBe(true);
    expect(readCsv(answer.body.slice(1))).toHaveLength(rows + 1);
  });

  it("takes no place of its user for good when the client leaves before the first row", async () => {
    const few = `${csv}?text=nothing`;
    for (let round = 0; round < 3; round++) {
      const holder = await lockTable("promotions");
      const leaving = new AbortController();
      const { cookie } = session;
      const download = fetch(`${server.origin}${few}`, {
        headers: { Cookie: cookie },
        signal: leaving.signal,
      });
      await expect.poll(() => countSessions("waiting for a lock"), { interval: 5 }).toBe(1);
      leaving.abort();
      await expect(download).rejects.toThrow("aborted");
      await holder.rollback();
      await expect.poll(async () => (await session.get(few)).status).toBe(200);
    }
  });

  it("holds what the filter lets through, or what is ticked", async () => {
    const name = "=cmd|' /C calc'!A0";
    const id = await insertPromotion({ name });
    const filtered = await session.get(`${csv}?text=${encodeURIComponent("calc'!A0")}`);
    expect(readCsv(filtered.body.slice(1)).map((row) => row[2])).toEqual(["Name", `'${name}`]);
    const ticked = await session.get(`${csv}?ticked=1&ids=${id}`);
    expect(ticked.body).toBe(filtered.body);
  });

  it("has one line for each campaign in the view of campaigns, and all their codes beside it", async () => {
    const generation = await insertGeneration({ name: "=Fair", num_codes: 3, is_assigned: true });
    const [used] = await insertCodes(generation, 3);
    await db()("promotions").where({ id: used }).update({ activation_count: 1, period_uses: 1 });
    await insertPromotion({ name: "Fair, single", activation_count: 4 });
    const list = "/app/qr-list?text=fair&view=campaigns";
    const page = await session.open(list);
    const campaigns = await session.get(page.hrefOf("Export campaigns"));
    expect(campaigns.headers["content-disposition"]).toContain('filename="campaigns-');
    const [headings, ...lines] = readCsv(campaigns.body.slice(1));
    const cells = lines.map((line) =>
      Object.fromEntries(line.map((cell, index) => [headings![index]!, cell])),
    );
    expect(cells).toMatchObject([
      {
        Name: "Fair, single",
        Type: "Single",
        "Campaign number": "",
        "Number of codes": "1",
        "Used codes": "1",
        "Codes left": "Unlimited",
      },
      {
        Code: "",
        Name: "'=Fair",
        Type: "Mass Gen",
        "Campaign number": generation,
        "Number of codes": "3",
        "Used codes": "1",
        Status: "Active",
      },
    ]);
    const codes = await session.get(page.hrefOf("Export codes"));
    expect(readCsv(codes.body.slice(1))).toHaveLength(5);
  });

  it("is never wider than what was asked for", async () => {
    expect((await session.get(`${csv}?status=golden`)).status).toBe(400);
    expect((await session.get(`${csv}?ids=1;drop`)).status).toBe(400);
    const none = await session.get(`${csv}?ticked=1&text=x`);
    expect(none.headers.location).toMatch(/^\/app\/qr-list\?text=x&flash=/);
  });

  it.each([
    [`${csv}?status=golden&text=x`, 400, "/app/qr-list?status=golden&text=x"],
    ["/app/transactions/export.csv?created=soon", 400, "/app/transactions?created=soon"],
    ["/app/qr-list/999999/qr.png", 404, "/app/qr-list/999999"],
    ["/app/qr-generation/999999/archive.zip", 404, "/app/qr-generation/999999"],
    [
      "/app/qr-generation/999999/labels.pdf?sheet=x",
      404,
      "/app/qr-generation/999999/labels?sheet=x",
    ],
  ])("leads a browser that opened %s back to its page", async (file, status, page) => {
    expect((await session.get(file)).status).toBe(status);
    const headers = { Accept: "text/html,application/xhtml+xml" };
    const { location = "" } = (await session.get(file, { headers })).headers;
    expect(location.replace(/[?&]flash=.*/, "")).toBe(page);
    expectRejection(
      await session.get(location),
      status === 404 ? 404 : 200,
      "Nothing was downloaded.",
    );
  });
});

describe("the ZIP of QR codes", () => {
  const zip = "/app/qr-list/qr-codes.zip";

  it("holds one PNG a code, named by the code", async () => {
    const ids = await Promise.all([insertPromotion(), insertPromotion()]);
    const codes = await db()("promotions").whereIn("id", ids).pluck<string[]>("code");
    const answer = await fetch(`${server.origin}${zip}?ids=${ids.join("&ids=")}`, {
      headers: { Cookie: session.cookie },
    });
    expect(answer.headers.get("content-type")).toBe("application/zip");
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    const { entries } = await readZip(Buffer.from(await answer.arrayBuffer()));
    expect(entries.map(({ fileName }) => fileName).sort()).toEqual(
      codes.map((code) => `${code}.png`).sort(),
    );
    const again = await session.get(`${zip}?ids=${ids.join("&ids=")}`, {
      headers: { "If-None-Match": answer.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
  });

  it("holds at most 10,000, and says so on the list", async () => {
    const answer = await session.get(`${zip}?all=true`);
    expect(answer.status).toBe(303);
    expect(await session.follow(answer)).toContain("One download holds at most 10,000 images.");
  });
});
