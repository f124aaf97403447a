import type { Client } from "pg";
import type { BrowserContext, Locator, Page, Route } from "playwright/test";
import { postForm } from "./arrange";
import { expect, test, type Visit } from "./fixtures";
import { repetitions } from "../support/repetitions";

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
 * Forms of each kind: on a page, in a dialog with ticks, of one button in a row, with a secret that is shown once. That every form is done once, however often it is sent, is held by tests/security/audit-trail.test.ts;
 * `npm run soak` cuts every form in every phase (network-matrix.spec.ts).
 */
const kinds = [
  "a promotion",
  "the machines of a promotion",
  "deactivating in a row",
  "the second factor",
];

/** Sends a form of each kind without a connection, then loses its answer, then lets it through. */
export function testLostAnswers(forms: Record<string, FormCase>): void {
  test.afterEach(({ context }) => context.setOffline(false));

  for (const name of kinds.slice(0, repetitions(2, kinds.length)))
    test(`${name} is kept without a connection and without an answer, and done once`, async ({
      signedIn: page,
      visit,
      context,
      app,
      database,
    }) => {
      const { fill, done, repeated, countSql } = forms[name]!;
      const subject = `Lost ${kinds.indexOf(name)}`;
      const sent = await fill({ page, visit, context, app, database }, subject);
      const message = page.getByText(noAnswer);
      // A dialog may still be on its way.
      await expect(sent.button).toBeVisible();
      const before = await count(database, countSql, subject);
      const timesDone = async () => (await count(database, countSql, subject)) - before;
      const retry = sent.retry ?? button(page, "Try again");

      await context.setOffline(true);
      await sent.button.click();
      await expect(message).toBeVisible();
      await expect(sent.button).toBeFocused();
      await sent.kept?.();
      expect(await timesDone()).toBe(0);

      await context.setOffline(false);
      await page.route(isData, loseAnswer);
      const lost = page.waitForEvent("requestfailed");
      await retry.click();
      await lost;
      await expect(message).toBeVisible();
      await sent.kept?.();
      expect(await timesDone()).toBe(1);

      await page.unroute(isData);
      await retry.click();
      await expect(page.getByText(repeated ?? done).first()).toBeVisible();
      await expect(message).toHaveCount(0);
      expect(await timesDone()).toBe(1);
    });
}
