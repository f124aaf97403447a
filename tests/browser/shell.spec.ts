import { addWebhook, createGroup, createPromotion } from "./arrange";
import { expect, heldRoute, hydrated, routePosts, test, testAlsoBlocked } from "./fixtures";
import { inSoak, repetitions } from "../support/repetitions";

test("colours are shown at once, and lite mode leaves no script", async ({
  signedIn: page,
  visit,
}) => {
  // On a phone the profile menu leads to it.
  await page.setViewportSize({ width: 360, height: 740 });
  await visit("/app/check");
  await page.locator("summary").filter({ hasText: "Profile" }).click();
  await page.getByRole("link", { name: "Theme" }).click();
  await expect(page.getByRole("radio", { name: "Secondary" })).toBeInViewport();
  await page.getByRole("radio", { name: "Secondary" }).check();
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(page.locator("html")).toHaveClass(/theme-secondary.*mode-dark/);
  await page.getByRole("button", { name: "Apply" }).click();
  const theme = page.locator("summary").filter({ hasText: "Theme" });
  await expect(theme).toBeFocused();
  await theme.click();
  await page.getByLabel(/Lite/).check();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.locator("script")).toHaveCount(0);
});

test.describe("a choice in the shell", () => {
  test.use({ answersErrors: true, hasOwnContext: true });

  test("is shown at once beside another one that is being sent", async ({
    signedIn: page,
    visit,
  }) => {
    await visit("/app/check");
    const { hold, release } = heldRoute();
    await routePosts(page, "**/preferences**", hold);
    await page.locator("summary").filter({ hasText: "Theme" }).click();
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("radio", { name: "Dark" }).check();
    await sent;
    const toggle = page.getByRole("button", { name: /sidebar/i });
    await toggle.click();
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await expect(page.locator("html")).toHaveClass(/mode-dark/);
    release();
    const saved = async () => (await page.context().cookies()).map(({ value }) => value);
    await expect.poll(saved).toEqual(expect.arrayContaining(["collapsed", "default.dark"]));
  });

  const faults = [
    { status: 500, message: "Error saving your choice" },
    { status: 429, message: "Too many requests. Wait a minute." },
  ];
  for (const { status, message } of faults.slice(0, repetitions(1, 2)))
    test(`is answered ${status} says why, and keeps the page with what is typed`, async ({
      signedIn: page,
      visit,
    }) => {
      await visit("/app/qr-generation");
      await page.getByLabel("Name").fill("Typed before");
      const answer = { status, headers: { "X-Remix-Catch": "yes" }, body: message };
      await page.route("**/preferences?*", (route) => route.fulfill(answer));
      const toggle = page.getByRole("button", { name: /sidebar/i });
      await toggle.click();
      await expect(page.getByRole("alert").filter({ hasText: message })).toBeVisible();
      await expect(toggle).toHaveAttribute("aria-expanded", "true");
      await expect(page.getByLabel("Name")).toHaveValue("Typed before");
    });
});

inSoak(test)("the sidebar folds and stays folded", async ({ signedIn: page, visit, context }) => {
  await visit("/app/machines");
  const sidebar = page.getByRole("navigation", { name: "Main" });
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(240);
  await page.getByRole("button", { name: /sidebar/i }).click();
  await expect(page.getByRole("button", { name: /sidebar/i })).toBeFocused();
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(85);
  // Scripts fold it before it is saved.
  const kept = async () => (await context.cookies()).find(({ name }) => name === "sidebar")?.value;
  await expect.poll(kept).toBe("collapsed");
  await page.goto("/app/profile");
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(85);
  await expect(sidebar.getByRole("link", { name: "QR List" })).toBeVisible();
});

inSoak(test)(
  "the theme button covers no entry of the menu that has the focus",
  async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width: 1050, height: 560 });
    await visit("/app/check");
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    await links.first().focus();
    for (const link of (await links.all()).slice(1)) {
      await page.keyboard.press("Tab");
      await expect(link).toBeFocused();
      expect(await link.evaluate(isLowerEndSeen), await link.innerText()).toBe(true);
    }
  },
);

function isLowerEndSeen(element: Element): boolean {
  const { left, width, bottom } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, bottom - 1));
}

testAlsoBlocked(
  test,
  "the menu is a drawer below the medium width",
  async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await visit("/app/machines");
    const link = page.getByRole("link", { name: "QR Generation" });
    await expect(link).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(link).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(link).toBeHidden();
    await page.keyboard.press("Enter");
    await link.click();
    await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeVisible();
    await expect(link).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    // The page that is shown already.
    await link.click();
    await expect(link).toBeHidden();
  },
);

test("single keys lead to the screens, except while something is typed, and can be switched off", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/profile");
  await page.keyboard.press("?");
  await expect(page.getByRole("heading", { level: 1, name: "Keyboard" })).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { level: 1, name: "QR Generation" })).toBeFocused();
  await page.getByLabel("Name", { exact: true }).pressSequentially("mild");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("mild");
  await expect(page).toHaveURL(/qr-generation/);
  const search = page.getByRole("search", { name: "Everything" }).getByRole("searchbox");
  await page.keyboard.press("Control+k");
  await expect(search).toBeFocused();
  await search.fill("vm-10431");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/app\/machines\/VM-10431/);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search for")).toBeFocused();

  await page.goto("/app/keyboard");
  await page.getByRole("button", { name: "Turn shortcuts off" }).click();
  await expect(page.getByRole("button", { name: "Turn shortcuts on" })).toBeFocused();
  await hydrated(page, "running");
  await page.keyboard.press("l");
  await page.keyboard.press("?");
  await expect(page).toHaveURL(/app\/keyboard/);
});

test("a printed page shows what it says, without menu, filters and buttons, in black on white", async ({
  signedIn: page,
  visit,
}) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await visit("/app/qr-list?created=2m");
  await expect(page.getByRole("heading", { level: 1, name: "QR List" })).toBeVisible();
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  for (const role of ["navigation", "search", "toolbar", "checkbox", "button"] as const)
    expect(await page.getByRole(role).filter({ visible: true }).count(), role).toBe(0);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(background).toBe("rgb(255, 255, 255)");
});

inSoak(test)("the settings are printed with their values", async ({ signedIn: page, visit }) => {
  const value = page.getByRole("definition").filter({ hasText: /^Promo Console$/, visible: true });
  await visit("/app/settings");
  await expect(page.getByLabel("Site name")).toBeVisible();
  await expect(value).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await expect(value).toHaveCount(1);
});

inSoak(test)(
  "a printed report has its charts and tables within the width of a sheet, without menu and filters",
  async ({ signedIn: page, visit }) => {
    await page.emulateMedia({ media: "print" });
    // A4 at 96 dots per inch, with margins of 1 cm.
    await page.setViewportSize({ width: 718, height: 1_047 });
    await visit("/app/reports?period=90");
    for (const name of [
      "Discounts given over time",
      "Redemptions by weekday and hour",
      "Liability",
    ])
      await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
    await expect(page.locator("main svg").filter({ visible: true })).not.toHaveCount(0);
    await expect(page.getByRole("table").filter({ visible: true })).not.toHaveCount(0);
    for (const role of ["navigation", "search", "button"] as const)
      expect(await page.getByRole(role).filter({ visible: true }).count(), role).toBe(0);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(718);
  },
);

test.describe("in a browser that is older than the supported ones", () => {
  test.use({ hasOwnContext: true });

  test("pages work as they do without scripts", async ({ signedIn: page, app }) => {
    const name = "Old browser";
    await createPromotion(app, name);
    await page.addInitScript(() => Reflect.deleteProperty(Element.prototype, "checkVisibility"));
    await page.goto("/app/qr-list");
    await page.getByRole("link", { name: `Delete ${name}` }).click();
    await expect(page.getByRole("region", { name: "Confirm deletion" })).toBeVisible();
    await page.getByRole("button", { name: "Delete code" }).click();
    await expect(page.getByText("Promotion successfully deleted")).toBeVisible();
    await page.getByRole("link", { name: "Machines", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Machines" })).toBeVisible();
  });
});

test("an entry of the menu that has the focus loads the scripts of its screen, and no data", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/check");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const sidebar = page.getByRole("navigation", { name: "Main" });
  await sidebar.getByRole("link", { name: "Reports", exact: true }).focus();
  await expect(sidebar.locator("link[rel=modulepreload]")).not.toHaveCount(0);
  await expect(sidebar.locator("link[rel=prefetch]")).toHaveCount(0);
  expect(requests.filter((url) => url.includes("_data"))).toEqual([]);
});

test("a single key leaves no form whose box has the focus", async ({ signedIn: page, visit }) => {
  await visit("/app/qr-generation");
  await page.getByLabel("Name", { exact: true }).fill("Kept");
  const box = page.getByRole("checkbox").first();
  await box.focus();
  await page.keyboard.press("m");
  await page.keyboard.press("Space");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  expect(await page.evaluate(() => window.__remixRouter.state.navigation.state)).toBe("idle");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Kept");
});

inSoak(test)(
  "a choice of a menu says that it is being sent, closes the menu and gives its button the focus",
  async ({ signedIn: page, visit }) => {
    await visit("/app/alerts");
    const { hold, release } = heldRoute();
    let posts = 0;
    await routePosts(page, "**/app/alerts/mails**", async (route) => {
      posts += 1;
      await hold(route);
    });
    const menu = page.locator("summary").filter({ hasText: "Mails to you" });
    await menu.click();
    await page.getByRole("button", { name: "Daily at 07:00" }).click();
    const pending = page.getByRole("button", { name: "Saving..." });
    await pending.click();
    release();
    await expect(menu).toHaveText("Mails to you: Daily at 07:00");
    await expect(menu).toBeFocused();
    await expect(pending).toBeHidden();
    expect(posts).toBe(1);
  },
);

test("a menu that was opened before the scripts of the page stays open once they run", async ({
  signedIn: page,
}) => {
  const { hold, release } = heldRoute();
  await page.route("**/assets/*.js", hold);
  await page.goto("/app/alerts", { waitUntil: "commit" });
  await page.locator("summary").filter({ hasText: "Mails to you" }).click();
  const choice = page.getByRole("button", { name: "Daily at 07:00" });
  await choice.focus();
  release();
  await hydrated(page, "running");
  await expect(choice).toBeFocused();
});

test("Back leads to the place of a list that was scrolled to, and to the link that was followed", async ({
  signedIn: page,
  visit,
}) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await visit("/app/machines");
  const machine = page.locator("tbody th a").last();
  await machine.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(100);
  await machine.click();
  await expect(page).toHaveURL(/machines\/./);
  await page.goBack();
  await expect(machine).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
});

test("the page stays where its form was saved, with the focus in view", async ({
  signedIn: page,
  visit,
  context,
  app,
  database,
}) => {
  await addWebhook(database);
  await page.setViewportSize({ width: 640, height: 360 });
  const save = (label: string) => page.getByRole("button", { name: label, exact: true });
  const forms = [
    ["/app/settings", "Save settings"],
    ["/app/webhooks/1", "Save webhook"],
    ["/app/qr-generation/1", "Save changes"],
    [`/app/machine-groups/${await createGroup(context, app, "Scrolled")}`, "Save changes"],
  ] as const;
  for (const [address, label] of forms) {
    await visit(address);
    const edit = page.locator("summary").filter({ hasText: "Edit name" });
    const isFolded = (await edit.count()) > 0;
    if (isFolded) {
      await edit.click();
      await page.getByLabel("Name", { exact: true }).fill(`Saved on ${address}`);
    }
    await save(label).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/flash=/);
    const focused = isFolded ? edit : save(label);
    await expect(focused).toBeFocused();
    await expect(focused).toBeInViewport();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  }
});
