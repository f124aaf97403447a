import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";
import { isSoak } from "../support/repetitions";

/** Fails unless all text has enough contrast; for pages whose other rules are checked elsewhere. */
export async function expectContrast(page: Page): Promise<void> {
  const options = { runOnly: { type: "rule" as const, values: ["color-contrast"] } };
  await waitForFades(page);
  await expectNoViolations(page, options);
}

type Palette = { theme: string; mode: "light" | "dark" };

/** The palettes besides the default one: the one that differs most, and in `npm run soak` all. */
export const otherPalettes = ["default", "secondary", "success"]
  .flatMap((theme): Palette[] => [
    { theme, mode: "light" },
    { theme, mode: "dark" },
  ])
  .slice(isSoak ? 1 : -1);

/** Shows the page in another palette as the server would, by the classes of the document. */
export async function showPalette(page: Page, { theme, mode }: Palette): Promise<void> {
  const root = page.locator("html");
  await root.evaluate(
    (html, name) => html.setAttribute("class", name),
    `theme-${theme} mode-${mode}`,
  );
  await expect(root).toHaveCSS("color-scheme", mode);
}

/** Half faded in, text has half its contrast. */
export async function waitForFades(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(countFades), { intervals: [50] }).toBe(0);
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** @param scope selects what is checked, or what is not; by default everything is */
export async function expectNoViolations(
  page: Page,
  options: RunOptions,
  scope: Scope = { exclude: [] },
): Promise<void> {
  // No page has frames, so that the results need not be put together.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(findViolations, { options, scope });
  expect(violations, `axe on ${page.url()}`).toEqual([]);
}

type Scope = { include: string[] } | { exclude: string[] };

/** Runs in the page, beside axe. */
async function findViolations(input: { options: object; scope: object }): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe };
  // Style sheets would be fetched for a rule about the orientation of screens, which is off.
  const options: RunOptions = { resultTypes: ["violations"], preload: false, ...input.options };
  const { violations } = await checker.run(input.scope as Scope, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** Runs in the page; counts the animations that end within a second. */
function countFades(): number {
  return document.getAnimations().filter(({ playState, effect }) => {
    const { endTime = Infinity } = effect?.getComputedTiming() ?? {};
    return playState === "running" && Number(endTime) < 1_000;
  }).length;
}
