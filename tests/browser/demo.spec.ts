import { demoPages } from "../../app/demo/pages";
import { isSoak } from "../support/repetitions";
import { postForm } from "./arrange";
import { expect, hydrated, sidewaysScroll, test } from "./fixtures";

/** The demo area is on with the embedded database. */
test.use({ isEmbedded: true, hasOwnContext: true });

const palettes = ["default", "secondary", "success"].flatMap((theme) =>
  ["light", "dark"].map((mode) => ({ theme, mode })),
);
const sample = ["ecommerce/management", "ui/notifications?kind=error", "ui/tooltips", "charts/pie"];
const addresses = isSoak ? demoPages.map(({ path }) => path) : sample.map((path) => `/app/${path}`);

test("demo pages pass axe in every palette and never scroll sideways at 320 px", async ({
  signedIn: page,
  context,
  app,
  expectAccessible,
}) => {
  test.setTimeout(isSoak ? 1_800_000 : 120_000);
  for (const { theme, mode } of isSoak ? palettes : [palettes[0]!, palettes.at(-1)!]) {
    const form = { theme, mode, returnTo: "/app/demo" };
    expect((await postForm(context, app, "/preferences", form)).status()).toBe(303);
    for (const address of addresses) {
      await page.goto(address);
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await sidewaysScroll(page), address).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  }
});

test("carousel, tabs, popovers and widgets are operated by keyboard", async ({
  signedIn: page,
}) => {
  const press = async (name: string, key = "Enter") => {
    await page.getByRole("link", { name }).first().focus();
    await page.keyboard.press(key);
  };
  await page.goto("/app/ui/carousel");
  await press("Next");
  await expect(page.getByText("2 / 6")).toBeVisible();

  await page.goto("/app/ui/tabs");
  await press("Item Two");
  await expect(page.getByText("Page two:")).toBeVisible();

  await page.goto("/app/ui/tooltips");
  await page.getByRole("button", { name: "Bottom" }).last().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Popover at the bottom")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Popover at the bottom")).toBeHidden();

  await page.goto("/app/grid");
  await hydrated(page, "running");
  await page.getByRole("button", { name: "Move Widget info: down" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("h2").first()).toHaveText("Default Widget");
  const order = () => page.locator("h2").allTextContents();
  const before = await order();
  // Enter on the handle begins the drag, Tab leads to the next widget, Enter drops there.
  await page.getByRole("button", { name: "Drag Latest Shares" }).focus();
  await page.keyboard.press("Enter");
  const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute("role"));
  await expect.poll(focusedRole).toBe("group");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(order).not.toEqual(before);
  expect((await order()).slice(2, 4)).toEqual(["Free sign-up", "Latest Shares"]);
});

test("the progress bar and the real-time chart stop when paused and in a hidden tab", async ({
  signedIn: page,
}) => {
  await page.clock.install();
  const hide = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  for (const [address, every, read] of [
    ["/app/ui/progress", 1_500, () => page.locator("progress").getAttribute("value")],
    ["/app/charts/line", 1_000, () => page.getByText(/last value/).textContent()],
  ] as const) {
    await page.goto(address);
    await hydrated(page, "running");
    const first = await read();
    await page.clock.runFor(2 * every);
    const second = await read();
    expect(second).not.toBe(first);
    await hide(true);
    await page.clock.runFor(5 * every);
    expect(await read()).toBe(second);
    await hide(false);
    await page.clock.runFor(2 * every);
    const third = await read();
    expect(third).not.toBe(second);
    await page.getByRole("link", { name: "Pause" }).click();
    await expect(page.getByRole("link", { name: "Resume" })).toBeVisible();
    const paused = await read();
    await page.clock.runFor(5 * every);
    expect(await read()).toBe(paused);
  }
});
