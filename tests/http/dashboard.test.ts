import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { loadSite } from "../../app/db/site.server";
import { countPromotionsByMachine } from "../../app/features/promotions/manage-machines/machine-promotions.server";
import { periods } from "../../app/features/reports/period";
import { refusalReasons } from "../../app/features/redemptions/refusal-reason";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { textOfMain } from "../support/html";
import { all, attribute, parsePage, rawTextOf } from "../support/html-forms";
import { isSoak } from "../support/repetitions";
import { issueTokenOf, useServer } from "../support/server";
import { useSession } from "../support/session";
import { lockTable } from "../support/database-sessions";

const server = useServer({ environment: { MAX_CODES: "500" } });
const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day);
const admin = useSession(server);
const clerk = useSession(server, "clerk@example.com");
const { get, page, post } = clerk;
beforeAll(() => loadSite());

const ask = (search = "") => get(`/app/dashboard${search}`);

/** Every link of a page with its text. */
const linksOf = (body: string) =>
  all(parsePage(body.slice(body.indexOf("<main"), body.indexOf("</main"))), "a").map((link) => ({
    text: rawTextOf(link),
    to: attribute(link, "href") ?? "",
  }));

it("says in the form of a code that there is no machine to choose", async () => {
  const body = await page("/app/qr-generation");
  expect(body).toContain("No machines to choose from.");
  expect(body).not.toContain("Every machine is selected.");
});

/** The number of rows that a list says it has. */
async function countRows(to: string): Promise<number> {
  const { status, body } = await get(to);
  expect(status, to).toBe(200);
  expect(body.includes("this filter is ignored"), to).toBe(false);
  const [, count] = /<p role="status"[^>]*><span>(?:\S+ of )?([\d,]+)\+? /.exec(body)!;
  return Number(count!.replace(",", ""));
}

it("begins with first steps, which lead each role to what it may do, until they are hidden", async () => {
  const { body } = await ask();
  expect(body).toContain("0 of 5 done");
  // The tests' platform answers nobody.
  expect(body).toContain("SmartVend can't be reached.");
  expect(body).toContain("Create your first QR code");
  expect(body).toContain("One code, or up to 500 at once.");
  expect(body).toContain("An admin creates a key for machines on Integrations.");
  expect(linksOf(body).map(({ to }) => to)).not.toContain("/app/integrations");
  expect(linksOf(await admin.page("/app/dashboard")).map(({ to }) => to)).toContain(
    "/app/integrations",
  );
  expect(textOfMain(body)).toMatch(/Recent Transactions ?No redemptions yet. ?All transactions/);
  const hidden = await post("/preferences", { steps: "hidden", returnTo: "/app/dashboard" });
  const preference = hidden.headers["set-cookie"]!.map((cookie) => cookie.split(";")[0]).join("; ");
  const cookie = `${clerk.cookie}; ${preference}`;
  expect((await get("/app/dashboard", { cookie })).body).not.toContain("of 5 done");
  expect(await page("/app/support")).toContain("Show first steps");
});

it("offers one way to a first promotion on an empty QR List", async () => {
  const created = linksOf(await page("/app/qr-list")).filter(
    ({ to }) => to === "/app/qr-generation",
  );
  expect(created.map(({ text }) => text)).toEqual(["Create your first QR code"]);
});

it("ticks the download of codes by calls of the API, too", async () => {
  const headers = { Authorization: `Bearer ${await issueTokenOf()}` };
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.origin}/api/${path}`, { headers, ...init });
  const steps = async () => /\d of 5 done/.exec((await ask()).body)?.[0];
  const body = {
    name: "Summer",
    num_codes: 1,
    discount_type: "percentage",
    discount_value: 25,
    is_single_use: true,
    is_renewable: false,
    expiration_date: null,
    machines: [],
  };
  const json = { ...headers, "Content-Type": "application/json" };
  const generate = { method: "POST", headers: json, body: JSON.stringify(body) };
  for (const [path, init] of [
    ["generate_codes", generate],
    ["download_archive/1"],
    ["promotion/1/download_qr"],
  ] as const) {
    const { status } = await call(path, init);
    expect([path, status, await steps()]).toEqual([path, 200, "2 of 5 done"]);
    await db()("site_settings").update({ codes_downloaded_at: null });
    expect(await steps()).toBe("1 of 5 done");
  }
  await server.send("/app/qr-generation/1/archive.zip", { method: "HEAD", cookie: admin.cookie });
  expect(await steps(), "asked for its size alone").toBe("1 of 5 done");
});

describe("with a history", () => {
  beforeAll(async () => {
    const machines = [await insertMachine({ serial_number: "VM-1" }), await insertMachine()];
    await insertMachine({ is_deleted: true });
    const drinks = (discount_value: number) => ({
      discount_type: "free_drink",
      discount_value,
      is_assigned: true,
    });
    const usedUp = { ...drinks(3), period_uses: 3, activation_count: 3 };
    const promotions = [
      await insertPromotion({ name: "Summer", is_assigned: true }),
      await insertPromotion({ ...drinks(20), expires_at: ago(-3) }),
      // The number of uses equals the transactions below that are not rolled back.
      await insertPromotion(drinks(10)),
      await insertPromotion({ ...usedUp, is_renewable: true, period_key: 209_901 }),
      await insertPromotion({ is_assigned: true, expires_at: ago(0.01) }),
      await insertPromotion({ ...drinks(9), expires_at: ago(0.02) }),
    ];
    await insertPromotion({ is_assigned: false });
    await insertPromotion({ is_active: false });
    await insertPromotion({ is_assigned: true, starts_at: ago(-2) });
    await insertPromotion({ is_deleted: true, expires_at: ago(1) });
    const generation = await insertGeneration({ num_codes: 12, is_assigned: true });
    await insertCodes(generation, 12);
    await assign("mass_generations", generation, { machine_id: machines[0]!.id });
    const later = await insertGeneration({ num_codes: 2, is_assigned: true, starts_at: ago(-2) });
    await insertCodes(later, 1);
    await insertPromotion({ mass_generation_id: later, is_assigned: true });
    await countPromotionsByMachine();
    let made = 0;
    await db().transaction(async (trx) => {
      await trx("transactions").insert(
        promotions.flatMap((promotion, nth) =>
          [0, 0, 0.001, 1, 2, 5, 9, 20, 33, 70, 360].map((days) => ({
            redemption_id: `dashboard-${made++}`,
            promotion_id: promotion,
            machine_id: machines[nth % 2]!.id,
            type: nth % 2 ? "free_drink" : "percentage",
            original_price: 200,
            discount: nth % 2 ? 200 : 50,
            created_at: ago(days),
            ...(made % 7 === 0 && { status: "rolled_back", rolled_back_at: new Date() }),
          })),
        ),
      );
      await trx.raw(
        `update promotions p set period_uses = used.number, activation_count = used.number
         from (select promotion_id, count(*) as number from transactions
           where status = 'applied' group by promotion_id) used
         where used.promotion_id = p.id and p.max_uses is not null and not p.is_renewable`,
      );
    });
    await db()("redemption_attempts").insert(
      refusalReasons.flatMap((outcome, nth) =>
        [0, 0.001, 3, 40].map((days) => ({
          redemption_id: `refused-${made++}`,
          code: "ABCDEFGHJKMN",
          serial_number: "VM-1",
          original_price: 100,
          outcome,
          machine_id: outcome === "machine_unknown" ? null : machines[0]!.id,
          promotion_id: nth > 1 ? promotions[0] : null,
          created_at: ago(days),
        })),
      ),
    );
  });

  it.each(isSoak ? periods : (["week"] as const))(
    "links each number of %s to exactly as many rows",
    async (period) => {
      const { status, body } = await ask(`?period=${period}`);
      expect(status).toBe(200);
      const list =
        /<dt><a [^>]*href="([^"]+)"[^>]*>([^<]+)<\/a><\/dt><dd>(?:<span[^>]*>)?([\d,]+)(?:<\/span> ?)?<\/dd>/g;
      const states = [...body.matchAll(list)].map(([, to, text, count]) => ({
        text: text!,
        to: to!,
        count: Number(count!.replace(",", "")),
      }));
      expect(states.map(({ text }) => text)).toEqual([
        "Active",
        "Expiring within 7 days",
        "Not assigned",
        "Scheduled",
        "Used up",
        "Expired",
        "High",
        "Medium",
        "Low",
        "Inactive",
        "Free Drink Promos",
        "Percentage Promos",
        "Total Promos",
      ]);
      const events = linksOf(body).flatMap(({ text, to }) => {
        const count = /^([\d,]+)( [A-Za-z ]+)?$/.exec(text);
        return count && !/^\/app\/(machines\/|dashboard)/.test(to)
          ? [{ text, to, count: Number(count[1]!.replace(",", "")) }]
          : [];
      });
      // Redemptions, drinks, percentages, all refusals and each reason, completed promotions.
      expect(events).toHaveLength(3 + 1 + refusalReasons.length + 1);
      for (const { text, to, count } of [...states, ...events]) {
        expect({ text, to, rows: await countRows(to) }).toEqual({ text, to, rows: count });
        if (!/Inactive|Low|Medium|Not assigned/.test(text)) expect(count, text).toBeGreaterThan(0);
      }
    },
  );

  it("shows this month by default, and says which value of the URL it can't use", async () => {
    const { body } = await ask();
    expect(body).toMatch(/aria-current="page"[^>]*>This month</);
    expect(body).toContain("Redemptions per day");
    const wrong = await ask("?period=decade");
    expect(wrong.body).toMatch(/aria-current="page"[^>]*>This month</);
    expect(wrong.body).toContain("The value of 'period' is not valid");
  });

  it.each([
    ["today", 24],
    ["week", 7],
    ["month", 31],
    ["year", 12],
  ])("has a table of the same numbers beside the chart of %s", async (period, places) => {
    const { body } = await ask(`?period=${period}`);
    const table = body.slice(body.indexOf('id="redemptions-table"'));
    const rows = [
      ...table
        .slice(0, table.indexOf("</table>"))
        .matchAll(/<th scope="row"[^>]*>[^<]*<\/th><td[^>]*>([\d,]+|–)</g),
    ];
    expect(rows).toHaveLength(places);
    const sum = rows.reduce((sum, [, value]) => sum + (value === "–" ? 0 : Number(value)), 0);
    const redemptions = linksOf(body).find(({ to }) => to.startsWith("/app/transactions?"))!;
    expect(redemptions.text).toBe(`${sum} Redemptions`);
  });

  it("shows the newest transactions, as many and in the order that were chosen", async () => {
    const rowsOf = (body: string) => {
      const table = body.slice(body.indexOf('aria-label="Recent Transactions"'));
      return [...table.matchAll(/<th scope="row"/g)].length;
    };
    expect(rowsOf((await ask()).body)).toBe(5);
    const ten = await ask("?period=week&per_page=10&sort=-discount");
    expect(rowsOf(ten.body)).toBe(10);
    expect(ten.headers["set-cookie"]?.join()).toContain("dashboard=10");
    expect(ten.body).toMatch(/aria-sort="descending"><a[^>]*>Discount/);
    expect(ten.body).toContain("$2.00 → $0.00");
    expect(ten.body).toContain("$2.00 off");
    expect((await ask("?sort=type")).body).toMatch(/aria-sort="ascending"><a[^>]*>Type/);
    expect(ten.body).toMatch(/>Applied</);
  });
});

it.each([
  ["figures", "machine_promotion_counts"],
  ["first steps", "assignments"],
])("says that its %s failed to load, and how to try again", async (_part, table) => {
  const holder = await lockTable(table);
  const { status, body } = await admin.get("/app/dashboard?period=week");
  expect(status).toBe(503);
  expect(body).toContain("Failed to load dashboard data");
  const again = linksOf(body).find(({ text }) => text === "Try Again");
  expect(again?.to).toBe("/app/dashboard?period=week");
  await holder.rollback();
  expect((await ask("?period=week")).status).toBe(200);
});

describe("refused attempts", () => {
  it("are listed newest first with their reason, and filtered", async () => {
    const list = await page("/app/transactions/refused");
    expect(list).toContain(`${4 * refusalReasons.length} refused attempts`);
    expect(textOfMain(list)).toMatch(/ABCD-EFGH-JKMN VM-1 Lobby Expired \$1\.00/);
    expect(await countRows("/app/transactions/refused?reason=used_up")).toBe(4);
    expect(await countRows("/app/transactions/refused?machine=nowhere")).toBe(0);
    expect(await countRows("/app/transactions/refused?created=7d&machine=m-1")).toBe(
      3 * refusalReasons.length,
    );
    expect(await countRows("/app/transactions/refused?code=abcd-efgh-jkmn")).toBe(
      4 * refusalReasons.length,
    );
    expect(await countRows("/app/transactions/refused?code=ABCD")).toBe(0);
    expect(await countRows("/app/transactions/refused?code=jkmn&reason=unknown")).toBe(4);
  });
});

it("sets a figure of the period before apart from the change in percent", async () => {
  await db()("redemption_attempts").insert(
    Array.from({ length: 20 }, (_, nth) => ({
      redemption_id: `last-year-${nth}`,
      code: "ABCDEFGHJKMN",
      serial_number: "VM-1",
      original_price: 100,
      outcome: "unknown",
      created_at: db().raw("date_trunc('year', now()) - interval '1 year'"),
    })),
  );
  const { body } = await ask("?period=year");
  expect(textOfMain(body)).toMatch(/ 20\d\d: 20 · \d+% (better|worse)/);
});
