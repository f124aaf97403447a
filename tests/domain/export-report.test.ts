import { beforeAll, expect, it } from "vitest";
import { byteOrderMark } from "../../app/codec/csv.server";
import { db } from "../../app/db/connection.server";
import { exportReport } from "../../app/features/reports/export-report.server";
import { reportList } from "../../app/features/reports/report-filters";
import { noFiltersOf } from "../../app/lists/list";
import { insertMachine } from "../factories/people-and-machines";
import { insertTransaction } from "../factories/transactions";
import { useDatabase } from "../support/postgres";
import { readCsv } from "../support/read-csv";

useDatabase();

const codes = 4_500;
let machineId: string;
let ids: string[];

beforeAll(async () => {
  machineId = (await insertMachine()).id;
  const { rows } = await db().raw<{ rows: { id: string }[] }>(
    `with codes as (
       insert into promotions (code, name, discount_type, discount_value, is_single_use, is_renewable)
       select 'CODE' || lpad(n::text, 8, '0'), 'Summer', 'percentage', 25, false, false
       from generate_series(1, ${codes}) n returning id
     ), redeemed as (
       insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount)
       select 'first-' || id, id, :machineId, 'percentage', 200, 50 from codes
     )
     select id from codes order by id`,
    { machineId },
  );
  ids = rows.map(({ id }) => id);
});

it("has each code once, with the figures of one moment, while machines redeem", async () => {
  const filters = { ...noFiltersOf(reportList.filters), by: "promotion" as const };
  const chunks = exportReport(filters, { role: "admin" });
  let text = String((await chunks.next()).value);
  // Codes of the next pages are now those that are redeemed the most.
  for (const promotion_id of ids.slice(0, 50))
    await insertTransaction({ promotion_id, machine_id: machineId });
  for await (const chunk of chunks) text += chunk;
  const [headings = [], ...lines] = readCsv(text.replace(byteOrderMark, ""));
  const column = (name: string) => lines.map((line) => line[headings.indexOf(name)]);
  expect(
    column("ID")
      .map(Number)
      .toSorted((one, other) => one - other),
  ).toEqual(ids.map(Number));
  expect(new Set(column("Redeemed"))).toEqual(new Set(["1"]));
});
