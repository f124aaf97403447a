import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright/test";
import { isSoak } from "../support/repetitions";
import { bodyOf, startSmtp, type ReceivedMail } from "../support/smtp";
import { signIn, signOut, submitSignIn } from "./arrange";
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  type ClusterAddresses,
} from "../support/test-cluster";
import { appSecret, expect, hydrated, seededTemplate, startApp, test as base } from "./fixtures";

const test = base.extend<{
  smtp: Awaited<ReturnType<typeof startSmtp>>;
  /** Waits for a mail to an address, and returns the path of its link. */
  mailedLink: (recipient: string) => Promise<string>;
}>({
  // Playwright reads the names of the fixtures that are used from this pattern.
  // eslint-disable-next-line no-empty-pattern
  smtp: async ({}, use) => {
    const smtp = await startSmtp({}, () => {});
    await use(smtp);
    await smtp.stop();
  },

  // On a database of its own, because an instance without SMTP would take the mails of a shared one.
  origin: async ({ smtp }, use, { workerIndex }) => {
    const cluster = JSON.parse(process.env.TEST_CLUSTER!) as ClusterAddresses;
    const name = `people_${workerIndex}`;
    await createDatabase(cluster, name, seededTemplate);
    const app = await startApp({
      DATABASE_URL: databaseUrl(cluster, name),
      APP_SECRET: appSecret,
      SMTP_URL: smtp.url,
    });
    await use(app.origin);
    await app.stop();
    await dropDatabase(cluster, name);
  },

  mailedLink: async ({ smtp }, use) => {
    await use(async (recipient) => {
      const linkOf = (mail: ReceivedMail) => /https?:[^\s<>"]+token=[\w-]+/.exec(bodyOf(mail))?.[0];
      const find = () =>
        smtp.received.findLast((mail) => mail.recipients.includes(recipient) && linkOf(mail));
      await expect.poll(find, { timeout: 60_000 }).toBeTruthy();
      const mail = smtp.received.splice(smtp.received.indexOf(find()!), 1)[0]!;
      const { pathname, search } = new URL(linkOf(mail)!);
      return pathname + search;
    });
  },
});

// Each journey has browsers of its own.
test.use({ hasOwnContext: true });

const password = "seven grey herons landing";
const another = "nine wild geese in a row";

async function setPassword(page: Page, value: string): Promise<void> {
  await page.getByLabel("New Password", { exact: true }).fill(value);
  await page.getByLabel("Confirm Password").fill(value);
  await page.getByRole("button", { name: "Save Password" }).click();
}

for (const scripts of isSoak ? (["running", "off"] as const) : (["running"] as const))
  test.describe(`with scripts ${scripts}`, () => {
    test.use({ scripts });

    test("an invited person sets a password, turns on the second factor, signs in with it, and gets a new password by mail", async ({
      page,
      visit,
      scripts,
      mailedLink,
      expectAccessible,
    }) => {
      const email = `invited-${scripts}@example.com`;
      await signIn(page);
      await visit("/app/user/new");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Invite user" }).click();
      await expect(page.getByText("Users created")).toBeVisible();
      await signOut(page);

      await page.goto(await mailedLink(email));
      await expect(page).not.toHaveURL(/token/);
      if (scripts === "running") await expectAccessible(page);
      await setPassword(page, password);
      await expect(page.getByText("Your account is ready.")).toBeVisible();
      await submitSignIn(page, { email, password });
      await expect(page).toHaveURL(/dashboard/);

      await visit("/app/profile/second-factor");
      const key = (await page.locator("p code").first().innerText()).replaceAll(/\s/g, "");
      const totp = new TOTP({ secret: Secret.fromBase32(key) });
      await page.getByLabel("Code").fill(totp.generate());
      await page.getByRole("button", { name: "Turn on" }).click();
      await expect(page.locator("li code")).toHaveCount(10);
      await hydrated(page, scripts);
      await signOut(page);

      await page.goto("/login?returnTo=/app/faq");
      await submitSignIn(page, { email, password });
      if (scripts === "running") await expectAccessible(page);
      // The code of now turned it on, and each one is taken once.
      const next = totp.generate({ timestamp: Date.now() + 30_000 });
      await page.getByRole("textbox", { name: "Code" }).fill(next);
      await page.getByRole("button", { name: "Verify" }).click();
      await expect(page).toHaveURL(/\/app\/faq$/);
      await signOut(page);

      await page.goto("/login");
      await page.getByRole("link", { name: "Forgot Password?" }).click();
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Send" }).click();
      await page.goto(await mailedLink(email));
      await setPassword(page, another);
      await expect(page.getByText("Password has been updated")).toBeVisible();
      await submitSignIn(page, { email, password });
      await expect(page.getByRole("alert")).toContainText("Something is wrong");
      await submitSignIn(page, { email, password: another });
      await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
    });
  });
