import { isSoak } from "../support/repetitions";
import { createPromotion } from "./arrange";
import { expect, sidewaysScroll, test } from "./fixtures";

const bothModes = ["light", "dark"] as const;

test("a code is mailed with the keyboard alone, in a language, on a page that fits 320 px", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit("/app/qr-list/1/share");
  await expectAccessible(page);
  await page.getByLabel("Email address of the customer").focus();
  await page.keyboard.type("ada@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByLabel("Deutsch")).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByText("The code is being mailed to ada@example.com").first()).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await sidewaysScroll(page)).toBe(0);
});

test("the page of customers passes axe in light and dark, fits 320 px and loads nothing", async ({
  signedIn: page,
  expectAccessible,
}) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  for (const address of [
    "/app/settings/customer-page?language=de",
    "/app/settings/customer-page?language=es&code=unknown",
    "/app/qr-list/1/card?language=fr",
  ]) {
    await page.setViewportSize({ width: 320, height: 800 });
    // Each in one mode, and the first in both; `npm run soak` tries all in both.
    for (const colorScheme of isSoak || address.endsWith("de") ? bothModes : bothModes.slice(1)) {
      await page.emulateMedia({ colorScheme });
      await page.goto(address);
      await expect(page.locator("h1")).toHaveCount(1);
      await expectAccessible(page, 10);
    }
    expect(await sidewaysScroll(page)).toBe(0);
  }
  expect(new Set(loaded)).toEqual(new Set(["/app/settings/customer-page", "/app/qr-list/1/card"]));
  expect(errors.filter((error) => !error.includes("404"))).toEqual([]);
});

test("the page of customers fits 320 px with a machine of a long name", async ({
  signedIn: page,
  app,
  database,
}) => {
  const { id } = await createPromotion(app, "Long name", { machines: ["VM-10431"] });
  const name = "Hauptbahnhofsempfangshalle".repeat(2);
  const rename = "update machines set human_name = $1 where serial_number = 'VM-10431'";
  await database.query(rename, [name]);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/app/qr-list/${id}/card`);
  await expect(page.getByText(name)).toBeVisible();
  expect(await sidewaysScroll(page)).toBe(0);
  await database.query(rename, ["Central Station, Platform 1"]);
});
