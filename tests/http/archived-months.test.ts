import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { addMonths, monthOf } from "../../app/features/archived-months/month";
import { formatDateTime } from "../../app/format/date";
import { insertMachine } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion } from "../factories/promotions";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { plainBrowser } from "../support/plain-browser";
import { openSessionOf, useServer } from "../support/server";

const server = useServer();
const archived = addMonths(monthOf(new Date()), -15);
const end = new Date(`${addMonths(archived, 1)}-01T00:00:00Z`);
const note = `Transactions before ${formatDateTime(end, "Europe/Berlin")} are archived.`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const since = (day: string) => `/app/transactions?created_after=${addMonths(archived, 1)}-${day}`;
const reportOf = (month: string, filters = "") =>
  `/app/reports?from=${month}-02&to=${month}-20${filters}`;
let textOf: (path: string) => Promise<string>;
let old: string;
let young: string;

beforeAll(async () => {
  const cookie = await openSessionOf();
  const browser = plainBrowser(server, cookie);
  textOf = async (path) => (await browser.open(path)).text;
  const machine = await insertMachine({ serial_number: "VM-7" });
  old = await insertPromotion({ created_at: daysAgo(700), activation_count: 2, period_uses: 2 });
  young = await insertPromotion({ created_at: daysAgo(3) });
  await insertTransaction({ promotion_id: old, machine_id: machine.id });
  await db()("archived_months").insert({
    month: `${archived}-01`,
    transactions: 1,
    redemptions: 1,
    discount: 50,
    attempts: 1,
    events: 0,
    sha256: "",
    is_removed: true,
  });
  const month = `${archived}-01`;
  const sums = { archived_month: month, month, campaign_id: old, redemptions: 1, discount: 70 };
  await db()("archived_campaign_activity").insert(sums);
});

describe("a screen whose period reaches into archived months", () => {
  it.each([
    ["the end of the list of transactions", () => "/app/transactions"],
    ["transactions of chosen days", () => "/app/transactions?created_before=2020-01-01"],
    // In Berlin, the day begins an hour or two before.
    ["transactions since a day that is cut", () => since("01")],
    ["the page of an old code", () => `/app/qr-list/${old}`],
    ["the page of a machine", () => "/app/machines/VM-7"],
    ["a report", () => "/app/reports?from=01%2F01%2F2025"],
    // Its campaign is compared with the month before, of which no sums by day are stored.
    [
      "a report of a campaign and the month after",
      () => reportOf(addMonths(archived, 1), "&generation=1"),
    ],
  ])("says so: %s", async (_name, path) => {
    expect(await textOf(path())).toContain(note);
  });
});

it("says of a redemption id, also in the search, that its attempt is archived", async () => {
  const created_at = new Date(`${archived}-05T12:00:00Z`);
  const recorded = { redemption_id: "till-9/1", integration_id: 1, attempt_id: 1, created_at };
  await db()("redemption_ids").insert(recorded);
  const time = formatDateTime(created_at, "Europe/Berlin");
  for (const path of ["/app/transactions?redemption=till-9%2F1", "/app/search?q=till-9%2F1"])
    expect(await textOf(path)).toContain(
      `The attempt with this redemption ID, of ${time}, is archived.`,
    );
  expect(await textOf("/app/transactions?redemption=till-9")).toContain(note);
});

it("counts archived transactions of a single code in the discount it has given", async () => {
  expect(await textOf(`/app/qr-list/${old}`)).toContain("Discount given$1.20");
});

it("says at the discount of a code of a mass generation that transactions are archived", async () => {
  const massGenerationId = await insertGeneration();
  const id = await insertPromotion({
    mass_generation_id: massGenerationId,
    created_at: daysAgo(700),
  });
  expect(await textOf(`/app/qr-list/${id}`)).toContain(`Discount given$0.00 ${note}`);
});

it("says that refused attempts are archived at the end of their list", async () => {
  expect(await textOf("/app/transactions/refused")).toContain(
    note.replace("Transactions", "Refused attempts"),
  );
});

it("says beneath the latest refused attempts of a machine that earlier ones are archived", async () => {
  const [machine] = await db()("machines").where({ serial_number: "VM-7" });
  await insertRefusals(1, { machine_id: machine.id, serial_number: "VM-7" });
  expect(await textOf("/app/machines/VM-7")).toContain(
    note.replace("Transactions", "Refused attempts"),
  );
});

it("says in a report that uses of machines are archived", async () => {
  expect(await textOf("/app/reports?by=machine&from=01%2F01%2F2025")).toContain(
    "The first and last use of machines and groups leave them out.",
  );
});

describe("another screen says nothing of them", () => {
  it.each([
    ["transactions of this week", () => "/app/transactions?created=7d"],
    ["transactions since a later day", () => since("02")],
    ["refused attempts of this week", () => "/app/transactions/refused?created=7d"],
    ["the page of a young code", () => `/app/qr-list/${young}`],
    ["a report of this month", () => "/app/reports"],
    ["a report of the month after", () => reportOf(addMonths(archived, 1))],
  ])("%s", async (_name, path) => {
    expect(await textOf(path())).not.toContain("archived.");
  });
});
