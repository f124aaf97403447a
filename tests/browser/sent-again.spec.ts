import type { Page } from "playwright/test";
import { expect, routeLoaded, test } from "./fixtures";
import { createPromotion, postForm, sampleSerials } from "./arrange";
import { button, createIntegration, isData, loseAnswer, noAnswer } from "./lost-answers";
import { createGeneration } from "./lost-forms/promotions";
import { inSoak } from "../support/repetitions";

/** Presses a button whose form is accepted: not refused as a repeated attempt or an older version. */
async function send(page: Page, label: string): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByRole("button", { name: label, exact: true }).click();
  expect((await answered).ok()).toBe(true);
}

inSoak(test)(
  "a form whose answer leads back to its page is a new attempt each time that it is sent",
  async ({ signedIn: page, visit, context, app, database }) => {
    const tools = { page, visit, context, app, database };
    await test.step("the settings", async () => {
      await visit("/app/settings");
      for (const days of ["41", "42"]) {
        await page.getByLabel(/^Sent mails/).fill(days);
        await send(page, "Save settings");
        await expect(page.getByText("Settings saved").first()).toBeVisible();
      }
    });
    await test.step("the name of a mass generation", async () => {
      await visit(await createGeneration(tools, "Edited"));
      for (const name of ["Edited once", "Edited twice"]) {
        await page.getByText(/^Edit name/).click();
        await page.getByLabel("Name", { exact: true }).fill(name);
        await send(page, "Save changes");
        await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
      }
    });
    await test.step("a mail with a code, whose form is emptied", async () => {
      await visit("/app/qr-list/1/share");
      for (const email of ["first@example.com", "second@example.com"]) {
        await page.getByLabel("Email address of the customer").fill(email);
        await send(page, "Send mail");
        await expect(page.getByText(`The code is being mailed to ${email}`).first()).toBeVisible();
      }
    });
    await test.step("test codes", async () => {
      await visit(`${await createIntegration(tools, "Tests")}/test-mode`);
      const codes = page.getByRole("region", { name: "Test codes" }).getByRole("rowheader");
      const existing = await codes.count();
      for (const added of [1, 2]) {
        await send(page, "Create test code");
        await expect(codes).toHaveCount(existing + added);
      }
    });
  },
);

inSoak(test)(
  "a form that adds to its page is empty after it did, and keeps its input when the newest is removed",
  async ({ signedIn: page, visit }) => {
    await visit("/app/reports/mailing");
    const addresses = page.getByLabel("Email addresses");
    for (const address of ["first@example.com", "newest@example.com"]) {
      await addresses.fill(address);
      await page.getByRole("button", { name: "Add schedule" }).click();
      await expect(page.getByRole("row", { name: address })).toBeVisible();
      await expect(addresses).toHaveValue("");
    }
    await addresses.fill("half-typed");
    const newest = page.getByRole("row", { name: "newest@example.com" });
    await newest.getByRole("link", { name: /^Remove/ }).click();
    await page.getByRole("button", { name: "Remove schedule" }).click();
    await expect(page.getByText("Schedule successfully removed")).toBeVisible();
    await expect(newest).toHaveCount(0);
    await expect(addresses).toHaveValue("half-typed");
  },
);

test("a change whose answer was lost is not made again after somebody else reversed it", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
}) => {
  const { id } = await createPromotion(app, "Reversed", { machines: [sampleSerials[0]!] });
  const isActive = async () => {
    const { rows } = await database.query("select is_active from promotions where id = $1", [id]);
    return rows[0]!.is_active as boolean;
  };
  const machines = async () => {
    const { rows } = await database.query(
      `select count(*)::integer as count from assignments a
       join promotions p on p.set_id = a.set_id where p.id = $1`,
      [id],
    );
    return rows[0]!.count as number;
  };
  const loseOne = async (press: () => Promise<void>) => {
    await page.route(isData, loseAnswer);
    const lost = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
    await press();
    await lost;
    await expect(page.getByText(noAnswer).last()).toBeVisible();
    await page.unroute(isData);
  };

  await test.step("deactivating in a row", async () => {
    await visit("/app/qr-list");
    await routeLoaded(page, "routes/app.qr-list.$promotionId.deactivate");
    const deactivate = button(page, "Deactivate Reversed");
    await loseOne(() => deactivate.click());
    expect(await isActive()).toBe(false);
    await postForm(context, app, `/app/qr-list/${id}`, { intent: "reactivate" });
    await deactivate.click();
    const message = "The first attempt deactivated this code. It was changed afterwards.";
    await expect(page.getByText(message).first()).toBeVisible();
    expect(await isActive()).toBe(true);
  });
  await test.step("unassigning all machines", async () => {
    await page.getByRole("link", { name: "Machines of Reversed" }).click();
    await button(page, "Unassign All").click();
    await loseOne(() => button(page, "Yes, unassign all").click());
    expect(await machines()).toBe(0);
    const again = { intent: "add", machines: sampleSerials[0]! };
    await postForm(context, app, `/app/qr-list/${id}/machines`, again);
    await button(page, "Unassign All").click();
    await button(page, "Yes, unassign all").click();
    await expect(page.getByText("All machines successfully unassigned").first()).toBeVisible();
    expect(await machines()).toBe(1);
  });
});
