import { demoPages } from "../../app/demo/pages";
import { expect, sidewaysScroll, test as base } from "../browser/fixtures";
import { inSoak } from "../support/repetitions";

/** The demo area in a browser that runs no script. */
const test = base.extend({
  origin: async ({ instanceWith }, use) => use((await instanceWith({ DEMO_PAGES: "1" })).origin),
});
test.use({ scripts: "off" });
test.beforeEach(({ page }) => page.setViewportSize({ width: 320, height: 800 }));

inSoak(test)(
  "every demo page shows its content without scripts and never scrolls sideways",
  async ({ signedIn: page, origin }) => {
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    for (const { path, title } of demoPages) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      expect(await sidewaysScroll(page), path).toBe(0);
    }
    expect([...asked]).toEqual([origin]);
  },
);

test("what moves with scripts is moved by links and forms without them", async ({
  signedIn: page,
}) => {
  await page.goto("/app/ui/carousel");
  await page.getByRole("link", { name: "Next" }).first().click();
  await expect(page.getByText("2 / 6")).toBeVisible();
  await expect(page.getByText("Glacier Bay")).toBeInViewport();

  await page.goto("/app/ui/notifications?position=bottom-left");
  await page.getByRole("link", { name: "Success message" }).click();
  const snackbar = page.getByText("This is a success message!", { exact: true });
  await expect(snackbar).toBeVisible();
  await page.getByRole("link", { name: "Dismiss" }).click();
  await expect(snackbar).toHaveCount(0);

  await page.goto("/app/ui/progress?value=100");
  await page.getByRole("link", { name: "Next step" }).click();
  await expect(page.getByText("0%", { exact: true })).toBeVisible();

  await page.goto("/app/charts/line");
  await expect(page.getByRole("link", { name: "Pause" })).toHaveCount(0);
  const values = page.getByText(/last value/);
  const before = await values.textContent();
  await page.getByRole("link", { name: "Next point" }).click();
  await expect(values).not.toHaveText(before!);

  await page.goto("/app/ui/modal");
  await page.getByRole("link", { name: "Live demo" }).click();
  await page.getByRole("button", { name: "Agree", exact: true }).click();
  await expect(page.getByText("You pressed “Agree”")).toBeVisible();

  await page.goto("/app/grid");
  await page.getByRole("button", { name: "Move News: down" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "News" })).toBeInViewport();
});

test("an event of the calendar is added and moved by forms", async ({ signedIn: page }) => {
  await page.goto("/app/extra/calendar?view=week&date=2026-05-15");
  // A phone shows the days one beneath the other.
  await expect(page.getByRole("cell").first().getByText("Mon", { exact: true })).toBeVisible();

  await page.goto("/app/extra/calendar?view=list&date=2026-05-15");
  await page.getByRole("link", { name: "New event" }).click();
  await page.getByLabel("Title").fill("Fire drill");
  await page.getByRole("button", { name: "Add event" }).click();
  await expect(page.getByText("Event added on 15.05.2026")).toBeVisible();
  await page.getByRole("link", { name: "Move Fire drill" }).click();
  await page.getByLabel("Day, DD/MM/YYYY").fill("28/05/2026");
  await page.getByRole("button", { name: "Move event" }).click();
  await expect(page.getByRole("region", { name: "28.05.2026" })).toContainText("Fire drill");
});
