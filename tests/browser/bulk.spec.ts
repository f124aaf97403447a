import type { Page } from "playwright/test";
import { createPromotion, sampleSerials } from "./arrange";
import { expect, hydrated, test as base } from "./fixtures";
import { createGeneration } from "./lost-forms/promotions";
import { inSoak, repetitions } from "../support/repetitions";

const test = base.extend<{
  /**
   * Creates promotions whose names begin alike, and opens the list of these and no other. All but
   * the first have an expiration date.
   */
  openPromotions: (name: string, count: number) => Promise<void>;
}>({
  openPromotions: async ({ app, visit }, use) => {
    await use(async (name, count) => {
      for (let number = 1; number <= count; number++)
        await createPromotion(
          app,
          `${name} ${number}`,
          number > 1 ? { expiresOn: "2098-12-31" } : undefined,
        );
      await visit(`/app/qr-list?text=${encodeURIComponent(name)}`);
    });
  },
});

const bar = (page: Page) => page.getByRole("form", { name: "Selected codes" });

test("ticked codes are counted without a request, and deactivated", async ({
  signedIn: page,
  openPromotions,
}) => {
  const name = "Bulk counted";
  await openPromotions(name, 3);
  for (const count of [1, 2]) {
    await page.getByRole("checkbox", { name: `Select ${name} ${count}` }).check();
    await expect(bar(page).getByRole("status")).toHaveText(`${count} selected`);
  }
  await bar(page).getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("button", { name: "Deactivate 2 codes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 codes deactivated");
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Inactive" })).toHaveCount(2);

  await page.getByRole("checkbox", { name: `Select ${name} 3` }).check();
  await bar(page).getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByRole("button", { name: "Deactivate 1 code" })).toBeVisible();
  // The confirmation is sent before its scripts run.
  await page.route("**/*.js", (route) => route.abort());
  await page.reload();
  await page.unroute("**/*.js");
  await page.getByRole("button", { name: "Deactivate 1 code" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 code deactivated");
  await hydrated(page, "running");
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Inactive" })).toHaveCount(3);
  await expect(page.getByRole("row").getByRole("checkbox", { checked: true })).toHaveCount(0);
});

test("the bar of the selection covers no message, which can be undone", async ({
  signedIn: page,
  app,
  openPromotions,
}) => {
  const name = "Bulk covers nothing";
  await page.setViewportSize({ width: 320, height: 640 });
  await createPromotion(app, `${name} 2`, { machines: sampleSerials.slice(0, 1) });
  await openPromotions(name, 1);
  await page.getByRole("checkbox", { name: `Select ${name} 1` }).check();
  await page.getByRole("button", { name: `Deactivate ${name} 2` }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click({ timeout: 10_000 });
  await expect(page.getByText("Code successfully reactivated")).toBeVisible();
});

test("a ticked code that its row's dialog deletes is selected no longer", async ({
  signedIn: page,
  openPromotions,
}) => {
  const name = "Bulk deleted alone";
  await openPromotions(name, 2);
  for (const number of [1, 2])
    await page.getByRole("checkbox", { name: `Select ${name} ${number}` }).check();
  const row = page.getByRole("row").filter({ hasText: `${name} 1` });
  await row.getByRole("link", { name: `Delete ${name} 1` }).click();
  await page.getByRole("button", { name: "Delete code" }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
  await expect(bar(page).getByRole("status")).toHaveText("1 selected");
});

inSoak(test)(
  "ticked codes that are deleted with their campaign are selected no longer",
  async ({ signedIn: page, visit, context, app, database }) => {
    const name = "Bulk deleted together";
    await createPromotion(app, `Not ${name}`);
    await createGeneration({ page, visit, context, app, database }, name);
    const list = `/app/qr-list?text=${encodeURIComponent(name)}`;
    await visit(`${list}&view=campaigns`);
    await page.getByRole("checkbox", { name: "Select this page" }).check();
    await visit(list);
    await page.getByRole("checkbox", { name: "Select this page" }).check();
    await expect(bar(page).getByRole("status")).toHaveText("4 selected");
    await page
      .getByRole("link", { name: `Delete ${name}` })
      .first()
      .click();
    await page.getByRole("button", { name: "Delete all 2 codes" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
    await expect(bar(page).getByRole("status")).toHaveText("1 selected");
  },
);

test("codes ticked on another page are selected no longer once their campaign is deleted", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
}) => {
  const name = "Bulk deleted from afar";
  await createPromotion(app, `Not ${name}`);
  await createGeneration({ page, visit, context, app, database }, name);
  await visit(`/app/qr-list?text=${encodeURIComponent(name)}`);
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await expect(bar(page).getByRole("status")).toHaveText("3 selected");
  await page.getByRole("link", { name: "Campaigns", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(2);
  await page.getByRole("link", { name: `Delete ${name}` }).click();
  await page.getByRole("button", { name: "Delete all 2 codes" }).click();
  await expect(page).toHaveURL(/qr-generation\/\d+(\?|$)/);
  await page.getByRole("link", { name: "QR List", exact: true }).first().click();
  await expect(bar(page).getByRole("status")).toHaveText("1 selected");
});

test("ticking a row makes the browser style that row and the bar, not the list", async ({
  signedIn: page,
  openPromotions,
  browser,
}) => {
  const name = "Bulk styled";
  await openPromotions(name, 10);
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await page.getByRole("checkbox", { name: `Select ${name} 3` }).check();
  await expect(bar(page).getByRole("status")).toHaveText("1 selected");
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    traceEvents: { name: string; args: { elementCount?: number } }[];
  };
  const styled = traceEvents.flatMap(({ name, args }) =>
    name === "UpdateLayoutTree" ? (args.elementCount ?? 0) : [],
  );
  const inList = await page.locator("#list *").count();
  expect(inList).toBeGreaterThan(300);
  expect(styled.length).toBeGreaterThan(0);
  expect(Math.max(...styled)).toBeLessThan(inList / 2);
});

for (const scripts of (["running", "off"] as const).slice(0, repetitions(1, 2)))
  test.describe(`while scripts are ${scripts}`, () => {
    test.use({ scripts });
    test("Back ticks no code that took the place of a ticked one", async ({
      signedIn: page,
      app,
      openPromotions,
    }) => {
      const name = `Bulk place ${scripts}`;
      await openPromotions(name, 2);
      await page.getByRole("checkbox", { name: `Select ${name} 2` }).check();
      await createPromotion(app, `${name} 3`);
      await page.goto("/healthz");
      await page.goBack();
      await hydrated(page, scripts);
      await expect(page.getByRole("checkbox", { name: `Select ${name} 3` })).not.toBeChecked();
      if (scripts === "running")
        await expect(bar(page).getByRole("status")).toHaveText("1 selected");
    });
  });

inSoak(test)(
  "a page that was selected before scripts ran stays selected when it is read again, and can be cleared",
  async ({ signedIn: page, openPromotions, visit }) => {
    const name = "Bulk selected early";
    await openPromotions(name, 2);
    await visit(`/app/qr-list?text=${encodeURIComponent(name)}&select=page`);
    const ticked = page.getByRole("row").getByRole("checkbox", { checked: true, name });
    await expect(ticked).toHaveCount(2);
    await bar(page).getByRole("button", { name: "Clear" }).click();
    await expect(ticked).toHaveCount(0);
    await page.reload();
    await hydrated(page, "running");
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page).not.toHaveURL(/select=page/);
    await expect(bar(page).getByRole("status")).toHaveText("2 selected");
    await expect(ticked).toHaveCount(2);
  },
);

inSoak(test)(
  "Cancel and an action of another row keep the selection, and a dialog in the page comes before its bar",
  async ({ signedIn: page, openPromotions, database }) => {
    const name = "Bulk cancelled";
    await openPromotions(name, 3);
    await database.query("update promotions set is_active = false where name = $1", [`${name} 2`]);
    await page.reload();
    await hydrated(page, "running");
    await expect(bar(page)).toHaveCSS("opacity", "0");
    const rows = ["1", "3"].map((number) => page.getByRole("row", { name: `${name} ${number}` }));
    for (const row of rows) await row.getByRole("checkbox").check();
    await bar(page).getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("link", { name: "Cancel", exact: true }).click();
    const expectSelected = async () => {
      await expect(bar(page).getByRole("status")).toHaveText("2 selected");
      for (const row of rows) {
        await expect(row.getByRole("checkbox")).toBeChecked();
        await expect(row).toHaveCSS("background-color", "rgb(233, 235, 251)");
      }
    };
    await expectSelected();
    await page.getByRole("link", { name: `Reactivate ${name} 2` }).click();
    await page.getByRole("button", { name: "Reactivate 1 code" }).click();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expectSelected();
    await expect(bar(page)).toHaveCSS("position", "sticky");
    const deletion = page.getByRole("link", { name: `Delete ${name} 1` });
    await page.goto((await deletion.getAttribute("href"))!);
    await expectSelected();
    await expect(page.getByRole("heading", { name: "Confirm deletion" })).toBeFocused();
    await expect(bar(page)).toHaveCSS("position", "relative");
    await page.setViewportSize({ width: 683, height: 800 });
    const clear = bar(page).getByRole("button", { name: "Clear" });
    const status = bar(page).getByRole("status");
    const [end, start] = [await clear.boundingBox(), await status.boundingBox()];
    expect(end!.y).toBeLessThan(start!.y + start!.height);
  },
);

test("the bar of the selection stays in a phone's window, also where no row is ticked", async ({
  signedIn: page,
  openPromotions,
  visit,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openPromotions("Bulk by phone", 1);
  await page.getByRole("checkbox", { name: /Select Bulk/ }).check();
  await visit("/app/qr-list?per_page=10");
  await expect(bar(page).getByRole("status")).toHaveText("1 selected");
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
});

for (const scripts of (["running", "off"] as const).slice(0, repetitions(1, 2)))
  test.describe(`while scripts are ${scripts}`, () => {
    test.use({ scripts });
    test("the bar of the selection covers no row that has the focus", async ({
      signedIn: page,
      visit,
    }) => {
      await visit("/app/qr-list?view=campaigns");
      for (const [width, height] of [
        [683, 384],
        [800, 600],
      ] as const) {
        await page.setViewportSize({ width, height });
        const first = page.locator("tbody input").first();
        await first.check();
        await first.focus();
        await expect(bar(page)).toHaveCSS("position", "sticky");
        for (let stop = 0; stop < 40; stop++) {
          await page.keyboard.press("Tab");
          expect(await page.evaluate(coveredFocus), `${width} px`).toBeNull();
        }
      }
    });
  });

/** Returns the text of the focused part of a row if its lower end lies beneath something else. */
function coveredFocus(): string | null {
  const focused = document.activeElement!;
  if (!focused.closest("tbody")) return null;
  const { left, width, bottom } = focused.getBoundingClientRect();
  const top = document.elementFromPoint(left + width / 2, bottom - 2);
  return focused.contains(top) || top?.contains(focused) ? null : focused.outerHTML;
}

test("an action without a selection asks for one, and the keyboard alone reaches it", async ({
  signedIn: page,
  openPromotions,
  database,
  expectAccessible,
}) => {
  const name = "Bulk keys";
  await openPromotions(name, 1);
  await page.goto(`/app/qr-list/bulk?intent=delete&ticked=1&text=${encodeURIComponent(name)}`);
  await expect(page.getByText("Select at least one code").first()).toBeVisible();
  await expect(page).toHaveURL(/qr-list\?text=Bulk(\+|%20)keys/);

  await page.getByRole("checkbox", { name: `Select ${name} 1` }).focus();
  await page.keyboard.press("Space");
  const wanted = bar(page).getByRole("button", { name: "Deactivate" });
  // The bar comes after the table, so Tab reaches it going forward.
  for (let i = 0; i < 40; i++) {
    if (await wanted.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(wanted).toBeFocused();
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Deactivate 1 code");

  // The action runs elsewhere, which the lock keeps from taking its next chunk; the page follows it.
  const id = /\d+/.exec(page.url().split("/bulk/")[1]!)![0];
  await database.query(
    `update lifecycle_operations set started_at = now() where id = ${id}; commit;
     begin; select from lifecycle_operations where id = ${id} for update`,
  );
  await page.reload();
  await expect(heading).toHaveText("Deactivating 1 code");
  await expectAccessible(page);
  await database.query(`update lifecycle_operations set done_at = now() where id = ${id}; commit`);
  await expect(heading).toHaveText("1 code deactivated");
});
