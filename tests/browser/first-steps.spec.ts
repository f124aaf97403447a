import type { Locator, Page } from "playwright/test";
import { createDatabase, databaseUrl, type ClusterAddresses } from "../support/test-cluster";
import { admin, submitSignIn } from "./arrange";
import { appSecret, downloadFrom, expect, startApp, test as base } from "./fixtures";

const test = base.extend({
  // A site of nobody yet.
  // eslint-disable-next-line no-empty-pattern
  origin: async ({}, use, { retry }) => {
    const cluster = JSON.parse(process.env.TEST_CLUSTER!) as ClusterAddresses;
    const name = `first_steps_${retry}`;
    await createDatabase(cluster, name, "template0");
    const app = await startApp({
      DATABASE_URL: databaseUrl(cluster, name),
      APP_SECRET: appSecret,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      SAMPLE_DATA: "0",
    });
    await use(app.origin);
    await app.stop();
  },
});
test.use({ hasOwnContext: true });

const maxClicks = 25;

/** The fields of a call of curl, as it stands on the page. */
function parseCurl(curl: string, key: string) {
  return {
    url: /http\S+/.exec(curl)![0],
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: /-d '(.*)'$/s.exec(curl)![1]!,
  };
}

test("an empty site comes to its first redemption by what its screens say, in at most 25 clicks", async ({
  page,
}) => {
  let clicks = 0;
  const click = async (control: Locator) => {
    clicks += 1;
    await control.click();
  };
  const link = (name: string | RegExp) => page.getByRole("link", { name, exact: true }).last();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const done = (count: number) => expect(page.getByText(`${count} of 5 done`)).toBeVisible();
  const openDashboard = () => click(page.getByRole("link", { name: "Dashboard" }).first());

  await page.goto("/app/dashboard");
  await submitSignIn(page);
  await done(0);
  expect(await page.getByText("VM-").count()).toBe(0);

  await click(link("Add machines"));
  await page.getByLabel("Machines", { exact: true }).fill("A-1, Lobby\nA-2, Canteen");
  await click(button("Add machines"));
  await expect(page.getByText("2 machines added").last()).toBeVisible();

  await openDashboard();
  await done(1);
  await click(link("Create your first QR code"));
  await page.getByLabel("Name", { exact: true }).fill("Opening");
  await page.getByLabel("Percentage off").fill("25");
  await click(page.getByRole("checkbox", { name: /A-1/ }));
  await click(button("Create code"));
  await expect(page.getByText("Promotion created successfully").last()).toBeVisible();

  await openDashboard();
  await done(3);
  await click(link("Show codes"));
  clicks += 1;
  await downloadFrom(link("Download QR"));

  await openDashboard();
  await done(4);
  await click(link("Connect machines"));
  await createKey(page, click);
  const key = await page.getByRole("textbox", { name: "Secret" }).inputValue();
  await click(page.getByRole("link", { name: "Integrations" }).first());
  const curl = await page.locator("#first-redemption").innerText();
  const { url, ...call } = parseCurl(curl, key);
  expect((await fetch(url, { method: "POST", ...call })).status).toBe(201);

  await openDashboard();
  await done(5);
  expect(clicks).toBeLessThanOrEqual(maxClicks);
});

async function createKey(page: Page, click: (control: Locator) => Promise<void>): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Machines");
  await click(page.getByRole("button", { name: "Create integration" }));
  await click(page.getByRole("button", { name: "Create key" }));
}
