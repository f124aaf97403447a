import { afterEach, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { readFirstSteps } from "../../app/features/dashboard/first-steps.server";
import { insertImport } from "../factories/imports";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { insertTransaction } from "../factories/transactions";
import { useDatabase } from "../support/postgres";

useDatabase({ isOwner: true });

afterEach(() =>
  db().raw("truncate promotions, machines, imports, transactions, archived_months cascade"),
);

const doneSteps = async () =>
  (await readFirstSteps("admin"))?.filter(({ isDone }) => isDone).map(({ title }) => title);

async function redeemDeletedCode(created_at: Date) {
  const machine = await insertMachine({ is_deleted: true });
  const promotion_id = await insertPromotion({ is_deleted: true });
  await insertTransaction({ promotion_id, machine_id: machine.id, created_at });
}

it("hides the first steps a day after the first redemption, whatever was deleted since", async () => {
  await redeemDeletedCode(new Date(Date.now() - 2 * 86_400_000));
  expect(await readFirstSteps("admin")).toBeNull();
});

it("hides the first steps of a site whose older redemptions are archived", async () => {
  const counts = { transactions: 1, redemptions: 1, discount: 50, attempts: 1, events: 0 };
  await db()("archived_months").insert({ month: "2025-01-01", ...counts, sha256: "" });
  expect(await readFirstSteps("admin")).toBeNull();
  await redeemDeletedCode(new Date());
  expect(await readFirstSteps("admin")).toBeNull();
});

it("shows all first steps as done on the day of the first redemption", async () => {
  await redeemDeletedCode(new Date());
  expect(await doneSteps()).toHaveLength(5);
});

it("counts codes that were imported as printed", async () => {
  await insertImport((await insertUser()).id, "imported");
  expect(await doneSteps()).toEqual(["Print or download the codes"]);
});
