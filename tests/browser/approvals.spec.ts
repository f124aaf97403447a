import type { Client } from "pg";
import { requestedCode } from "../factories/approvals";
import { admin, createUser, expirePasswordCheck, signIn } from "./arrange";
import { expect, test } from "./fixtures";
import { inSoak } from "../support/repetitions";

/** Adds a request for a single code, as somebody else asked for it. @returns its id */
async function addRequest(database: Client, name: string): Promise<string> {
  const { email } = await createUser(database, `${name.toLowerCase()}@example.com`);
  const { rows } = await database.query<{ id: string }>(
    `insert into approvals (kind, name, codes, asked_by, input)
     select 'single', $1, 1, id, $2 from users where email = $3 returning id`,
    [name, JSON.stringify(requestedCode(name)), email],
  );
  return rows[0]!.id;
}

test.use({ hasOwnContext: true });

inSoak(test)(
  "a request for codes is refused without the password, and approved with it",
  async ({ page, visit, database, expectAccessible }) => {
    await signIn(page);
    await expirePasswordCheck(database);
    const [refused, approved] = [
      await addRequest(database, "Unwanted"),
      await addRequest(database, "Wanted"),
    ];

    await visit(`/app/approvals/${refused}`);
    await expect(page.getByLabel("Your password")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Refuse request" }).click();
    await expect(page.getByText("Request refused. Nothing was changed.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Approve request" })).toHaveCount(0);

    await visit("/app/approvals");
    await page.getByRole("link", { name: "Wanted", exact: true }).click();
    await page.getByLabel("Your password").fill("not the password");
    await page.getByRole("button", { name: "Approve request" }).press("Enter");
    await expect(page.getByRole("link", { name: "The password is wrong" })).toBeVisible();
    await page.getByLabel("Your password").fill(admin.password);
    await page.getByRole("button", { name: "Approve request" }).press("Enter");
    await expect(page.getByText("Approved and carried out")).toBeVisible();
    await expect(page).toHaveURL(/\/app\/qr-list\/\d+/);
    await expect(page.getByRole("heading", { level: 1, name: "Wanted" })).toBeVisible();
    const { rows } = await database.query<{ state: string }>(
      "select state from approvals where id = any($1) order by id",
      [[refused, approved]],
    );
    expect(rows.map(({ state }) => state)).toEqual(["refused", "approved"]);
  },
);
