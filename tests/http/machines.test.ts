import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "../../app/db/connection.server";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { loadSite } from "../../app/db/site.server";
import { paths } from "../../app/paths";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { textsOf } from "../support/html";
import { all, attribute, parsePage, rawTextOf } from "../support/html-forms";
import { cookieOf, issueTokenOf, useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";
import { rowById } from "../factories/rows";
import { lockTable } from "../support/database-sessions";

/** The machines, their promotions and what happened there, as pages without scripts and as API. */
const server = useServer();
const session = useSession(server);
const show = session.get;
let token = "";

/** Whatever PostgreSQL can store may be a serial number; its segment of a path is tested with the domain. */
const hostile = ["..", "~..", "a/b", "%2F", "%252F", "?x=1#y", "Confirm", "\\", "<b>", "🥤", "\t"];

beforeAll(async () => {
  await loadSite();
  token = await issueTokenOf();
  await db()("machines").insert([
    ...Array.from({ length: 60 }, (_, index) => ({
      serial_number: `VM-${String(index + 1).padStart(3, "0")}`,
      human_name: index < 2 ? `Lobby ${index + 1}` : "Canteen",
    })),
    ...hostile.map((serial_number, index) => ({ serial_number, human_name: `Hostile ${index}` })),
  ]);
  const cellar = { serial_number: "GONE-1", human_name: "Cellar" };
  const gone = await insertMachine({ ...cellar, is_deleted: true });

  const { id } = await db()("machines").where({ serial_number: "VM-001" }).first("id");
  const generation = await insertGeneration({ name: "Festival & fair", is_assigned: true });
  await insertCodes(generation, 3, { is_assigned: true });
  await assign("mass_generations", generation, { machine_id: id });
  for (let n = 1; n <= 26; n++) {
    const promotion = await insertPromotion({
      name: `Single ${n}`,
      is_assigned: true,
      is_single_use: n === 1,
      ...(n === 2 && { discount_type: "free_drink", discount_value: 5 }),
    });
    await assign("promotions", promotion, { machine_id: id }, { machine_id: gone.id });
  }
  await countPromotionsByMachine();
});

const elementsOf = (html: string, tag: string) => all(parsePage(html), tag);
const rowHeads = (html: string) =>
  elementsOf(html, "th")
    .filter((th) => attribute(th, "scope") === "row")
    .map(rawTextOf);

describe("the list", () => {
  it("searches by serial number and by name, and says what it found", async () => {
    const { status, body } = await show("/app/machines?serial_number=vm-0&name=LOBBY");
    expect(status).toBe(200);
    expect(rowHeads(body)).toEqual(["VM-001", "VM-002"]);
    expect(body).toContain("1–2 of 2");
    expect(body).toContain('value="LOBBY"');
    const nothing = (await show("/app/machines?name=cellar")).body;
    expect(nothing).toContain("Nothing matches");
    expect(nothing).toContain("Clear filters");
  });

  it("says how often a machine was used and refused a code, and which one is silent", async () => {
    const machine = await insertMachine({
      serial_number: "USED-1",
      human_name: "Used",
      last_qr_used_at: new Date(),
    });
    const promotion_id = await insertPromotion();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    for (const hours of [1, 2, 30])
      await insertTransaction({
        promotion_id,
        machine_id: machine.id,
        created_at: hoursAgo(hours),
      });
    const rolledBack = { status: "rolled_back", created_at: hoursAgo(1) };
    await insertTransaction({ promotion_id, machine_id: machine.id, ...rolledBack });
    const refused = { machine_id: machine.id, serial_number: "USED-1" };
    await insertRefusals(1, refused);
    const used = await session.text("/app/machines?use=used&name=used");
    expect(used).toMatch(/2 in 24 h, 3 in 7 days\s*1 in 7 days/);
    const [, listed] = /href="(\/app\/transactions\/refused\?machine=USED-1[^"]+)"/.exec(
      await session.page("/app/machines?name=used"),
    )!;
    expect(await session.text(listed!)).toContain("1 refused attempt");
    expect(await session.text("/app/machines?use=refused&name=used")).toContain("Nothing matches");
    await insertRefusals(18, refused);
    expect(await session.text("/app/machines?use=refused")).toContain("USED-1");
    expect(used).not.toContain(", silent");
    const silent = await session.text("/app/machines?use=silent&serial_number=VM-001");
    expect(silent).toMatch(/Never\s*, silent 24 h/);
    await db()("transactions").where({ machine_id: machine.id }).delete();
    await db()("redemption_attempts").where({ machine_id: machine.id }).delete();
    await rowById("machines", machine.id).delete();
  });

  it("shows what is counted as a link, nothing as words, and when it was counted", async () => {
    const { body } = await show("/app/machines?serial_number=VM-00&sort=-promos");
    expect(body).toMatch(/href="\/app\/machines\/VM-001\/promotions\?[^"]+">29</);
    expect(rowHeads(body)[0]).toBe("VM-001");
    expect(body).not.toContain("/app/machines/VM-002/promotions");
    expect(body).toMatch(
      /Last updated <time dateTime="\d{4}-\d\d-\d\dT[\d:.]+Z">\d\d\.\d\d\.\d{4}/i,
    );
    for (const word of ["High", "Inactive"]) expect(body).toContain(`>${word}<`);
    expect(body).toContain(">Never<");
  });

  it("is sorted by links, and says how", async () => {
    const { body } = await show("/app/machines?sort=-active");
    const heads = elementsOf(body, "th").filter((th) => attribute(th, "scope") === "col");
    expect(heads.map((th) => attribute(th, "aria-sort") ?? "")).toEqual([
      "",
      "",
      "descending",
      "",
      "",
      "",
      "",
    ]);
    const links = elementsOf(body, "a");
    const names = heads.map(rawTextOf).filter((name) => !["Redeemed", "Refused"].includes(name));
    for (const name of names)
      expect(
        attribute(
          links.find((link) => rawTextOf(link) === name)!,
          "href",
        ),
      ).toMatch(/^\/app\/machines\?sort=-?\w+$/);
  });

  it("remembers its order and its rows per page", async () => {
    const asked = await show("/app/machines?sort=-name&per_page=50");
    const cookie = `${session.cookie}; ${cookieOf(asked)}`;
    const { body } = await show("/app/machines", { cookie });
    expect(body).toContain("1–50 of ");
    expect(body).toContain('aria-sort="descending"');
    const again = await show("/app/machines?sort=-name", { cookie });
    expect(String(again.headers["set-cookie"])).not.toContain("machines=");
    expect((await show("/app/machines")).body).toContain("1–25 of ");
  });

  it("passes over values that mean nothing and says so", async () => {
    const { status, headers, body } = await show(
      "/app/machines?sort=nonsense&per_page=10&page=x&name=%00",
    );
    expect(status).toBe(200);
    for (const name of ["sort", "per_page", "page", "name"])
      expect(body).toContain(`The value of '${name}' is not valid`);
    expect(String(headers["set-cookie"])).not.toContain("machines=");
  });

  it("goes to the nearest page", async () => {
    const { body } = await show("/app/machines?page=99&serial_number=VM-");
    expect(body).toContain("51–60 of 60");
    expect(body).toContain("That page has no rows");
  });

  it("says that it could not be read, inside the shell, and how to try again", async () => {
    const holder = await lockTable("machine_promotion_counts");
    const [page, data, own] = await Promise.all([
      show("/app/machines?page=2"),
      show("/app/machines?page=2&_data=routes%2Fapp.machines"),
      show("/app/machines/VM-001"),
    ]);
    expect([page.status, data.status, own.status]).toEqual([503, 503, 503]);
    for (const { headers } of [page, data, own]) expect(headers["retry-after"]).toBe("2");
    expect(page.body).toContain("Failed to load machines data");
    const again = elementsOf(page.body, "a").find((link) => rawTextOf(link) === "Try Again");
    expect(attribute(again!, "href")).toBe("/app/machines?page=2");
    expect(page.body).toContain('aria-label="Main"');
    expect(data.headers["x-remix-catch"]).toBe("yes");
    for (const { headers } of [page, data, own])
      await vi.waitFor(() => {
        const logged = server.output().match(/^.*$/gm)!;
        const lines = logged.filter((line) => line.includes(headers["x-request-id"] as string));
        expect(lines).toHaveLength(1);
        expect(lines[0]).toContain("canceling statement due to lock timeout");
      });
    await holder.rollback();
    expect((await show("/app/machines?page=2")).status).toBe(200);
  });
});

describe("every serial number", () => {
  it("has a page that its row leads to, and a dialog", async () => {
    const { body } = await show("/app/machines?name=hostile&per_page=100");
    const links = elementsOf(body, "a").filter((a) =>
      attribute(a, "href")?.startsWith("/app/machines/"),
    );
    expect(links.map(rawTextOf).sort()).toEqual([...hostile].sort());
    for (const link of links) {
      const serial = rawTextOf(link);
      // Requests the link as a browser would.
      const { pathname } = new URL(attribute(link, "href")!, server.origin);
      const own = await show(pathname);
      expect(own.status, serial).toBe(200);
      expect(rawTextOf(elementsOf(own.body, "h1")[0]!)).toBe(`Hostile ${hostile.indexOf(serial)}`);
      const dialog = await show(`${pathname}/promotions`);
      expect(dialog.status, serial).toBe(200);
      expect(dialog.body).toContain(`Hostile ${hostile.indexOf(serial)}`);
    }
  });

  it("can be asked for through the API", async () => {
    for (const serial of hostile) {
      const plainly = /^\.{1,2}$/.test(serial) ? `~${serial}` : encodeURIComponent(serial);
      const { status, json } = await call(`/api/machine/${plainly}/promotions`);
      expect([status, json], serial).toMatchObject([200, { total: 0 }]);
    }
  });

  it.each(["nobody", "%E0%A4%A", "x".repeat(300)])("%s is unknown", async (segment) => {
    const own = await show(`/app/machines/${segment}`);
    expect(own.status).toBe(segment.startsWith("%E0") ? 400 : 404);
    if (own.status !== 404) return;
    expect(own.body).toContain("no longer exists");
    expect(own.body).toContain('aria-label="Main"');
    const dialog = await show(`/app/machines/${segment}/promotions`);
    expectRejection(dialog, 404, "Machine not found");
    const answer = await call(`/api/machine/${segment}/promotions`);
    expect([answer.status, answer.json]).toEqual([404, { error: "Machine not found" }]);
  });
});

describe("the dialog", () => {
  it("tells what the machine accepts, a mass generation as one line, page by page", async () => {
    const { body } = await show("/app/machines/VM-001/promotions?name=lobby");
    expect(body).toContain("This machine accepts 29 codes now, in 27 campaigns.");
    expect(body).not.toContain("The list says");
    expect(body).toMatch(/href="\/app\/qr-generation\/\d+">Festival & fair</);
    expect(body).toContain("1–25 of 27");
    expect(body).toContain('href="/app/machines?name=lobby"');
    const second = (await show("/app/machines/VM-001/promotions?name=lobby&promos_page=2")).body;
    expect(second).toContain("26–27 of 27");
    expect(second).toContain("5 drinks");
    expect(second).toMatch(/href="\/app\/qr-list\/\d+">Single 1</);
    // The list beneath is as it was.
    expect(second).toContain("1–2 of 2");
  });

  it("says when the page of its address is none, or has no rows", async () => {
    const address = "/app/machines/VM-001/promotions?promos_page=";
    expect((await show(`${address}abc`)).body).toContain(
      "The value of 'promos_page' is not valid.",
    );
    const { body } = await show(`${address}999`);
    expect(body).toContain("That page has no rows, so the nearest one is shown.");
    expect(body).toContain("26–27 of 27");
    expect((await show(`${address}2`)).body).not.toContain("That page has no rows");
  });

  it("says when the list was counted, where it says something else", async () => {
    const { id } = await db()("machines").where({ serial_number: "VM-003" }).first("id");
    const promotion = await insertPromotion({ name: "Since then", is_assigned: true });
    await assign("promotions", promotion, { machine_id: id });
    const { body } = await show("/app/machines/VM-003/promotions");
    expect(body).toContain("This machine accepts 1 code now, in 1 campaign.");
    expect(body).toMatch(/The list shows 0, counted at \d\d\.\d\d\.\d{4} \d\d:\d\d\./);
  });

  it("says in the dialog of a deleted machine that it accepts none", async () => {
    const { body } = await show("/app/machines/GONE-1/promotions");
    expect(body).toContain("Deleted from SmartVend");
    expect(body).toContain("This machine accepts no codes now.");
  });
});

describe("a machine's own page", () => {
  it("has its facts, its groups and what it accepts now", async () => {
    const { id } = await db()("machines").where({ serial_number: "VM-002" }).first("id");
    const [group] = await db()("machine_groups").insert({ name: "Station" }).returning("id");
    await db()("machine_group_members").insert({ group_id: group.id, machine_id: id });
    await rowById("machines", id).update({
      last_qr_used_at: new Date("2026-07-01T10:00:00Z"),
      last_seen_at: new Date("2026-07-01T22:30:00Z"),
    });
    const { body } = await show("/app/machines/VM-002");
    expect(body).toContain("01.07.2026 12:00");
    expect(body).toContain("02.07.2026 00:30");
    expect(body).toContain(`href="/app/machine-groups/${group.id}">Station<`);
    expect(body).toContain("No redemptions here in the last 30 days.");
    expect((await show("/app/machines/VM-001")).body).toContain("29 codes in 27 campaigns");
  });

  it("has its name as heading and title, and in the breadcrumb of all its screens", async () => {
    const { human_name: name } = await db()("machines").where({ serial_number: "VM-002" }).first();
    const { body } = await show("/app/machines/VM-002");
    expect(textsOf(body, "title")).toEqual([`${name} - Machines - Promo Console`]);
    for (const screen of ["", "/promotions"]) {
      const page = (await show(`/app/machines/VM-002${screen}`)).body;
      const [breadcrumb] = /<nav aria-label="Breadcrumb">.*?<\/nav>/s.exec(page)!;
      expect(textsOf(breadcrumb, "li").slice(0, 3)).toEqual(["App", "Machines", name]);
    }
  });

  it("draws the redemptions without a style or a script of its own, with a table", async () => {
    const { id } = await db()("machines").where({ serial_number: "VM-004" }).first("id");
    const promotion = await insertPromotion({ name: "Poured" });
    for (let n = 0; n < 3; n++)
      await insertTransaction({ promotion_id: promotion, machine_id: id, discount: 100 });
    await insertRefusals(1, { machine_id: id, code: "ABCDEFGHJKMN", original_price: 175 });
    for (const period of ["7", "90"]) {
      const { body } = await show(`/app/machines/VM-004?period=${period}`);
      // Redemptions and refusal rates, each drawn for three widths.
      expect(body.match(/<svg role="img"/g)).toHaveLength(6);
      expect(body).toContain('<title id="redemptions-wide-title">Redemptions per day</title>');
      expect(body).toMatch(/<desc id="redemptions-wide-desc">3 from \S+ to \S+, the most on/);
      expect(body).not.toMatch(/ style="/);
      expect(body).toMatch(new RegExp(`aria-current="page"[^>]*>Last ${period} days`));
      expect(rowHeads(body).filter((words) => /^\d\d\.\d\d\.\d{4}$/.test(words))).toHaveLength(
        Number(period) + 1,
      );
      expect(body).toContain("25% of 4 attempts");
      expect(body).toContain("$3.00");
      expect(body).toContain("ABCD-EFGH-JKMN");
      expect(body).toContain("Unknown code");
      expect(body).toContain("$1.75");
      expect(body).toContain('href="/app/transactions?machine=VM-004"');
    }
  });

  it("sends no part of the library that draws", () => {
    const folder = "build/client/assets";
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts)
      expect(readFileSync(`${folder}/${name}`, "utf8"), name).not.toMatch(/victory/i);
  });

  it("passes over a period that means nothing", async () => {
    const { status, body } = await show("/app/machines/VM-004?period=8");
    expect(status).toBe(200);
    expect(body).toContain("The value of 'period' is not valid.");
    expect(body).toMatch(/aria-current="page"[^>]*>Last 30 days/);
  });

  it("says on the page of a deleted machine that it is deleted", async () => {
    expect((await show(paths.machine("GONE-1"))).body).toMatch(
      /Deleted from SmartVend since \d\d\./,
    );
  });
});

const call = (path: string) => server.call("GET", path, { token });

describe("GET /api/machine/{serial}/promotions", () => {
  it("answers pages", async () => {
    const first = (await call("/api/machine/VM-001/promotions")).json;
    expect(first).toMatchObject({ total: 27, active_promotions: 29, page: 1, per_page: 25 });
    expect(first.promotions).toHaveLength(25);
    expect(first.promotions[0]).toEqual({
      name: "Festival & fair",
      discount_type: "percentage",
      discount_value: 25,
      is_single_use: false,
      promotion_id: null,
      mass_generation_id: expect.any(Number),
      codes: 3,
    });
    const all = (await call("/api/machine/VM-001/promotions?per_page=100")).json;
    expect(all.promotions.slice(0, 25)).toEqual(first.promotions);
    expect(all.promotions.at(-1)).toMatchObject({
      name: "Single 1",
      is_single_use: true,
      codes: 1,
    });
    expect(all.promotions.at(-2)).toMatchObject({ discount_type: "free_drink", discount_value: 5 });
    const behind = (await call("/api/machine/VM-001/promotions?page=3")).json;
    expect(behind).toMatchObject({ promotions: [], total: 27, page: 3 });
  });

  it.each(["per_page=101", "per_page=0", "page=-1", "page=1.5", "search=x"])(
    "refuses %s",
    async (search) => {
      const { status, json } = await call(`/api/machine/VM-001/promotions?${search}`);
      expect(status).toBe(400);
      expect(Object.keys(json.fields)).toEqual([search.split("=")[0]]);
    },
  );
});
