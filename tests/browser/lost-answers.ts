import type { Client } from "pg";
import type { BrowserContext, Locator, Page, Route } from "playwright/test";
import { postForm } from "./arrange";
import { expect, test, type Visit } from "./fixtures";

export const noAnswer =
  "No answer from the server. What you entered is kept, and trying again is safe.";

export type Tools = {
  page: Page;
  visit: Visit;
  context: BrowserContext;
  app: { origin: string };
  database: Client;
};

/** A form that is ready to be sent. */
export type FilledForm = {
  button: Locator;
  /** Fails unless what was entered is still there. */
  kept?: () => Promise<void>;
  /** Button that sends the form again, where the message has none. */
  retry?: Locator;
  /** Whether the form is in a dialog. */
  isDialog?: boolean;
};

export type FormCase = {
  /** Leaves the form to network-matrix.spec.ts: `npm test` tries another form of its screen. */
  isInSoakOnly?: true;
  /** Opens the screen and fills its form. `visit` may also go there within the app. */
  fill: (tools: Tools, name: string) => Promise<FilledForm>;
  /** Message after the form was answered. */
  done: string | RegExp;
  /** Message after the form was sent again, its first answer being lost, if it differs. */
  repeated?: string | RegExp;
  /** Message on the page behind a form that was left, if it differs. */
  doneElsewhere?: string | RegExp;
  /** Statement that counts what was done, for the name. */
  countSql: string;
};

/** Returns how often something was done for a name. */
export async function count(database: Client, countSql: string, name: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(countSql, [name]);
  return Number(rows[0]!.count);
}

export const field = (page: Page, label: string | RegExp) =>
  typeof label === "string"
    ? page.getByLabel(label, { exact: true })
    : page.getByLabel(label).first();
export const dialogOf = (page: Page) => page.locator("[aria-labelledby=dialog-title]");
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const keeps = (input: Locator, value: string) => () => expect(input).toHaveValue(value);
export const stays = (element: Locator) => () => expect(element).toBeVisible();

/** Fills one field and returns what to press. */
export async function fillOne(input: Locator, value: string, pressed: Locator) {
  await input.fill(value);
  return { button: pressed, kept: keeps(input, value) };
}

export async function createIntegration({ context, app }: Tools, name: string): Promise<string> {
  const created = await postForm(context, app, "/app/integrations", { name });
  return new URL(created.headers().location!, app.origin).pathname;
}

/** Returns the button of the open dialog, which has to stay open. */
export async function inDialog(page: Page, pressed: RegExp) {
  const dialog = dialogOf(page);
  const pressedButton = dialog.getByRole("button", { name: pressed });
  return { button: pressedButton, kept: stays(dialog), isDialog: true };
}

export async function loseAnswer(route: Route): Promise<void> {
  if (route.request().method() !== "POST") return route.continue();
  await route.fetch({ maxRedirects: 0 });
  await route.abort();
}

export const isData = (url: URL) => url.searchParams.has("_data");

/**
 * Forms of each kind: on a page, in a dialog, with ticks, of one button in a row, with a file, with a secret that is
 * shown once. `npm run soak` cuts every form in every phase (network-matrix.spec.ts).
 */
const kinds = [
  "a promotion",
  "deleting a user",
  "the machines of a promotion",
  "deactivating in a row",
  "a photo",
  "the second factor",
];

/** Loses the answer to a form of each screen once; those of each kind are sent without a connection, too. */
export function testLostAnswers(forms: Record<string, FormCase>): void {
  test.afterEach(({ context }) => context.setOffline(false));

  const tried = Object.entries(forms).filter(([, { isInSoakOnly }]) => !isInSoakOnly);
  for (const [index, [name, { fill, done, repeated, countSql }]] of tried.entries())
    test(`${name} is kept and done once when its answer is lost`, async ({
      signedIn: page,
      visit,
      context,
      app,
      database,
    }) => {
      const subject = `Lost ${index}`;
      const sent = await fill({ page, visit, context, app, database }, subject);
      const message = page.getByText(noAnswer);
      // A dialog may still be on its way.
      await expect(sent.button).toBeVisible();
      const before = await count(database, countSql, subject);

      await page.route(isData, loseAnswer);
      await sent.button.click();
      await expect(message).toBeVisible();
      await sent.kept?.();

      await page.unroute(isData);
      await (sent.retry ?? button(page, "Try again")).click();
      await expect(page.getByText(repeated ?? done).first()).toBeVisible();
      await expect(message).toHaveCount(0);
      expect((await count(database, countSql, subject)) - before).toBe(1);
    });

  for (const name of kinds)
    test(`${name} is kept without a connection, and done once with one`, async ({
      signedIn: page,
      visit,
      context,
      app,
      database,
    }) => {
      const { fill, done, countSql } = forms[name]!;
      const subject = `Offline ${kinds.indexOf(name)}`;
      const sent = await fill({ page, visit, context, app, database }, subject);
      const message = page.getByText(noAnswer);
      await expect(sent.button).toBeVisible();
      const before = await count(database, countSql, subject);

      await context.setOffline(true);
      await sent.button.click();
      await expect(message).toBeVisible();
      await sent.kept?.();

      await context.setOffline(false);
      await (sent.retry ?? button(page, "Try again")).click();
      await expect(page.getByText(done).first()).toBeVisible();
      await expect(message).toHaveCount(0);
      expect((await count(database, countSql, subject)) - before).toBe(1);
    });
}
