import { beforeAll, describe, expect, it } from "vitest";
import { loadSite } from "../../app/db/site.server";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { textOfMain, textsOf } from "../support/html";
import { readCsv } from "../support/read-csv";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const { get, page } = useSession(useServer(), "clerk@example.com");

beforeAll(async () => {
  await loadSite();
  const lobby = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  const idle = await insertMachine({ serial_number: "VM-2", human_name: "Canteen" });
  await insertGroup([lobby.id, idle.id], { name: "Route 1" });
  const generation = await insertGeneration({
    name: "=Festival",
    num_codes: 4,
    is_single_use: true,
    is_assigned: true,
  });
  const codes = await insertCodes(generation, 4, { is_single_use: true });
  await assign("mass_generations", generation, { machine_id: lobby.id });
  const drinks = await insertPromotion({
    name: "Coffee",
    discount_type: "free_drink",
    discount_value: 5,
    period_uses: 2,
    activation_count: 2,
  });
  await assign("promotions", drinks, { machine_id: lobby.id });
  await countPromotionsByMachine();
  const redeem = (promotion_id: string, at: string, more: object = {}) =>
    insertTransaction({ promotion_id, machine_id: lobby.id, created_at: new Date(at), ...more });
  await redeem(codes[0]!, "2026-06-02T10:00:00Z");
  await redeem(codes[1]!, "2026-06-30T21:59:59Z");
  await redeem(codes[2]!, "2026-06-30T22:00:00Z");
  const drink = { type: "free_drink", original_price: 150, discount: 150 };
  await redeem(drinks, "2026-06-10T08:00:00Z", drink);
  await redeem(drinks, "2026-05-10T08:00:00Z", drink);
  await redeem(drinks, new Date().toISOString(), { ...drink, original_price: 180, discount: 180 });
  const undone = { ...drink, status: "rolled_back", rolled_back_at: new Date() };
  await redeem(drinks, "2026-06-11T08:00:00Z", undone);
  for (const outcome of ["used_up", "used_up", "expired"])
    await insertRefusals(1, {
      outcome,
      machine_id: lobby.id,
      promotion_id: codes[0],
      created_at: new Date("2026-06-03T10:00:00Z"),
    });
  // Attempted before the machine was added.
  await insertRefusals(1, {
    outcome: "machine_unknown",
    created_at: new Date("2026-06-01T10:00:00Z"),
  });
});

const june = "from=01/06/2026&to=30/06/2026";
const ask = (search = "") => get(`/app/reports?${search}`);
let reportOfJune = "";
beforeAll(async () => {
  const { status, body } = await ask(june);
  expect(status).toBe(200);
  reportOfJune = body;
});
const csv = async (search: string) => readCsv(await page(`/app/reports/export.csv?${search}`));

describe("a report", () => {
  it("says what came of mass generations in a month, in the site's days", () => {
    expect(reportOfJune).toContain("1–30 June 2026");
    const cells = textsOf(reportOfJune, "td");
    expect(textsOf(reportOfJune, "th")).toEqual(expect.arrayContaining(["=Festival "]));
    expect(cells).toEqual(
      expect.arrayContaining(["4", "2", "50%", "$1.00", "02.06.2026", "30.06.2026"]),
    );
    expect(reportOfJune).toContain("1\u00a0expired, 2\u00a0used up");
    expect(textsOf(reportOfJune, "dd")[0]).toMatch(/^3 1–31 May: 1$/);
  });

  it("names the time to which the last day is counted that it is compared with", async () => {
    const { body } = await ask("period=7d");
    expect(textOfMain(body)).toMatch(/\d{4}, compared with .+? until \d\d:\d\d/);
  });

  it.each([
    ["generation", "", [["4", "2", "3"]]],
    ["promotion", "", [["1", "1", "0"]]],
    [
      "machine",
      "",
      [
        ["5", "3", "3"],
        ["0", "0", "0"],
      ],
    ],
    ["group", "", [["5", "3", "3"]]],
    ["machine", "&machine=vm-2", [["0", "0", "0"]]],
    ["generation", "&machine=VM-2", []],
    ["generation", "&machine=nowhere", []],
    ["promotion", "&generation=1", []],
    ["generation", "&generation=1", [["4", "2", "3"]]],
    [
      "machine",
      "&group=1&generation=1",
      [
        ["5", "2", "3"],
        ["0", "0", "0"],
      ],
    ],
  ])("by %s with %j has the same numbers as CSV", async (by, filter, expected) => {
    const rows = await csv(`by=${by}&${june}${filter}`);
    const [headings = [], ...lines] = rows;
    const at = (name: RegExp) => headings.findIndex((heading) => name.test(heading));
    const columns = [
      at(/^(Issued|Codes accepted now|Most codes at a machine)$/),
      at(/^Redeemed$/),
      at(/^Refused$/),
    ];
    expect(lines.map((line) => columns.map((column) => line[column]))).toEqual(expected);
    const { body } = await ask(`by=${by}&${june}${filter}`);
    expect(body.match(/<th scope="row"[^>]*><a/g)?.length ?? 0).toBe(expected.length);
  });

  it.each(["machine", "group"])(
    "by %s has first and last use of the chosen campaign alone",
    async (by) => {
      // Another campaign was redeemed on 10 June.
      const rows = await csv(`by=${by}&from=10/06/2026&to=30/06/2026&generation=1`);
      expect(rows[1]!.slice(-2)).toEqual(["30.06.2026 23:59", "30.06.2026 23:59"]);
    },
  );

  it("leads from its numbers to the transactions and attempts that they count", async () => {
    const linkTo = (body: string, label: string) =>
      /href="([^"]*)"/
        .exec(body.match(/<a [^>]*>/g)!.find((tag) => tag.includes(`aria-label="${label}"`))!)![1]!
        .replaceAll("&amp;", "&");
    const rowsAt = async (address: string) =>
      Number(/<p role="status"[^>]*><span>(?:\S+ of )?(\d+) /.exec(await page(address))![1]);
    const machines = (await ask(`by=machine&${june}`)).body;
    expect(await rowsAt(linkTo(machines, "3 redeemed of Lobby"))).toBe(3);
    expect(await rowsAt(linkTo(machines, "3 refused of Lobby"))).toBe(3);
    const campaigns = (await ask(`${june}&machine=VM-1`)).body;
    expect(await rowsAt(linkTo(campaigns, "2 redeemed of =Festival"))).toBe(2);
    const codes = (await ask(`by=promotion&${june}`)).body;
    expect(await rowsAt(linkTo(codes, "1 redeemed of Coffee"))).toBe(1);
    expect((await ask(`${june}&group=1`)).body).not.toContain("redeemed of =Festival");
  });

  it("says which part of its attempts a machine refused, and mostly why", async () => {
    const { body } = await ask(`by=machine&${june}`);
    expect(textsOf(body, "td")).toContain("50% of 6 mostly used up");
    const [headings = [], line = []] = await csv(`by=machine&${june}`);
    const at = (name: string) => line[headings.indexOf(name)];
    expect([at("Attempts"), at("Refusal rate"), at("Most frequent reason")]).toEqual([
      "6",
      "50%",
      "Used up",
    ]);
  });

  it("names its filters and its time on paper", async () => {
    expect(reportOfJune).toMatch(/As of \d\d\.\d\d\.\d{4} \d\d:\d\d. All machines and campaigns\./);
    expect((await ask(`${june}&machine=VM-1&group=1`)).body).toContain(
      "Filtered by machine VM-1, machine group Route 1.",
    );
  });

  it("values the drinks that are still owed at the price of those that were given", () => {
    expect(reportOfJune).toMatch(/Free drinks outstanding<\/dt><dd>3<\/dd>/);
    expect(reportOfJune).toMatch(
      /Estimated value<\/dt><dd>\$5\.40, at the average price of the last 90 days<\/dd>/,
    );
    expect(reportOfJune).toMatch(/Active percentage codes<\/dt><dd>4<\/dd>/);
  });

  it("has a tab for each period, and none for days that were chosen", async () => {
    const current = (body: string) =>
      [...body.matchAll(/<a aria-current="page"[^>]*>([^<]*)<\/a>/g)].map(([, label]) => label);
    const tabs = async (search: string) => current((await ask(search)).body);
    expect(await tabs("")).toContain("This month");
    expect(await tabs("period=yesterday")).toContain("Yesterday");
    expect(await tabs("period=last-week&by=machine")).toEqual(
      expect.arrayContaining(["Last week", "Machines"]),
    );
    expect(current(reportOfJune)).not.toContain("This month");
    const { body } = await ask(`${june}&by=machine&machine=VM-1`);
    expect(body).toContain('href="/app/reports?by=machine&period=last-month&machine=VM-1"');
  });

  const rowsOf = (body: string, id: string) => {
    const table = body.slice(body.indexOf(`id="${id}"`));
    return textsOf(table.slice(0, table.indexOf("</table>") + 8), "tr");
  };

  it("draws no value of days that are still to come", async () => {
    const { body } = await ask("from=01/06/2026&to=31/12/2090");
    const rows = rowsOf(body, "discounts-table");
    expect(rows[1]).toContain("$2.50");
    expect(rows.at(-1)).toContain("–");
  });

  it("draws no value of days that the period before does not have", async () => {
    const { body } = await ask("from=01/07/2026&to=31/07/2026");
    const rows = rowsOf(body, "discounts-table");
    expect(rows.at(-2)).toMatch(/^30\.07\..*\$0\.00.*\$\d/);
    expect(rows.at(-1)).toMatch(/^31\.07\.[^–]*\$0\.00[^$]*–/);
  });

  it("counts by weekday and hour on the site's clock", () => {
    const rows = rowsOf(reportOfJune, "heat-table");
    // 10:00 UTC on Tuesday 2 June, 23:59 on Tuesday 30 June, 10:00 on Wednesday 10 June.
    expect(rows[13]).toMatch(/^12/);
    expect(rows.join(" ").match(/[1-9]/g)!.length).toBeGreaterThan(3);
  });

  it("keeps its state in the URL, and falls back where a value is wrong", async () => {
    const { body } = await ask(`by=machine&${june}&machine=VM-1`);
    expect(body).toContain("/app/reports/export.csv?by=machine&from=01%2F06%2F2026");
    expect(body).toMatch(/aria-current="page"[^>]*>Machines</);
    const wrong = await ask("period=decade&from=31/02/2026");
    expect(wrong.status).toBe(200);
    expect(wrong.body).toContain("is ignored");
    expect((await get("/app/reports/export.csv?by=nothing")).status).toBe(400);
  });

  it("covers no day before 2000 or after 2099, and says so", async () => {
    for (const days of ["from=31/12/1999", "from=01/01/2000&to=01/01/2100", "to=31/12/9999"]) {
      const { status, body } = await ask(days);
      expect([days, status]).toEqual([days, 200]);
      expect(body).toContain("Enter a date from 01/01/2000 to 31/12/2099");
      expect((await get(`/app/reports/export.csv?${days}`)).status).toBe(400);
    }
    expect((await get("/app/reports/export.csv?from=01/01/2000&to=31/12/2099")).status).toBe(200);
  });

  it("draws each month that it covers, without gaps", async () => {
    const rows = rowsOf((await ask("from=31/03/2026&to=01/07/2026")).body, "discounts-table");
    expect(rows.slice(1).map((row) => row.slice(0, 7))).toEqual([
      "03.2026",
      "04.2026",
      "05.2026",
      "06.2026",
      "07.2026",
    ]);
  });

  it.each([
    ["generation", "=Festival"],
    ["machine", "Lobby"],
  ])("by %s shows the last page in place of one behind it", async (by, name) => {
    const { body } = await ask(`by=${by}&${june}&per_page=10&page=7`);
    expect(body).toContain(name);
    expect(body).toContain("That page has no rows");
  });

  it("says that a campaign is filtered by its number, and shows all", async () => {
    const { body } = await ask("generation=Exam+week");
    expect(textOfMain(body)).toContain("A number is needed, so 'Campaign number' is ignored");
  });

  it("names the values of its filters on the buttons that unfold them", async () => {
    const { body } = await ask("from=01/06/2026&to=30/06/2026&machine=VM-1");
    expect(body).toContain("Days: 01.06.2026 – 30.06.2026");
    expect(body).toContain("Machines: VM-1");
    expect((await ask("")).body).toContain("Days: any");
  });

  it("says what was not used where the other campaigns have its redemptions, and leads to them", async () => {
    const { body } = await ask("from=10/06/2026&to=10/06/2026");
    expect(body).toContain("No mass generation was used in this period");
    expect(body).toMatch(
      /href="\/app\/reports\?by=promotion&from=10%2F06%2F2026[^"]*"[^>]*>Show (<!-- -->)?single codes<\/a>/,
    );
    const { body: empty } = await ask("from=10/06/2020&to=10/06/2020");
    expect(empty).toContain("No mass generation was used in this period");
    expect(empty).not.toMatch(/single codes<\/a>/);
  });

  it("neutralises names that a spreadsheet would take for a formula", async () => {
    const [, line] = await csv(june);
    expect(line).toContain("'=Festival");
  });
});

it("is open to users, from the sidebar and the dashboard", async () => {
  const body = await page("/app/dashboard");
  expect(body).toMatch(/href="\/app\/reports"[^>]*>Latest Reports</);
  expect(body.match(/href="\/app\/reports"/g)).toHaveLength(2);
});
