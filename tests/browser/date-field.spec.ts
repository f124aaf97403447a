import type { Locator } from "playwright/test";
import { inSoak, repetitions } from "../support/repetitions";
import { expect, test } from "./fixtures";

test("a date is typed without slashes, or chosen by keyboard in a calendar that is loaded when it is opened", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit("/app/qr-generation");
  const date = page.getByLabel("Expiration date");
  await date.pressSequentially("31122099");
  await expect(date).toHaveValue("31/12/2099");
  for (let press = 0; press < 5; press++) await date.press("Backspace");
  await expect(date).toHaveValue("31/12");
  await date.fill("");
  await date.pressSequentially("010230");
  await expect(date).toHaveValue("01/02/30");
  await date.blur();
  await expect(date).toHaveValue("01/02/2030");
  await date.fill("2099-12-31");
  await expect(date).toHaveValue("31/12/2099");
  await expect(page.getByText("Thu, 31.12.2099, until 23:59")).toBeVisible();

  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(...(request.url().match(/calendar/) ?? [])));
  await date.fill("30/12/2099");
  const button = page.getByRole("button", { name: "Choose from a calendar" });
  expect(loaded).toEqual([]);
  await button.press("Enter");
  const calendar = page.getByRole("dialog", { name: "Choose a date" });
  await expect(calendar.getByRole("heading", { name: "December 2099" })).toBeVisible();
  expect(loaded).not.toEqual([]);
  await expectAccessible(page);
  await expect(calendar.locator(":focus")).toHaveText("30");
  // Its styles came with it.
  await expect(calendar.getByRole("grid")).toHaveCSS("border-collapse", "collapse");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(calendar).toHaveCount(0);
  await expect(date).toHaveValue("31/12/2099");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(calendar).toHaveCount(0);
  await expect(button).toBeFocused();
  expect(errors).toEqual([]);
});

test("the calendar begins at the site's today, whatever day the browser has", async ({
  signedIn: page,
  visit,
}) => {
  const labels: (string | null)[] = [];
  for (const days of [0, 2]) {
    await page.clock.setFixedTime(Date.now() + days * 86_400_000);
    await visit("/app/qr-generation");
    await page.getByRole("button", { name: "Choose from a calendar" }).click();
    const focused = page.getByRole("dialog", { name: "Choose a date" }).locator(":focus");
    await expect(focused).toHaveAccessibleName(/^Today, /);
    labels.push(await focused.getAttribute("aria-label"));
  }
  expect(labels[1]).toBe(labels[0]);
});

test("forced colours tell the chosen day, and days that can't be chosen, from the others", async ({
  signedIn: page,
  visit,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await visit("/app/qr-generation");
  await page.getByLabel("Expiration date").fill("15/12/2099");
  await page.getByRole("button", { name: "Choose from a calendar" }).click();
  const calendar = page.getByRole("dialog", { name: "Choose a date" });
  const chosen = calendar.locator("[data-selected]");
  await expect(chosen).toHaveText("15");
  const current = page.locator("nav a[aria-current]").first();
  const look = (element: Locator) =>
    element.evaluate((node) => {
      const { backgroundColor, color } = getComputedStyle(node);
      return { backgroundColor, color };
    });
  expect(await look(chosen)).toEqual(await look(current));
  // Days of the months before and after, which like all past ones can't be chosen.
  await expect(calendar.locator("[data-disabled][role=button]").first()).toHaveCSS(
    "opacity",
    "0.4",
  );
});

inSoak(test)(
  "Escape closes the calendar from the moment in which it is opened",
  async ({ signedIn: page, visit }) => {
    await visit("/app/qr-generation");
    const button = page.getByRole("button", { name: "Choose from a calendar" });
    const calendar = page.getByRole("dialog", { name: "Choose a date" });
    // The first time, its script is still to be loaded.
    for (let time = 1; time <= repetitions(2, 5); time += 1) {
      await button.focus();
      // The key comes in the next task, before the calendar can take the focus.
      await button.evaluate(async (element: HTMLElement) => {
        element.click();
        await new Promise((resolve) => setTimeout(resolve));
        element.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      });
      await expect(button).toHaveAttribute("aria-expanded", "false");
      await button.press("Enter");
      await page.keyboard.press("Escape");
      await expect(button).toHaveAttribute("aria-expanded", "false");
      await expect(calendar).toHaveCount(0);
      await expect(button).toBeFocused();
    }
    await button.press("Enter");
    await expect(calendar).toBeVisible();
  },
);
