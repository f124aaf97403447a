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

export type FormCase = {
  /** Opens the screen and fills its form; returns the button, and what has to stay as it is. */
  fill: (tools: Tools, name: string) => Promise<{ button: Locator; kept?: () => Promise<void> }>;
  /** Message after the form was sent again, its first answer being lost. */
  outcome: string | RegExp;
  /** Statement that counts what was done, for the name. */
  countSql: string;
};

export const field = (page: Page, label: string | RegExp) =>
  typeof label === "string"
    ? page.getByLabel(label, { exact: true })
    : page.getByLabel(label).first();
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const keeps = (input: Locator, value: string) => () => expect(input).toHaveValue(value);
const stays = (element: Locator) => () => expect(element).toBeVisible();

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
  const dialog = page.locator("[aria-labelledby=dialog-title]");
  return { button: dialog.getByRole("button", { name: pressed }), kept: stays(dialog) };
}

export async function loseAnswer(route: Route): Promise<void> {
  if (route.request().method() !== "POST") return route.continue();
  await route.fetch({ maxRedirects: 0 });
  await route.abort();
}

export const isData = (url: URL) => url.searchParams.has("_data");

/** Sends each form three times: without a connection, with its answer lost, and answered. */
export function testLostAnswers(forms: Record<string, FormCase>): void {
  test.afterEach(({ context }) => context.setOffline(false));

  for (const [name, { fill, outcome, countSql }] of Object.entries(forms))
    test(`${name} is kept without a connection, and done once when an answer is lost`, async ({
      signedIn: page,
      visit,
      context,
      app,
      database,
    }) => {
      const subject = `Lost ${Object.keys(forms).indexOf(name)}`;
      const sent = await fill({ page, visit, context, app, database }, subject);
      const message = page.getByText(noAnswer);
      const retry = button(page, "Try again");
      // A dialog may still be on its way.
      await expect(sent.button).toBeVisible();

      await context.setOffline(true);
      await sent.button.click();
      await expect(message).toBeVisible();
      await sent.kept?.();

      await context.setOffline(false);
      await page.route(isData, loseAnswer);
      const lost = page.waitForEvent("requestfailed");
      await retry.click();
      await lost;
      await expect(message).toBeVisible();
      await sent.kept?.();

      await page.unroute(isData);
      await retry.click();
      await expect(page.getByText(outcome).first()).toBeVisible();
      await expect(message).toHaveCount(0);
      const { rows } = await database.query<{ count: string }>(countSql, [subject]);
      expect(Number(rows[0]!.count)).toBe(1);
    });
}
