import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { promotionList } from "../../app/features/promotions/list/promotion-filters";
import { listColumns, optionalColumns } from "../../app/features/promotions/list/list-columns";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertTransaction } from "../factories/transactions";
import { plainBrowser } from "../support/plain-browser";
import { openSessionOf, useServer } from "../support/server";
import { lockTable } from "../support/database-sessions";

const server = useServer();
let cookie = "";

beforeAll(async () => {
  cookie = await openSessionOf();
  await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  for (let number = 10; number < 40; number++) await insertPromotion({ name: `Autumn ${number}` });
  const generation = await insertGeneration({ name: "Batch", num_codes: 2, is_assigned: true });
  await insertCodes(generation, 2);
});

const browse = () => plainBrowser(server, cookie);

describe("the list of promotions without scripts", () => {
  it("applies filters, names them and removes them one by one", async () => {
    const list = await browse().open("/app/qr-list");
    const filtered = await list.press("Apply", {
      created_after: "01/01/2020",
      type: "single",
      text: "autumn 1",
    });
    expect(filtered.address).toBe(
      "/app/qr-list?created_after=01%2F01%2F2020&type=single&text=autumn+1",
    );
    expect(filtered.rowHeaders).toHaveLength(10);
    expect(filtered.text).toContain("Created after: 01.01.2020");
    expect(filtered.text).not.toContain("Mass Gen ");
    const without = await filtered.follow("Remove Name or code: autumn 1");
    expect(without.valuesOf("text")).toEqual([""]);
    expect(without.text).toContain("1–25 of 30");
    const cleared = await without.follow("Clear all");
    expect(cleared.valuesOf("created_after")).toEqual([""]);
    expect(cleared.text).toContain("1–25 of 32");
  });

  it("ignores a text that is too long, as a pasted list of codes is, and says so", async () => {
    const list = await browse().open("/app/qr-list");
    const found = await list.press("Apply", { text: "ABCD-EFGH-JKMN ".repeat(300) });
    expect(found.status).toBe(200);
    expect(found.text).toContain("The value of 'text' is not valid, so 'Name or code' is ignored.");
  });

  it("takes days that are typed over a quick choice for the choice", async () => {
    await insertPromotion({ name: "Old", created_at: "2020-02-01T12:00Z" });
    const recent = await browse().open("/app/qr-list?text=old&created=7d");
    expect(recent.rowHeaders).toEqual([]);
    const typed = { created_after: "01/01/2020", created_before: "01/03/2020" };
    const old = await recent.press("Apply", typed);
    expect(old.address).not.toContain("created=");
    expect(old.rowHeaders).toHaveLength(1);
    const wrong = await recent.press("Apply", { created_after: "x" });
    expect(wrong.address).toContain("created=7d");
    await db()("promotions").where({ name: "Old" }).delete();
  });

  it("names on each button what is set behind it, and has chips in the order of the controls", async () => {
    const buttons = ({ html }: { html: string }) =>
      [...html.matchAll(/<summary[^>]*>([^<]*) <svg/g)].map(([, text]) => text!.trim());
    const list = await browse().open("/app/qr-list");
    expect(buttons(list)).toEqual(
      expect.arrayContaining(["Status: any", "Created: any", "Machine: any", "More filters"]),
    );
    const all = "created=7d&serial_number=VM-1&text=autumn&type=single&is_used=false&status=active";
    const filtered = await browse().open(`/app/qr-list?${all}`);
    expect(buttons(filtered)).toEqual(
      expect.arrayContaining(["Status: Active", "Created: last 7 days", "More filters (1)"]),
    );
    const chips = [...filtered.html.matchAll(/Remove <\/span>([^:<]+)/g)].map(([, name]) => name);
    expect(chips).toEqual(["Name or code", "Status", "Created", "Serial number", "Type", "Used"]);
  });

  it("finds codes by machine, machine group, name of mass generation, expiration and use", async () => {
    const lobby = (await db()("machines").where({ serial_number: "VM-1" }).first("id")).id;
    const groupId = await insertGroup([lobby]);
    const grouped = await insertPromotion({ name: "At a group", activation_count: 1 });
    await assign("promotions", grouped, { group_id: groupId });
    const list = await browse().open("/app/qr-list");
    const found = async (filters: Record<string, string>) =>
      (await list.press("Apply", filters)).rowHeaders.map((name) => name.split(" ")[0]);
    expect(await found({ machine: "lob" })).toEqual(["At"]);
    expect(await found({ group: groupId })).toEqual(["At"]);
    expect(await found({ mass_generation: "batc" })).toEqual(["Summer", "Summer"]);
    expect(await found({ use: "used", expires: "none", text: "group" })).toEqual(["At"]);
    expect(await found({ use: "unused", text: "group" })).toEqual([]);
    await db()("assignments").where({ group_id: groupId }).delete();
    await db()("promotions").where({ id: grouped }).delete();
  });

  it("keeps what filters of earlier addresses mean", async () => {
    const list = await browse().open("/app/qr-list?is_used=true&is_indefinite=true&text=autumn");
    expect(list.text).toContain("Nothing matches");
    const more = await list.press("Apply", { type: "single" });
    expect(more.address).toContain("is_used=true&is_indefinite=true");
    const unused = await list.follow("Remove Used: yes");
    expect(unused.address).toBe("/app/qr-list?is_indefinite=true&text=autumn");
    expect(unused.text).toContain("1–25 of 30");
  });

  it("says how many rows a bulk action on all of them would be for", async () => {
    const list = await browse().open("/app/qr-list?page=1");
    expect(list.text).toContain("All 32 codes");
    const campaigns = await list.follow("Campaigns");
    expect(campaigns.text).toContain("All 31 campaigns");
    const filtered = await list.press("Apply", { text: "autumn" });
    expect(filtered.text).toContain("All 30 that match");
  });

  it("offers periods, and a way out when nothing matches", async () => {
    const recent = await (await browse().open("/app/qr-list")).follow("Last 30 days");
    expect(recent.text).toContain("Created: last 30 days");
    const nothing = await recent.press("Apply", { serial_number: "no such machine" });
    expect(nothing.address).toContain("created=30d");
    expect(nothing.text).toContain("Nothing matches");
    expect((await nothing.follow("Clear filters")).rowHeaders).toHaveLength(25);
  });

  it("doesn't repeat an address in every link that is far longer than any of its own", async () => {
    const long = Array.from({ length: 14 }, (_, index) => `x${index}=${"y".repeat(1_000)}`);
    const { status, body } = await server.send(`/app/qr-list?${long.join("&")}`, { cookie });
    expect(status).toBe(200);
    expect(body.length).toBeLessThan(200_000);
  });

  it("keeps an invalid date in its field and shows the list all the same", async () => {
    const list = await browse().open("/app/qr-list");
    const invalid = await list.press("Apply", { created_after: "31/02/2026" });
    expect(invalid.valuesOf("created_after")).toEqual(["31/02/2026"]);
    expect(invalid.text).toContain("Invalid date. 31/02/2026 doesn't exist: Feb 2026 has 28 days");
    expect(invalid.rowHeaders).toHaveLength(25);
    const reversed = await list.press("Apply", {
      created_after: "10/11/2026",
      created_before: "09/11/2026",
    });
    expect(reversed.text).toContain(
      "Created Before cannot be earlier than Created After, 10.11.2026",
    );
  });

  it("keeps the filter of a machine group that is gone when another one is applied", async () => {
    const list = await browse().open("/app/qr-list?group=999");
    expect(list.text).toContain("Nothing matches");
    const applied = await list.press("Apply", { type: "single" });
    expect(applied.text).toContain("Machine group: 999");
    expect(applied.text).toContain("Nothing matches");
  });

  it("remembers columns, rows per page and order, and an address overrides them", async () => {
    const browser = browse();
    const list = await browser.open("/app/qr-list");
    const columns = list.valuesOf("columns").filter((column) => column !== "renewable");
    const narrow = await list.press("Apply columns", { columns });
    expect(narrow.html).not.toMatch(/>Renewable<\/a>/);
    const short = await narrow.press("Go", { per_page: "10" });
    expect(short.rowHeaders).toHaveLength(10);
    await short.follow("Name");
    const again = await browser.open("/app/qr-list");
    expect(again.rowHeaders).toHaveLength(10);
    expect(again.html).toContain('aria-sort="ascending"');
    expect(again.html).not.toMatch(/>Renewable<\/a>/);
    const other = await browser.open("/app/qr-list?per_page=25&sort=-created&hide=-");
    expect(other.rowHeaders).toHaveLength(25);
    expect(other.html).toMatch(/>Renewable<\/a>/);
  });

  it("shows machine groups, creators and recent redemptions once they are chosen", async () => {
    const user = await db()("users").first("id", "email");
    const machine = await db()("machines").where({ serial_number: "VM-1" }).first("id");
    const groupId = await insertGroup([machine.id], { name: "North" });
    const generation = await insertGeneration({
      name: "Chosen",
      num_codes: 3,
      created_by: user.id,
    });
    await insertCodes(generation, 3);
    await assign("mass_generations", generation, { group_id: groupId });
    const codes = await db()("promotions").where({ mass_generation_id: generation });
    for (const { id } of codes.slice(1)) {
      await db()("promotions").where({ id }).update({ activation_count: 1, period_uses: 1 });
      await insertTransaction({ promotion_id: id, machine_id: machine.id });
      await insertTransaction({
        promotion_id: id,
        machine_id: machine.id,
        created_at: "2026-01-02T12:00:00Z",
      });
    }
    const browser = browse();
    const list = await browser.open("/app/qr-list?view=campaigns&text=chosen");
    expect(list.text).not.toContain("North ·");
    const chosen = await list.press("Apply columns", {
      columns: [...list.valuesOf("columns"), ...Object.keys(optionalColumns)],
    });
    expect(chosen.text).toContain(`North · by ${user.email} · last redeemed`);
    expect(chosen.text).toContain("2 in 7 days");
    const each = await browser.open("/app/qr-list?view=&text=chosen");
    expect(each.text.match(/never redeemed · 0 in 7 days/g)).toHaveLength(1);
    expect(each.text.match(/1 in 7 days/g)).toHaveLength(2);
    await db()("transactions").delete();
    await db()("promotions").where({ mass_generation_id: generation }).delete();
    await db()("mass_generations").where({ id: generation }).delete();
  });

  it("leads forward and back by links that keep the order", async () => {
    const first = await browse().open("/app/qr-list?per_page=10&sort=name");
    expect(first.text).toContain("1–10 of 32");
    const second = await first.follow("Next");
    expect(second.text).toContain("11–20 of 32");
    expect(new Set([...first.rowHeaders, ...second.rowHeaders]).size).toBe(20);
    expect((await second.follow("Previous")).rowHeaders).toEqual(first.rowHeaders);
  });

  it("is sorted by each of its columns", async () => {
    const list = await browse().open("/app/qr-list?hide=-&text=batch");
    const sorts: string[] = [];
    const sortable = Object.entries(listColumns).filter(([name]) => !(name in optionalColumns));
    for (const heading of ["Name", ...sortable.map(([, heading]) => heading)]) {
      const sorted = await list.follow(heading);
      expect(sorted.html).toMatch(/<th[^>]* aria-sort/);
      sorts.push(new URLSearchParams(sorted.address.split("?")[1]).get("sort")!.replace("-", ""));
    }
    expect(sorts.toSorted()).toEqual(Object.keys(promotionList.sorts).toSorted());
  });

  it("is refreshed with a message, and keeps its filters", async () => {
    const list = await browse().open("/app/qr-list?type=single&sort=name");
    const refreshed = await list.press("Refresh");
    expect(refreshed.text + refreshed.html).toContain("Data refreshed successfully");
    expect(refreshed.address).toContain("type=single");
  });

  it("tells the failure alone when it is refreshed and can't be read", async () => {
    const list = await browse().open("/app/qr-list?type=single");
    await lockTable("promotions");
    const failed = await list.press("Refresh");
    expect(failed.status).toBe(503);
    expect(failed.text).toContain("Failed to fetch promotions: The server could not answer");
    expect(failed.html).not.toContain("Data refreshed successfully");
    expect(failed.hrefOf("Try Again")).toContain("type=single");
  });

  it("selects the whole page by a link", async () => {
    const list = await browse().open("/app/qr-list?text=batch");
    expect(list.valuesOf("ids")).toEqual([]);
    const selected = await list.follow("Select this page");
    expect(selected.valuesOf("ids")).toHaveLength(2);
    const question = await selected.press("Deactivate");
    expect(question.text).toContain("Deactivate 2 codes");
  });

  it("ticks the rows of no other page, order or filter after a whole page was selected", async () => {
    const list = await browse().open("/app/qr-list?type=single");
    const selected = await list.follow("Select this page");
    expect(selected.valuesOf("ids")).toHaveLength(25);
    const others = [
      await selected.follow("Next"),
      await selected.follow("Name"),
      await selected.follow("Remove Type: Single"),
      await selected.press("Apply", { text: "autumn" }),
      await selected.press("Refresh"),
      await (await selected.follow("Machines of Autumn 39")).follow("Close"),
    ];
    for (const { address, valuesOf } of others)
      expect([address, valuesOf("ids")]).toEqual([address, []]);
  });

  it("shows campaigns, acts on all codes of one, and opens with them again", async () => {
    const browser = browse();
    const campaigns = await (await browser.open("/app/qr-list")).follow("Campaigns");
    expect(campaigns.address).toBe("/app/qr-list?view=campaigns");
    expect(campaigns.text).toContain("31 campaigns");
    expect(campaigns.text).toContain("2 codes");
    const filtered = await campaigns.press("Apply", { text: "batch" });
    expect(filtered.rowHeaders).toHaveLength(1);
    const cleared = await filtered.follow("Clear all");
    expect(cleared.address).toContain("view=campaigns");

    const question = await filtered.follow("Deactivate Batch, 2 codes");
    expect(question.text).toContain("Deactivate 2 codes");
    const selected = await (await filtered.follow("Select this page")).press("Deactivate");
    expect(selected.text).toContain("Deactivate 2 codes");
    const all = await filtered.press("Deactivate", { all: "true" });
    expect(all.text).toContain("Deactivate 2 codes");

    expect((await browser.open("/app/qr-list")).address).toBe("/app/qr-list?view=campaigns");
    await browser.open("/app/qr-list?mass_generation_id=1");
    const again = await browser.open("/app/qr-list");
    expect(again.address).toBe("/app/qr-list?view=campaigns");
    await again.follow("All codes");
    expect((await browser.open("/app/qr-list")).address).toBe("/app/qr-list");
  });

  it("leads to the campaigns before any row is read", async () => {
    await lockTable("promotions");
    const answer = await server.send("/app/qr-list?_data=routes%2Fapp.qr-list", {
      cookie: `${cookie}; view=campaigns`,
    });
    expect(answer.headers["x-remix-redirect"]).toBe("/app/qr-list?view=campaigns");
  });

  it("leads from codes of mass generations to the campaigns that the same filters let through", async () => {
    const codes = await browse().open("/app/qr-list?text=a&sort=-used&per_page=50");
    expect(codes.text).toContain("match only the beginning of a code");
    expect(codes.text).not.toContain("Show campaigns");
    const batch = await browse().open("/app/qr-list?discount_type=percentage&sort=-used");
    expect(batch.text).toContain("2 of these 25 codes belong to 1 mass generation. Show campaigns");
    const all = await browse().open("/app/qr-list?type=mass");
    expect(all.text).toMatch(/All \d+ codes belong to \d+ mass generations?\. Show campaigns/);
    const campaigns = await batch.follow("Show campaigns");
    expect(campaigns.address).toBe("/app/qr-list?discount_type=percentage&view=campaigns");
    expect(campaigns.text).toContain("31 campaigns");
    expect(campaigns.text).not.toContain("Show campaigns");
    const single = await browse().open("/app/qr-list?type=single");
    expect(single.text).not.toContain("Show campaigns");
  });

  it("shows deleted promotions in a view of their own, without a chip that repeats its tab", async () => {
    const browser = browse();
    await insertPromotion({ name: "Withdrawn", is_deleted: true });
    const list = await browser.open("/app/qr-list?view=campaigns");
    const deleted = await (await list.follow("All codes")).follow("Deleted");
    expect(deleted.rowHeaders).toHaveLength(1);
    expect(deleted.text).not.toContain("Deleted: only");
    const nothing = await deleted.press("Apply", { text: "autumn" });
    expect(nothing.text).toContain("Nothing matches");
    expect((await nothing.follow("Clear filters")).rowHeaders).toHaveLength(1);
    expect((await nothing.follow("All codes")).rowHeaders).toHaveLength(25);
    await db()("promotions").where({ name: "Withdrawn" }).delete();
    expect((await deleted.follow("Deleted")).text).toContain("No deleted codes");
  });
});

describe("entry points", () => {
  it.each(["/", "/app"])("%s leads to the dashboard", async (path) => {
    const page = await browse().open(path);
    expect(page.address).toBe("/app/dashboard");
    expect(page.text).toMatch(/\d{1,2} \w+ \d{4}, \w+day/);
    for (const card of ["Free Drink Promos", "Percentage Promos", "Total Promos"])
      expect(page.text).toContain(card);
  });

  it.each([
    ["/app/support", "A machine refuses a code"],
    ["/app/faq", "Why does no machine accept my code?"],
  ])("%s is under development, answers what it can, and has no script", async (path, question) => {
    const page = await browse().open(path);
    expect(page.text).toContain("This section is under development");
    expect(page.text).toContain(question);
    expect(page.html).not.toContain("<script");
  });

  it("the chosen theme, mode and lite mode come with the next page", async () => {
    const browser = browse();
    const check = await browser.open("/app/check");
    const dark = await check.press("Apply", { theme: "secondary", mode: "dark" });
    expect(dark.html).toMatch(/<html[^>]*class="[^"]*theme-secondary[^"]*mode-dark/);
    const lite = await dark.press("Apply", { lite: ["off", "on"] });
    expect(lite.html).not.toContain("<script");
  });
});
