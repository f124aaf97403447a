import type { Page } from "playwright/test";
import { demoIndex, demoPages } from "../../app/demo/pages";
import { expectContrast, otherPalettes, showPalette } from "../browser/accessibility";
import { expect, hydrated, sidewaysScroll, test as base } from "../browser/fixtures";
import { inSoak, isSoak, repetitions } from "../support/repetitions";
import { scriptedPages } from "./scripted-pages";

/** The demo area. */
const test = base.extend({
  origin: async ({ instanceWith }, use) => use((await instanceWith({ DEMO_PAGES: "1" })).origin),
});

// One worker runs them, because each would start the demo area anew.
test.describe.configure({ mode: "default" });

const open = async (page: Page, address: string) => {
  await page.goto(address);
  if (scriptedPages.includes(address.split("?")[0]!)) await hydrated(page, "running");
};

/** Pages that have most kinds of markup of the demo area between them. */
const kinds = [
  "/app/ecommerce/management?selected=all",
  "/app/ecommerce/product",
  "/app/ui/notifications?kind=error",
  "/app/ui/progress",
  "/app/forms/validation?validate=1",
  "/app/charts/overview",
  "/app/extra/calendar",
];
/** Those among them with all colours of the demo area. */
const colourful = ["/app/ui/notifications?kind=error", "/app/charts/overview"];
const others = [demoIndex, "/app/extra/calendar?view=list", ...demoPages.map(({ path }) => path)];

inSoak(test)(
  "each kind of page passes axe, and its colours have contrast in other palettes",
  async ({ signedIn: page, expectAccessible }) => {
    test.setTimeout(repetitions(120_000, 900_000));
    for (const address of isSoak ? [...kinds, ...others] : kinds) {
      await open(page, address);
      await expectAccessible(page);
      if (!isSoak && !colourful.includes(address)) continue;
      for (const palette of otherPalettes) {
        await showPalette(page, palette);
        await expectContrast(page);
      }
    }
  },
);

inSoak(test)(
  "demo pages with scripts load no more of them than lists",
  async ({ signedIn: page }) => {
    for (const path of scriptedPages) {
      const html = await (await page.goto(path))!.text();
      await hydrated(page, "running");
      const scripts = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map((entry) => entry as PerformanceResourceTiming)
          .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, encodedBodySize })),
      );
      const headerBytes = 250;
      const named = scripts.filter(({ name }) => name.endsWith(".js") && html.includes(name));
      const bytes = named.reduce((sum, script) => sum + script.encodedBodySize + headerBytes, 0);
      expect.soft(bytes, path).toBeLessThanOrEqual(104 * 1024);
      expect(named.length, path).toBeGreaterThan(3);
    }
  },
);

test("tabs, popovers and widgets are operated by keyboard", async ({ signedIn: page }) => {
  await page.goto("/app/ui/tabs");
  await page.getByRole("link", { name: "Item two" }).press("Enter");
  await expect(page.getByText("Page two:")).toBeVisible();

  await page.goto("/app/ui/tooltips");
  await page.getByRole("button", { name: "Top" }).first().focus();
  await expect(page.getByRole("tooltip", { name: "Tooltip at the top" })).toBeVisible();
  await page.getByRole("button", { name: "Bottom" }).last().press("Enter");
  await expect(page.getByText("Popover at the bottom")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Popover at the bottom")).toBeHidden();

  await open(page, "/app/grid");
  await page.getByRole("button", { name: "Move News: down" }).press("Enter");
  await expect(page.locator("h2").first()).toHaveText("Latest shares");
  await expect(page.getByRole("status").filter({ hasText: "Place 2 of 5" })).toBeAttached();
});

inSoak(test)("a snackbar hides after 6 s unless it is an error", async ({ signedIn: page }) => {
  const snackbar = page.getByText(/^This is a .* message!$/);
  await page.goto("/app/ui/notifications?kind=success");
  await expect(snackbar).toBeVisible();
  const [delay] = await page.evaluate(() =>
    document.getAnimations().map((animation) => {
      const { delay: delayMs } = animation.effect!.getTiming();
      animation.finish();
      return delayMs;
    }),
  );
  expect(delay).toBe(6_000);
  await expect(snackbar).toBeHidden();
  await page.goto("/app/ui/notifications?kind=error");
  await expect(snackbar).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

inSoak(test)(
  "an event of the calendar and a widget are dragged to another place",
  async ({ signedIn: page }) => {
    await open(page, "/app/extra/calendar");
    const event = page.getByRole("listitem").filter({ hasText: "Meeting" });
    await event.getByRole("link").click();
    const dialog = page.getByRole("dialog", { name: "Move “Meeting”" });
    await dialog.getByLabel("Day, DD/MM/YYYY").fill("12/05/2026");
    await dialog.getByRole("button", { name: "Move event" }).click();
    const day = (date: string) =>
      page.getByRole("cell").filter({
        has: page.getByRole("link", { name: `New event on ${date}`, exact: true }),
      });
    await expect(day("12.05.2026")).toContainText("Meeting");
    await event.dragTo(day("20.05.2026"));
    await expect(day("20.05.2026")).toContainText("Meeting");
    await expect(event).toHaveCount(1);

    await open(page, "/app/grid");
    const first = page.locator("h2").first();
    await page.getByRole("heading", { name: "Custom loader" }).dragTo(first);
    await expect(first).toHaveText("Custom loader");
    await page.reload();
    await expect(first).toHaveText("Custom loader");
  },
);

inSoak(test)(
  "an event is added in a dialog over the calendar, which gives the focus back",
  async ({ signedIn: page }) => {
    await open(page, "/app/extra/calendar?date=2026-05-15");
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
  },
);

test("a dialog whose form gets no answer stays, says so and is sent again", async ({
  signedIn: page,
}) => {
  await open(page, "/app/ui/modal");
  await page.getByRole("link", { name: "Live demo" }).click();
  const dialog = page.getByRole("dialog");
  await page.route("**/app/ui/modal/live**", (route) => route.abort());
  await dialog.getByRole("button", { name: "Agree", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("No answer from the server");
  await page.unroute("**/app/ui/modal/live**");
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("You pressed “Agree”")).toBeVisible();
});

test.describe("with a clock of its own", () => {
  test.use({ hasOwnContext: true });

  test("the progress bar and the real-time chart stop when paused and in a hidden tab", async ({
    signedIn: page,
  }) => {
    await page.clock.install();
    const hide = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      }, isHidden);
    for (const [address, every, read] of [
      ["/app/ui/progress", 1_500, () => page.locator("progress").getAttribute("value")],
      ["/app/charts/line", 1_000, () => page.getByText(/last value/).textContent()],
    ] as const) {
      await open(page, address);
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
});

test.describe("in a browser that runs no script", () => {
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

  test("links and forms move everything without scripts that scripts would move", async ({
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
});
