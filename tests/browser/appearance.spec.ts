import type { Locator } from "playwright/test";
import { themeNames } from "../../styles/palettes";
import { inSoak, isSoak, repetitions } from "../support/repetitions";
import { createPromotion } from "./arrange";
import { expect, sidewaysScroll, test } from "./fixtures";

const laptop = { width: 1366, height: 768 };

const backgroundOf = (element: Locator) =>
  element.evaluate((node) => getComputedStyle(node).backgroundColor);

/** Fails unless the current one of several links looks unlike the first of the others. */
async function expectCurrentMarked(links: Locator): Promise<void> {
  const current = await backgroundOf(links.and(links.page().locator("[aria-current]")).first());
  const other = links.and(links.page().locator(":not([aria-current])")).first();
  expect(current).not.toBe(await backgroundOf(other));
}

test("the form of a promotion fits a laptop, and shows the state of fields and boxes in all colours", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize(laptop);
  await visit("/app/qr-generation");
  await test.step("the machines are at the right of its fields", async () => {
    await expect(page.getByRole("button", { name: "Create code" })).toBeInViewport({ ratio: 1 });
    const fields = (await page.getByLabel("Name", { exact: true }).boundingBox())!;
    const machines = (await page.getByLabel("Search machines").boundingBox())!;
    expect(machines.x).toBeGreaterThan(fields.x + fields.width);
  });

  const field = page.getByLabel("Name", { exact: true });
  const look = () =>
    field.evaluate((node) => {
      const { color, backgroundColor } = getComputedStyle(node);
      return { color, backgroundColor };
    });
  const setDisabled = (isDisabled: boolean) =>
    field.evaluate((node: HTMLInputElement, disabled) => (node.disabled = disabled), isDisabled);
  for (const media of [
    { colorScheme: "light", forcedColors: null },
    { colorScheme: "dark", forcedColors: null },
    { colorScheme: null, forcedColors: "active" },
  ] as const) {
    const name = JSON.stringify(media);
    await page.emulateMedia(media);
    if (media.colorScheme === "dark") {
      const box = page.getByRole("checkbox", { name: "Renewable" });
      await expect(box).toHaveCSS("appearance", "none");
      expect(await backgroundOf(box)).toBe("rgb(25, 31, 40)");
    }
    const enabled = await look();
    await setDisabled(true);
    const disabled = await look();
    await setDisabled(false);
    expect(disabled.color, name).not.toBe(enabled.color);
    if (!media.forcedColors)
      expect(disabled.backgroundColor, name).not.toBe(enabled.backgroundColor);
  }
});

/** Returns the values of rows that the window cuts off, and by how much tables scroll sideways. */
function cutValues(): string[] {
  const values = [...document.querySelectorAll<HTMLElement>("tbody tr > *")];
  return values
    .filter((value) => {
      const { left, right, width } = value.getBoundingClientRect();
      return width > 0 && (left < 0 || right > innerWidth || value.scrollWidth > Math.ceil(width));
    })
    .map((value) => value.innerText);
}

/** Returns the values of rows that lie beneath something else. */
function coveredValues(): string[] {
  const values = [...document.querySelectorAll<HTMLElement>("tbody tr > *, tbody button")];
  return values
    .filter((value) => {
      value.scrollIntoView({ block: "center" });
      const { right, top, width, height } = value.getBoundingClientRect();
      const above = document.elementFromPoint(right - 2, top + height / 2);
      return width > 0 && !value.contains(above) && !above?.contains(value);
    })
    .map((value) => value.innerText);
}

/** Widths that show rows as cards; a laptop at 200 % has the width of 683 px. */
const narrow = [683, 768];
const wide = [1000, 1050, 1100, 1190];
const lists = [["qr-list", [683, ...wide]]] as const;
const soakLists = [
  ["qr-list?view=campaigns", wide],
  ["machines", [683, ...wide]],
  ["transactions", [...narrow, ...wide]],
] as const;
for (const [list, widths] of [...lists, ...(isSoak ? soakLists : [])])
  test(`${list} cuts and covers no value at ${widths.join(", ")} px`, async ({
    signedIn: page,
    visit,
  }) => {
    await visit(`/app/${list}`);
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    for (const width of widths) {
      const isNarrow = narrow.includes(width);
      await page.setViewportSize({ width, height: isNarrow ? 512 : 768 });
      expect(await page.evaluate(cutValues), `${width} px`).toEqual([]);
      if (isNarrow) expect(await sidewaysScroll(page), `${width} px`).toBe(0);
      else expect(await page.evaluate(coveredValues), `${width} px`).toEqual([]);
    }
  });

inSoak(test)(
  "the letters of a chart are as large as those around it",
  async ({ signedIn: page, visit }) => {
    for (const address of ["/app/dashboard", "/app/reports?period=year"].slice(
      0,
      repetitions(1, 2),
    )) {
      await visit(address);
      for (const width of [360, 768, 1000, 1366, 1680]) {
        await page.setViewportSize({ width, height: 768 });
        const scale = await page.locator("figure svg[role=img]:visible").first().evaluate(scaleOf);
        expect(scale, `${address} at ${width} px`).toBeGreaterThan(0.8);
        expect(scale, `${address} at ${width} px`).toBeLessThan(1.4);
      }
    }
  },
);

/** Returns how many times a drawing is larger than it was drawn. */
function scaleOf(drawing: SVGElement | HTMLElement): number {
  return drawing.clientWidth / (drawing as SVGSVGElement).viewBox.baseVal.width;
}

test("every tab is in sight on a phone", async ({ signedIn: page, visit }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await visit("/app/reports");
  for (const label of ["Period", "Results by"]) {
    const links = page.getByRole("navigation", { name: label }).getByRole("link");
    for (const link of await links.all()) {
      const { x, width } = (await link.boundingBox())!;
      expect(x + width, await link.innerText()).toBeLessThanOrEqual(360);
    }
  }
  expect(await sidewaysScroll(page)).toBe(0);
});

test("the tools of a list end where its rows do", async ({ signedIn: page, visit }) => {
  await page.setViewportSize({ width: 1050, height: 768 });
  await visit("/app/machines");
  const endOf = async (element: Locator) => {
    const { x, width } = (await element.boundingBox())!;
    return Math.round(x + width);
  };
  const end = await endOf(page.getByRole("row").nth(1).getByText("High"));
  expect(await endOf(page.getByText("Last updated"))).toBe(end);
  expect(await endOf(page.getByRole("button", { name: "Refresh", exact: true }))).toBe(end);
});

test("the icons of a row stay in their column beside a long error", async ({
  signedIn: page,
  openListOf,
}) => {
  await page.setViewportSize({ width: 1050, height: 768 });
  await openListOf("Icons that stay", { machines: [], expiresOn: "2099-12-31" });
  const row = page.getByRole("row").filter({ hasText: "Icons that stay" });
  const columnOf = async () => (await row.getByRole("link", { name: "Delete" }).boundingBox())!.x;
  const before = await columnOf();
  await row.getByRole("button", { name: "its status is Not assigned" }).click({ force: true });
  await expect(row.getByRole("alert")).toBeVisible();
  expect(await columnOf()).toBe(before);
});

inSoak(test)(
  "the theme button lies over no content and no menu entry, and the menu fits a laptop",
  async ({ signedIn: page }) => {
    const theme = page.locator("summary").filter({ hasText: "Theme" });
    const boxOf = async (element: Locator) => (await element.boundingBox())!;
    const overlaps = async (other: Locator) => {
      const [one, two] = [await boxOf(theme), await boxOf(other)];
      const isBeside = one.x >= two.x + two.width || two.x >= one.x + one.width;
      return !isBeside && one.y < two.y + two.height && two.y < one.y + one.height;
    };
    for (const size of [laptop, { width: 1366, height: 480 }, { width: 360, height: 740 }]) {
      await page.setViewportSize(size);
      await page.goto("/app/check");
      expect(await overlaps(page.locator("main"))).toBe(false);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      expect(await overlaps(page.locator("main"))).toBe(false);
      if (size.width < 900) continue;
      const last = page.getByRole("navigation", { name: "Main" }).getByRole("link").last();
      if (size === laptop) await expect(last).toBeInViewport({ ratio: 1 });
      await last.scrollIntoViewIfNeeded();
      expect(await overlaps(last)).toBe(false);
    }
  },
);

/** Returns by how much an element leaves the window at its sides. */
function outside(element: Element): number {
  const { left, right } = element.getBoundingClientRect();
  return Math.max(0, -left, right - document.documentElement.clientWidth);
}

inSoak(test)(
  "the panels of filters and of the selection are within the window",
  async ({ signedIn: page, visit }) => {
    const widths = [1100, 360];
    const addresses = [
      "/app/qr-list?created=30d&per_page=10",
      ...(isSoak ? ["/app/transactions"] : []),
    ];
    for (const address of addresses) {
      await visit(address);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 768 });
        for (const group of await page.locator("#filters details").all()) {
          await group.locator("summary").press("Enter");
          const [button, panel] = [group.locator("summary"), group.locator("> div")];
          await expect(panel).toBeVisible();
          expect(await panel.evaluate(outside), `${address}, ${width} px`).toBe(0);
          // It leaves all buttons in sight on a phone.
          const above = width < 600 ? page.locator("#apply-filters") : button;
          const gap = (await panel.boundingBox())!.y - (await above.boundingBox())!.y;
          expect(gap).toBeGreaterThan(0);
          expect(gap).toBeLessThan(60);
          await group.locator("summary").press("Escape");
        }
      }
    }
    await visit("/app/qr-list?per_page=10");
    await page.locator("tbody input").first().check();
    const menu = page.getByRole("form", { name: "Selected codes" }).locator("details");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 768 });
      await menu.locator("summary").press("Enter");
      await expect(menu.locator("> div")).toBeVisible();
      expect(await menu.locator("> div").evaluate(outside), `${width} px`).toBe(0);
      await menu.locator("summary").press("Escape");
    }
  },
);

test("the buttons of a dialog that is longer than the window stay in sight", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize({ width: 1366, height: 500 });
  await visit("/app/machines?sort=-promotions");
  await page.locator('tbody a[href*="/promotions"]').first().click();
  const dialog = page.getByRole("dialog", { name: "Machine Promotions" });
  await expect(dialog.getByRole("row").nth(1)).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Close" })).toBeInViewport({ ratio: 1 });
});

inSoak(test)(
  "no figure of a code is broken within a word, and a tablet shows its facts beside its image",
  async ({ signedIn: page, app, visit }) => {
    const { id } = await createPromotion(app, "Without an end");
    await visit(`/app/qr-list/${id}`);
    const figures = page.locator("dl").filter({ hasText: "Uses left" }).locator("dd");
    await expect(figures.filter({ hasText: "Unlimited" })).toBeVisible();
    for (const width of [360, 1050, 1366]) {
      await page.setViewportSize({ width, height: 768 });
      expect(await figures.evaluateAll(linesOfEach), `${width} px`).toEqual([1, 1, 1, 1]);
    }
    await page.setViewportSize({ width: 768, height: 900 });
    const details = page.getByRole("region", { name: "Details" });
    const boxOf = async (part: string) => (await details.locator(part).boundingBox())!;
    const [image, facts, png] = [await boxOf("img"), await boxOf("dl"), await boxOf("a >> nth=0")];
    expect(facts.x).toBeGreaterThan(image.x + image.width);
    expect(Math.abs(facts.y - image.y)).toBeLessThan(image.height / 2);
    expect(png.y).toBeGreaterThan(image.y + image.height);
    expect(png.height).toBeLessThan(50);
  },
);

inSoak(test)(
  "an amount of the dashboard stays on one line beside the sidebar",
  async ({ signedIn: page, visit }) => {
    await visit("/app/dashboard");
    const amount = page.locator("dl").filter({ hasText: "Discounts given" }).locator("dd a").nth(1);
    await amount.evaluate((link) => (link.textContent = "$1,264.10"));
    // The scroll bars of a desktop take 15 px of these widths.
    for (const width of [360, 900, 1009, 1035, 1100, 1240, 1351]) {
      await page.setViewportSize({ width, height: 768 });
      expect(await amount.evaluateAll(linesOfEach), `${width} px`).toEqual([1]);
    }
  },
);

/** Returns the number of lines of each text. */
function linesOfEach(texts: Element[]): number[] {
  return texts.map((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
}

test("a ticked row and what is current are seen in every palette, in forced colours and on paper", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize(laptop);
  await visit("/app/qr-list?per_page=10&status=active&created=2m");
  const row = page.locator("tbody tr").first();
  const box = row.locator("input");

  await test.step("a box stands in the middle, ticked or not, and a press beside it ticks it", async () => {
    await box.focus();
    const { x, y, width, height } = (await box.boundingBox())!;
    await box.check();
    expect((await box.boundingBox())!.y).toBe(y);
    await page.mouse.click(x + width + 2, y + height / 2);
    await expect(box).not.toBeChecked();
    await page.mouse.click(x + width / 2, y - 2);
    await expect(box).toBeChecked();
  });

  await test.step("its tick is the system's own where the system chooses the colours", async () => {
    const tick = () => box.evaluate((input) => getComputedStyle(input, "::before").display);
    expect(await tick()).not.toBe("none");
    await page.emulateMedia({ forcedColors: "active" });
    await expect(box).toHaveCSS("appearance", "auto");
    expect(await tick()).toBe("none");
  });

  await test.step("the current menu entry, tab and chip are marked there", async () => {
    await expectCurrentMarked(page.getByRole("navigation", { name: "Main" }).getByRole("link"));
    await expectCurrentMarked(page.getByRole("navigation", { name: "Views" }).getByRole("link"));
    await page.locator("#filters summary").filter({ hasText: "Created" }).click();
    await expectCurrentMarked(page.getByRole("list", { name: "Created" }).getByRole("link"));
  });

  await test.step("paper has light colours in the dark mode", async () => {
    await page.emulateMedia({ forcedColors: null, colorScheme: "dark" });
    await expect(row).toHaveCSS("background-color", "rgb(37, 44, 85)");
    await page.emulateMedia({ media: "print" });
    await expect(row).toHaveCSS("background-color", "rgb(233, 235, 251)");
    await page.emulateMedia({ media: null });
  });

  await test.step("its badge looks unlike the row", async () => {
    for (const theme of themeNames)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate((name) => {
          document.documentElement.className = `theme-${name} mode-system`;
        }, theme);
        const badge = await backgroundOf(row.getByText("Active", { exact: true }));
        expect(badge, `${theme}, ${colorScheme}`).not.toBe(await backgroundOf(row));
      }
  });
});

inSoak(test)(
  "the QR List has room for all columns beside the sidebar of a small laptop",
  async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width: 1120, height: 768 });
    for (const query of ["text=Trade+fair", "view=campaigns&text=Summer+campaign+flyers"]) {
      await visit(`/app/qr-list?${query}`);
      const table = page.getByRole("region", { name: /^(Codes|Campaigns)$/ });
      await expect(table.getByRole("row")).not.toHaveCount(0);
      const hidden = await table.evaluate((region) => region.scrollWidth - region.clientWidth);
      expect(hidden, query).toBe(0);
    }
  },
);

test("forced colours tell a button that waits from one that can be pressed", async ({
  signedIn: page,
  visit,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await visit("/app/machines");
  const colorOf = (button: Locator) => button.evaluate((node) => getComputedStyle(node).color);
  const previous = page.getByRole("link", { name: "Previous" });
  await expect(previous).toHaveAttribute("aria-disabled", "true");
  expect(await colorOf(previous)).not.toBe(
    await colorOf(page.getByRole("button", { name: "Apply", exact: true })),
  );
});

test("the message of a form covers no button at the end of its page", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/settings");
  const save = page.getByRole("button", { name: "Save settings" });
  await save.focus();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.keyboard.press("Enter");
  const message = (await page.getByText("Settings saved").boundingBox())!;
  const button = (await save.boundingBox())!;
  expect(button.y + button.height).toBeLessThan(message.y);
});
