import type { Page } from "playwright/test";
import { screens } from "../../app/screens";
import { isSoak, repetitions } from "../support/repetitions";
import { addApproval, addWebhook } from "./arrange";
import { expectContrast, otherPalettes, showPalette } from "./accessibility";
import { expect, hydrated, sidewaysScroll, test } from "./fixtures";

/** Pages that have most kinds of parts between them. */
const everyday = [
  "/app/dashboard",
  "/app/qr-list",
  "/login",
  "/app/check?code=ABCD-EFGH-234O&machine=VM-10431",
];

/** Pages that are no screen of the table, or depend on what there is; `npm run soak` tries them with all screens. */
const otherPages = [
  "/app/qr-generation/1",
  "/app/machines/VM-10431",
  "/app/qr-generation/1/delete",
  "/app/qr-generation/1/labels",
  "/app/qr-list/1/labels",
  "/app/qr-generation/1/machines",
  "/app/machines/VM-10431/promotions",
  "/app/machines/confirm",
  "/app/users/1/edit",
  "/app/webhooks/1",
  "/app/webhooks/1/deliveries/1",
  "/app/webhooks/1/remove",
  "/app/approvals/1",
  "/app/qr-list?view=campaigns&type=mass",
  "/app/transactions?machine=VM-10431",
  "/app/profile?edit=1",
  "/app/nowhere",
  "/nowhere",
  "/help",
  "/403",
  "/500",
];

const pages = isSoak
  ? [...new Set([...everyday, ...screens.map(({ path }) => path), ...otherPages])]
  : everyday;

for (const address of pages)
  test(`${address} has landmarks, passes axe, never scrolls sideways and shows every stop of Tab`, async ({
    signedIn: page,
    context,
    expectAccessible,
    database,
  }) => {
    if (address.startsWith("/app/webhooks/")) await addWebhook(database);
    if (address.startsWith("/app/approvals/")) await addApproval(database);
    if (address === "/login") await context.clearCookies();
    await page.goto(address);
    await hydrated(page, (await hasScripts(page)) ? "running" : "off");
    await expect(page.locator("h1")).toHaveCount(1);
    await expect(page.locator("main")).toHaveCount(1);
    expect(await page.evaluate(repeatedIds)).toEqual([]);
    expect(await page.title()).toContain("Promo Console");
    // A delivery has its event as its heading, and stands below its webhook.
    if (!address.includes("/deliveries/")) await expectSameNames(page);
    await page.evaluate(hideLikeRows);
    await expectAccessible(page, 3);
    expect((await page.locator("main").evaluate(primaryActions)).slice(1)).toEqual([]);

    // The frame is that of the dashboard.
    const isInFrame = address.startsWith("/app/") && address !== "/app/dashboard";
    const stops = await tabWalk(page, isInFrame ? "main" : "body");
    expect(stops.length).toBeGreaterThan(0);
    expect(stops.filter((stop) => stop.failures.length > 0)).toEqual([]);

    for (const [width, rootFont] of [
      [320, "100%"],
      [320, "200%"],
      [1440, "100%"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), rootFont);
      expect(await sidewaysScroll(page), `${width} px, text ${rootFont}`).toBe(0);
    }
  });

const contrastPages = [
  "/app/qr-list?per_page=10",
  "/app/dashboard",
  "/app/qr-generation",
  "/app/reports",
  "/app/machines/VM-10431",
];
for (const address of contrastPages.slice(0, repetitions(1, contrastPages.length)))
  test(`${address} has enough contrast in other palettes`, async ({ signedIn: page }) => {
    await page.goto(address);
    for (const palette of otherPalettes) {
      await showPalette(page, palette);
      await expectContrast(page);
    }
  });

/** Returns the ids that several elements have. */
function repeatedIds(): string[] {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) < index);
}

/** Shows three rows of each table: the others have the same markup, and each stop of Tab takes its time. */
function hideLikeRows(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("tbody tr:nth-child(n + 4) { display: none !important }");
  document.adoptedStyleSheets.push(sheet);
}

/** Fails unless the heading of a screen is in its breadcrumb, and in its title where no dialog has another. */
async function expectSameNames(page: Page): Promise<void> {
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("listitem");
  const heading = await page.locator("h1").innerText();
  // Labels name their mass generation, too.
  const [name = ""] = heading.split(": ");
  if ((await crumbs.count()) === 0 || name.startsWith("Oops")) return;
  const labels = (await crumbs.allInnerTexts()).map((label) => label.toLowerCase());
  expect(labels).toContain(name.toLowerCase());
  if ((await page.locator("#dialog-title").count()) === 0)
    expect(await page.title()).toContain(name);
}

async function hasScripts(page: Page): Promise<boolean> {
  return (await page.locator("script").count()) > 0;
}

/** Returns the words on the visible buttons in the accent colour, without those of searches and dialogs. */
function primaryActions(main: Element): string[] {
  return [...main.querySelectorAll<HTMLElement>("a, button")]
    .filter((control) => !control.closest("[role=search], [aria-labelledby=dialog-title]"))
    .filter((control) => control.checkVisibility())
    .filter((control) => getComputedStyle(control).backgroundColor === "rgb(63, 81, 200)")
    .map((control) => control.innerText);
}

type Stop = { name: string; failures: string[] };

/** Presses Tab from the top of an element to the end of the page and checks each focused element. */
async function tabWalk(page: Page, from: "body" | "main"): Promise<Stop[]> {
  await page.locator(from).focus();
  await page.evaluate(watchStops);
  const readStops = () =>
    page.evaluate(() => (window as unknown as { stops: (Stop | null)[] }).stops);
  let stops: (Stop | null)[] = [];
  for (let presses = 0; presses < 240 && !stops.includes(null); presses += 20) {
    // A key that is held down is one request to the browser for each stop.
    for (let press = 0; press < 20; press++) await page.keyboard.down("Tab");
    stops = await readStops();
  }
  await page.keyboard.up("Tab");
  return stops.slice(0, stops.indexOf(null)).map((stop) => stop!);
}

/** Runs in the page: before Tab leaves an element, notes it in `stops`, and null for the end of the page. */
function watchStops(): void {
  const stops: (Stop | null)[] = [];
  (window as unknown as { stops: (Stop | null)[] }).stops = stops;
  const seen = new Set<Element>();
  let isFirst = true;
  const noteStop = ({ key }: KeyboardEvent) => {
    if (key !== "Tab") return;
    const element = document.activeElement as HTMLElement | null;
    if (isFirst) isFirst = false;
    else if (!element || element === document.body || seen.has(element)) stops.push(null);
    else {
      seen.add(element);
      stops.push(inspect(element));
    }
  };
  addEventListener("keydown", noteStop, { capture: true });

  function inspect(element: HTMLElement): Stop {
    const failures: string[] = [];
    const box = element.getBoundingClientRect();
    const label =
      element.getAttribute("aria-label") ||
      (element as HTMLInputElement).labels?.[0]?.textContent ||
      element.textContent ||
      element.title;
    if (!label.trim()) failures.push("no name");
    if (box.width < 1 || box.height < 1) failures.push("not visible");
    const isInside =
      box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    if (!isInside) failures.push("outside the viewport");
    else {
      const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 2);
      const y = Math.min(Math.max(box.top + Math.min(box.height / 2, 40), 1), innerHeight - 2);
      const top = document.elementFromPoint(x, y);
      const isOwn =
        !top ||
        element.contains(top) ||
        top.contains(element) ||
        top.closest("label")?.contains(element);
      if (!isOwn) failures.push(`covered by ${top.tagName}.${top.className}`);
    }
    const style = getComputedStyle(element);
    const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    if (!ring && style.boxShadow === "none") failures.push("no visible focus");
    return { name: `${element.tagName} ${label.trim().slice(0, 60)}`, failures };
  }
}
