import { expect, heldRoute, routePosts, test as base, type Visit } from "./fixtures";
import { count, dialogOf, noAnswer, button, type FormCase, type Tools } from "./lost-answers";
import { lostForms } from "./lost-forms";
import type { Page } from "playwright/test";

/** Tries in `npm run soak` each form with the network cut in each phase, left by Back and by Esc. */
const leftWithoutAnswer = /^No answer from the server to the form that you left/;

/** Whether the request reaches the server. */
const phases = { before: false, during: true } as const;
type Phase = keyof typeof phases;

const test = base.extend<{
  /** Fills a form in a document that holds the page before, too, so that Back stays in the app. */
  open: (form: FormCase, name: string) => Promise<Opened>;
}>({
  open: async ({ signedIn: page, visit, context, app, database }, use) => {
    await use(async ({ fill, countSql }, name) => {
      // Hours of tests share a session.
      await database.query("update sessions set password_checked_at = now()");
      const within: Visit = (address) => visitWithin(page, visit, address);
      const filled = await fill({ page, visit: within, context, app, database }, name);
      await expect(filled.button).toBeVisible();
      const before = await count(database, countSql, name);
      return {
        ...filled,
        page,
        timesDone: async () => (await count(database, countSql, name)) - before,
      };
    });
  },
});

type Opened = Awaited<ReturnType<FormCase["fill"]>> &
  Pick<Tools, "page"> & { timesDone: () => Promise<number> };

// A message of the page before would be taken for that of the next.
test.use({ hasOwnContext: true });

/** Goes to a page from the dashboard, as a link of the app does. */
async function visitWithin(page: Page, visit: Visit, address: string): Promise<void> {
  await visit("/app/dashboard");
  await page.evaluate((to) => window.__remixRouter!.navigate(to, {}), address);
  const isThere = () => {
    const { location, navigation } = window.__remixRouter!.state;
    return navigation.state === "idle" && location.pathname !== "/app/dashboard";
  };
  await page.waitForFunction(isThere);
}

/** Holds the next post until it is released; then it is cut, or its answer is, or it is answered. */
async function holdPosts(page: Page, phase: Phase | "answered") {
  const { hold, release } = heldRoute(async (route) => {
    if (phase === "answered") return route.continue();
    if (phases[phase]) await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await routePosts(page, "**/*_data=*", hold);
  return { release, restore: () => page.unroute("**/*_data=*") };
}

for (const [index, [name, form]] of Object.entries(lostForms).entries()) {
  const subject = (phase: string) => `Cut ${index} ${phase}`;
  const { done, repeated = done, doneElsewhere = done } = form;

  for (const phase of Object.keys(phases) as Phase[]) {
    test(`${name}, cut ${phase}: is kept, and done once when it is sent again`, async ({
      open,
    }) => {
      const sent = await open(form, subject(phase));
      const { page } = sent;
      const { release, restore } = await holdPosts(page, phase);
      await sent.button.click();
      if (sent.isDialog) await expectCantBeClosed(page);
      release();
      await expect(page.getByText(noAnswer)).toBeVisible();
      await sent.kept?.();
      await restore();
      await (sent.retry ?? button(page, "Try again")).click();
      await expect(page.getByText(phases[phase] ? repeated : done).first()).toBeVisible();
      await expect(page.getByText(noAnswer)).toHaveCount(0);
      expect(await sent.timesDone()).toBe(1);
      if (sent.isDialog) await expectStaysClosed(page);
    });

    test(`${name}, left by Back and cut ${phase}: the page behind says that no answer came`, async ({
      open,
    }) => {
      const sent = await open(form, subject(`left ${phase}`));
      const { page } = sent;
      const { release } = await holdPosts(page, phase);
      await sent.button.click();
      await page.goBack();
      release();
      await expect(page.getByText(leftWithoutAnswer)).toBeVisible();
      expect(await sent.timesDone()).toBe(phases[phase] ? 1 : 0);
    });
  }

  test(`${name}, left by Back and answered: the page behind tells the outcome`, async ({
    open,
  }) => {
    const sent = await open(form, subject("left answered"));
    const { page } = sent;
    const { release } = await holdPosts(page, "answered");
    await sent.button.click();
    await page.goBack();
    if (sent.isDialog) await expect(dialogOf(page)).toHaveCount(0);
    release();
    await expect(page.getByText(doneElsewhere).first()).toBeVisible();
    expect(await sent.timesDone()).toBe(1);
  });

  test(`${name}, cut after it was done: its outcome stays on the page`, async ({
    open,
    context,
  }) => {
    const sent = await open(form, subject("after"));
    const { page } = sent;
    await sent.button.click();
    await expect(page.getByText(done).first()).toBeVisible();
    await context.setOffline(true);
    if (sent.isDialog) await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "FAQ", exact: true }).click();
    await expect(page.getByText("No connection. Your page is kept.")).toBeVisible();
    await expect(page.getByRole("link", { name: "FAQ", exact: true })).toBeVisible();
    // A value that is shown once, such as a secret, is no message of another page.
    if (form.doneElsewhere) await expect(page.getByText(done).first()).toBeVisible();
    expect(await sent.timesDone()).toBe(1);
  });
}

/** Esc and Close do nothing while the answer is awaited. */
async function expectCantBeClosed(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  const close = dialogOf(page).getByRole("link", { name: /^(Cancel|Close|Disagree)$/ });
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
