import { demoPages, findDemoPage } from "../../app/demo/pages";
import {
  expect,
  expectContrast,
  hydrated,
  otherPalettes,
  showPalette,
  sidewaysScroll,
  test,
} from "./fixtures";

test.use({ hasDemo: true, hasOwnContext: true });

const addresses = [
  ...demoPages.map(({ path }) => path),
  "/app/demo",
  "/app/ui/notifications?kind=error",
  "/app/extra/calendar?view=list",
];
const pagesAtOnce = 12;

for (let first = 0; first < addresses.length; first += pagesAtOnce)
  test(`demo pages from the ${first + 1}. on pass axe, have contrast in other palettes, and never scroll sideways at 320 px`, async ({
    signedIn: page,
    expectAccessible,
  }) => {
    for (const address of addresses.slice(first, first + pagesAtOnce)) {
      await page.goto(address);
      if (findDemoPage(address.split("?")[0]!)?.isScripted) await hydrated(page, "running");
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await sidewaysScroll(page), address).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
      for (const palette of otherPalettes) {
        await showPalette(page, palette);
        await expectContrast(page);
      }
    }
  });

test("demo pages with scripts load no more of them than lists", async ({ signedIn: page }) => {
  for (const { path } of demoPages.filter(({ isScripted }) => isScripted)) {
    const answer = await page.goto(path);
    const html = await answer!.text();
    await hydrated(page, "running");
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map((entry) => entry as PerformanceResourceTiming)
        .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, encodedBodySize })),
    );
    const headerBytes = 250;
    const named = scripts.filter(
      ({ path: script }) => script.endsWith(".js") && html.includes(script),
    );
    const bytes = named.reduce(
      (sum, { encodedBodySize }) => sum + encodedBodySize + headerBytes,
      0,
    );
    expect.soft(bytes, path).toBeLessThanOrEqual(104 * 1024);
    expect(named.length, path).toBeGreaterThan(3);
  }
});

test("carousels, tabs, popovers and widgets are operated by keyboard", async ({
  signedIn: page,
}) => {
  const press = async (name: string, key = "Enter") => {
    await page.getByRole("link", { name }).first().focus();
    await page.keyboard.press(key);
  };
  await page.goto("/app/ui/carousel");
  await hydrated(page, "running");
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
  await expect(page.locator("h2").first()).toHaveText("Default widget");
  const order = () => page.locator("h2").allTextContents();
  const before = await order();
  // Enter on the handle begins the drag, Tab leads to the next widget, Enter drops there.
  await page.getByRole("button", { name: "Drag Latest shares" }).focus();
  await page.keyboard.press("Enter");
  const focusedRole = () => page.evaluate(() => document.activeElement?.getAttribute("role"));
  await expect.poll(focusedRole).toBe("group");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(order).not.toEqual(before);
  expect((await order()).slice(2, 4)).toEqual(["Free sign-up", "Latest shares"]);
});

test("carousels play by themselves, and stop under the pointer, when paused and when less motion is wanted", async ({
  signedIn: page,
}) => {
  const step = page.getByText(/^\d \/ 6$/);
  const wait = (turns: number) => page.clock.runFor(turns * 4_000);
  await page.clock.install();
  await page.goto("/app/ui/carousel");
  await hydrated(page, "running");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await wait(2);
  await expect(step).toHaveText("3 / 6");
  await expect(page.getByRole("progressbar", { name: "Step 3 of 6" })).toBeVisible();
  await wait(4);
  await expect(step).toHaveText("1 / 6");
  await step.hover();
  await wait(2);
  await expect(step).toHaveText("1 / 6");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("heading", { level: 1 }).hover();
  await wait(2);
  await expect(step).toHaveText("1 / 6");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await hydrated(page, "running");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await wait(2);
  await expect(step).toHaveText("1 / 6");
});

test("a snackbar hides after 6 s unless it is an error or under the pointer", async ({
  signedIn: page,
}) => {
  await page.clock.install();
  await page.goto("/app/ui/notifications");
  await hydrated(page, "running");
  const snackbar = page.getByText(/^This is a .* message!$/);
  await page.getByRole("link", { name: "Success message" }).click();
  await expect(snackbar).toBeVisible();
  await snackbar.hover();
  await page.clock.runFor(20_000);
  await expect(snackbar).toBeVisible();
  await page.getByRole("heading", { level: 1 }).hover();
  await page.clock.runFor(6_000);
  await expect(snackbar).toBeHidden();
  await page.getByRole("link", { name: "Bottom left" }).click();
  await page.getByRole("link", { name: "Error message" }).click();
  await expect(snackbar).toBeVisible();
  await page.clock.runFor(20_000);
  await expect(snackbar).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(snackbar).toBeHidden();
});

test("the button of the invoice prints it", async ({ signedIn: page }) => {
  await page.goto("/app/extra/invoice");
  await hydrated(page, "running");
  await page.evaluate(() => {
    window.print = () => (document.title += " (printed)");
  });
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page).toHaveTitle(/\(printed\)$/);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("cell", { name: "$1,400.00" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("navigation").first()).toBeHidden();
});

test("an event of the calendar is dragged to another day, and a widget onto another one", async ({
  signedIn: page,
}) => {
  await page.goto("/app/extra/calendar?date=2026-05-15");
  await hydrated(page, "running");
  const event = page.getByRole("listitem").filter({ hasText: "Make tea" });
  const day = (date: string) =>
    page.getByRole("cell").filter({
      has: page.getByRole("link", { name: `New event on ${date}`, exact: true }),
    });
  for (const date of ["12.05.2026", "20.05.2026"]) {
    await event.dragTo(day(date));
    await expect(day(date).getByRole("link", { name: "Move Make tea" })).toBeVisible();
    await expect(event).toHaveCount(1);
  }
  await page.reload();
  await expect(day("20.05.2026").getByText("Make tea")).toBeVisible();

  await page.goto("/app/grid");
  await hydrated(page, "running");
  await page
    .getByRole("button", { name: "Drag Custom loader" })
    .dragTo(page.getByRole("heading", { name: "Widget info" }));
  await expect(page.locator("h2").first()).toHaveText("Custom loader");
  await page.reload();
  await expect(page.locator("h2").first()).toHaveText("Custom loader");
});

test("an event is added in a dialog over the calendar, which gives the focus back", async ({
  signedIn: page,
}) => {
  await page.goto("/app/extra/calendar?date=2026-05-15");
  await hydrated(page, "running");
  const day = page.getByRole("link", { name: "New event on 12.05.2026" });
  const dialog = page.getByRole("dialog", { name: "New event on 12.05.2026" });
  await day.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(day).toBeFocused();
  await day.press("Enter");
  await dialog.getByRole("button", { name: "Add event" }).click();
  await expect(dialog.getByText("Enter a title")).toBeVisible();
  await dialog.getByLabel("Title").fill("Stocktaking");
  await dialog.getByRole("button", { name: "Add event" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Move Stocktaking" })).toBeVisible();
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
