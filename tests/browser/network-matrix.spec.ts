import type { Locator, Page } from "playwright/test";
import { isSoak } from "../support/repetitions";
import { createPromotion, postForm, sampleSerials } from "./arrange";
import { expect, routePosts, test as base, type Visit } from "./fixtures";

/** In `npm run soak` only: each form with the network cut in each phase, left by Back and by Esc. */
const noAnswer = "No answer from the server. What you entered is kept, and trying again is safe.";
const leftWithoutAnswer = /^No answer from the server to the form that you left/;

type Form = {
  /** Opens the form from another page, and fills it. */
  open: (
    tools: { page: Page; visit: Visit; app: { origin: string } },
    name: string,
  ) => Promise<void>;
  button: (page: Page) => Locator;
  kept: (page: Page, name: string) => Promise<void>;
  /** Message when it was done, and when it is sent again after it was done. */
  done: string | RegExp;
  repeated?: string | RegExp;
  /** Message on another page, if it differs. */
  doneElsewhere?: string | RegExp;
  /** Counts what was done, for the name. */
  countSql: string;
  isDialog?: boolean;
  /** Button that sends the form again, if the message has none. */
  retry?: (page: Page) => Locator;
};

const named = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialogOf = (page: Page) => page.locator("[aria-labelledby=dialog-title]");
const nameField = (page: Page) => page.getByLabel("Name", { exact: true });
const keepsName = (page: Page, name: string) => expect(nameField(page)).toHaveValue(name);
const promotionsSql = "select count(*) from promotions where name = $1";
const machine = { machines: [sampleSerials[0]!] };

async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
}

const forms: Record<string, Form> = {
  "creating a promotion": {
    async open({ page, visit }, name) {
      await visit("/app/dashboard");
      await follow(page, "QR Generation");
      await page.getByLabel(/^Percentage off/).fill("15");
      await nameField(page).fill(name);
    },
    button: (page) => named(page, "Create promotion"),
    kept: keepsName,
    done: "Promotion created successfully",
    countSql: promotionsSql,
  },
  "generating codes": {
    async open({ page, visit }, name) {
      await visit("/app/qr-generation");
      await follow(page, "Mass Generation");
      await page.getByLabel("Number of codes").fill("2");
      await page.getByLabel(/^Percentage off/).fill("15");
      await nameField(page).fill(name);
    },
    button: (page) => named(page, "Generate codes"),
    kept: keepsName,
    done: "QR codes generated successfully",
    countSql: "select count(*) from mass_generations where name = $1",
  },
  "editing a promotion": {
    async open({ page, visit, app }, name) {
      await createPromotion(app, `old ${name}`);
      await visit("/app/qr-list");
      await follow(page, `old ${name}`);
      await page.getByText(/^Edit name/).click();
      await nameField(page).fill(name);
    },
    button: (page) => named(page, "Save changes"),
    kept: keepsName,
    done: "Promotion successfully updated",
    countSql: promotionsSql,
  },
  "deleting a promotion": {
    async open({ page, visit, app }, name) {
      await createPromotion(app, name);
      await visit("/app/qr-list");
      await page.getByRole("link", { name: `Delete ${name}` }).click();
    },
    button: (page) => dialogOf(page).getByRole("button", { name: /^Delet/ }),
    kept: (page) => expect(dialogOf(page)).toBeVisible(),
    done: "Promotion successfully deleted",
    repeated: "This promotion is already deleted.",
    countSql: `${promotionsSql} and is_deleted and version = 2`,
    isDialog: true,
  },
  "adding machines": {
    async open({ page, visit, app }, name) {
      await createPromotion(app, name);
      await visit("/app/qr-list");
      await page.getByRole("link", { name: `Machines of ${name}` }).click();
      await dialogOf(page).getByRole("checkbox").first().check();
    },
    button: (page) => page.locator("#add-selected"),
    kept: (page) => expect(dialogOf(page).getByRole("checkbox").first()).toBeChecked(),
    done: "Machines successfully added",
    countSql: `${promotionsSql} and set_id in
      (select id from assignment_sets where is_assigned)`,
    isDialog: true,
    retry: (page) => page.locator("#add-selected"),
  },
  "deactivating in a row": {
    async open({ page, visit, app }, name) {
      await createPromotion(app, name, machine);
      await visit("/app/dashboard");
      await follow(page, "QR List");
      const route = "routes/app.qr-list.$promotionId.deactivate";
      await page.waitForFunction((id) => id in window.__remixRouteModules, route);
    },
    button: (page) => page.getByRole("toolbar").first().getByRole("button"),
    kept: (page, name) => expect(page.getByRole("row", { name })).toBeVisible(),
    done: "Promotion successfully deactivated",
    repeated: "This promotion is already inactive.",
    countSql: `${promotionsSql} and not is_active and version = 2`,
    retry: (page) => page.getByRole("toolbar").first().getByRole("button"),
  },
  "a bulk action": {
    async open({ page, visit, app }, name) {
      await createPromotion(app, name, machine);
      await visit("/app/qr-list");
      await page.getByRole("checkbox", { name: `Select ${name}` }).check();
      const bar = page.getByRole("form", { name: "Selected codes" });
      await bar.getByRole("button", { name: "Deactivate" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Deactivate 1 code");
    },
    button: (page) => page.locator("main form button[value=apply]"),
    kept: (page, name) => expect(page.getByText(new RegExp(`^${name} \\(`))).toBeVisible(),
    done: "1 code deactivated",
    doneElsewhere: "The form that you left was accepted.",
    countSql: `${promotionsSql} and not is_active and version = 2`,
  },
  "making a key": {
    async open({ page, visit, app }, name) {
      await postForm(page.context(), app, "/app/integrations", { name });
      await visit("/app/integrations");
      await follow(page, name);
      await page
        .getByLabel(/^Machine/)
        .first()
        .fill(sampleSerials[0]!);
    },
    button: (page) => named(page, /^Creat(e key|ing)/),
    kept: (page) => expect(page.getByLabel(/^Machine/).first()).toHaveValue(sampleSerials[0]!),
    done: /The key was created/,
    doneElsewhere: /^A key was made, but its secret was not shown/,
    countSql: `select count(*) from api_keys k join integrations i on i.id = k.integration_id
      where i.name = $1 and k.revoked_at is null`,
  },
};

/** Whether the request reaches the server. */
const phases = { before: false, during: true } as const;
type Phase = keyof typeof phases;

const test = base.extend<{ count: (sql: string, name: string) => Promise<number> }>({
  count: async ({ database }, use) => {
    await use(async (sql, name) => {
      const { rows } = await database.query<{ count: string }>(sql, [name]);
      return Number(rows[0]!.count);
    });
  },
});

// A message of the page before would be taken for that of the next.
test.use({ hasOwnContext: true });

/** Holds the next post until it is released; then it is cut, or its answer is, or it is answered. */
async function holdPosts(page: Page, phase: Phase | "answered") {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await routePosts(page, "**/*_data=*", async (route) => {
    await released;
    if (phase === "answered") return route.continue();
    if (phases[phase]) await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  return { release, restore: () => page.unroute("**/*_data=*") };
}

for (const [name, form] of isSoak ? Object.entries(forms) : []) {
  const subject = (phase: string) => `${name} ${phase}`;

  for (const phase of Object.keys(phases) as Phase[]) {
    test(`${name}, cut ${phase}: is kept, and done once when it is sent again`, async ({
      signedIn: page,
      visit,
      app,
      count,
    }) => {
      const title = subject(phase);
      await form.open({ page, visit, app }, title);
      const { release, restore } = await holdPosts(page, phase);
      await form.button(page).click();
      if (form.isDialog) await expectCantBeClosed(page);
      release();
      await expect(page.getByText(noAnswer)).toBeVisible();
      await form.kept(page, title);
      await restore();
      await (form.retry?.(page) ?? named(page, "Try again")).click();
      const said = phases[phase] ? (form.repeated ?? form.done) : form.done;
      await expect(page.getByText(said).first()).toBeVisible();
      await expect(page.getByText(noAnswer)).toHaveCount(0);
      expect(await count(form.countSql, title)).toBe(1);
      if (form.isDialog) await expectStaysClosed(page);
    });

    test(`${name}, left by Back and cut ${phase}: the page behind says that no answer came`, async ({
      signedIn: page,
      visit,
      app,
      count,
    }) => {
      const title = subject(`${phase} left`);
      await form.open({ page, visit, app }, title);
      const { release } = await holdPosts(page, phase);
      await form.button(page).click();
      await page.goBack();
      release();
      await expect(page.getByText(leftWithoutAnswer)).toBeVisible();
      expect(await count(form.countSql, title)).toBe(phases[phase] ? 1 : 0);
    });
  }

  test(`${name}, left by Back and answered: the page behind tells the outcome`, async ({
    signedIn: page,
    visit,
    app,
    count,
  }) => {
    const title = subject("answered");
    await form.open({ page, visit, app }, title);
    const { release } = await holdPosts(page, "answered");
    await form.button(page).click();
    await page.goBack();
    if (form.isDialog) await expect(dialogOf(page)).toHaveCount(0);
    release();
    await expect(page.getByText(form.doneElsewhere ?? form.done)).toBeVisible();
    expect(await count(form.countSql, title)).toBe(1);
  });

  test(`${name}, cut after it was done: its outcome stays on the page`, async ({
    signedIn: page,
    visit,
    app,
    count,
    context,
  }) => {
    const title = subject("after");
    await form.open({ page, visit, app }, title);
    await form.button(page).click();
    await expect(page.getByText(form.done).first()).toBeVisible();
    await context.setOffline(true);
    if (form.isDialog) await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "FAQ", exact: true }).click();
    await expect(page.getByText("No connection. Your page is kept.")).toBeVisible();
    await expect(page.getByRole("link", { name: "FAQ", exact: true })).toBeVisible();
    expect(await count(form.countSql, title)).toBe(1);
  });
}

/** Esc and Close do nothing while the answer is awaited. */
async function expectCantBeClosed(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  const close = dialogOf(page).getByRole("link", { name: /^(Cancel|Close)$/ });
  await close.click({ force: true });
  await expect(dialogOf(page)).toBeVisible();
}

/** Neither Esc nor Back brings a dialog that is closed or done with. */
async function expectStaysClosed(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toHaveCount(0);
  await page.goBack();
  await expect(dialogOf(page)).toHaveCount(0);
}
