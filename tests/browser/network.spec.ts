import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Route } from "playwright/test";
import { createPromotion, signIn } from "./arrange";
import { downloadFrom, expect, routeLoaded, test } from "./fixtures";
import { button, isData, noAnswer, testLostAnswers } from "./lost-answers";
import { lostForms } from "./lost-forms";
import { createGeneration } from "./lost-forms/promotions";
import { inSoak } from "../support/repetitions";

const banner = "No connection. Your page is kept.";

testLostAnswers(lostForms);

test("a form says that no answer came before the browser has drawn that it waits, or when its connection was closed", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/machine-groups/new");
  await page.getByLabel("Name").fill("Too quick");
  const send = async () => {
    await button(page, "Create group").click();
    await expect(page.getByText(noAnswer)).toBeVisible();
    await expect(button(page, "Create group")).toBeVisible();
  };
  await page.evaluate(() => {
    const { postMessage } = MessagePort.prototype;
    // React draws in turns that it posts to itself.
    MessagePort.prototype.postMessage = function (...message) {
      setTimeout(() => postMessage.apply(this, message as unknown as [unknown]), 500);
    };
  });
  await page.route(isData, (route) => route.abort("connectionreset"));
  await send();

  await visit("/app/machine-groups/new");
  await page.unroute(isData);
  await page.getByLabel("Name").fill("Too late");
  await page.route(isData, (route) => route.fulfill({ status: 408, body: "" }));
  await send();

  await page.setViewportSize({ width: 320, height: 800 });
  const words = (await page.getByText(noAnswer).boundingBox())!;
  const tryAgain = (await button(page, "Try again").boundingBox())!;
  expect(tryAgain.y, "on a phone the words have the whole line").toBeGreaterThan(
    words.y + words.height,
  );

  await test.step("an error of later input leaves the focus in its field", async () => {
    await page.getByLabel("Name").fill("");
    await expect(page.getByText("There is a problem")).toBeVisible();
    await expect(page.getByLabel("Name")).toBeFocused();
  });
});

inSoak(test)(
  "dialogs with machine lists open at once without a connection, and say so inside",
  async ({ signedIn: page, visit, context, app, database, openListOf }) => {
    const dialog = page.locator("[aria-labelledby=dialog-title]");
    const expectOpen = async (link: Locator, route: string) => {
      await routeLoaded(page, route);
      await context.setOffline(true);
      await link.click();
      await expect(dialog).toContainText("No answer from the server");
      await context.setOffline(false);
    };
    await openListOf("Lost lists");
    await expectOpen(
      page.getByRole("link", { name: "Machines of Lost lists" }),
      "routes/app.qr-list.$promotionId.machines",
    );
    await visit(await createGeneration({ page, visit, context, app, database }, "Lost lists"));
    await expectOpen(
      page.locator("#generation-machines"),
      "routes/app.qr-generation_.$generationId.machines",
    );
    await expect(dialog).toContainText("2 codes");
  },
);

inSoak(test)(
  "the small forms of lists keep the page without a connection, and work with one",
  async ({ signedIn: page, visit, context, openListOf, allowRefresh }) => {
    await visit("/app/machines");
    const refresh = button(page, /^Refresh/);
    await routeLoaded(page, "routes/app.machines.refresh");
    await context.setOffline(true);
    await refresh.click();
    await expect(page.getByText("Network error. Using cached data.").first()).toBeVisible();
    await context.setOffline(false);
    await expect(refresh).not.toHaveAttribute("aria-disabled", "true");
    await allowRefresh();
    await refresh.click();
    await expect(page.getByText("Data refreshed successfully")).toBeVisible();

    await openListOf("Lost downloads");
    await page.getByText("Columns", { exact: true }).click();
    const box = page.getByRole("checkbox", { name: "Renewable" });
    await box.uncheck();
    const download = page.getByRole("link", { name: /^Download the QR code of Lost downloads/ });
    await download.hover();
    await routeLoaded(page, "routes/app.qr-list.$promotionId.download");
    await context.setOffline(true);
    await button(page, "Apply columns").click();
    await expect(page.getByText(noAnswer).first()).toBeVisible();
    await expect(box).not.toBeChecked();

    await download.click();
    await page.getByRole("link", { name: "Download PNG" }).click();
    await expect(page.getByText("No answer from the server. Try again.")).toBeVisible();
    await context.setOffline(false);
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download PNG" }).click();
    await file;
  },
);

test("a link to another document keeps the page without a connection", async ({
  page,
  visit,
  context,
}) => {
  // A session of its own, which ends with the test.
  await signIn(page);
  const open: Record<string, Locator[]> = {
    "/app/qr-list": [page.getByRole("link", { name: "Export CSV" })],
    "/app/keyboard": [button(page, /^Turn shortcuts/)],
  };
  for (const [address, controls] of Object.entries(open)) {
    await visit(address);
    await context.setOffline(true);
    for (const control of controls) await control.click();
    await expect(page.getByText(banner)).toBeVisible();
    await context.setOffline(false);
  }
  await context.setOffline(true);
  await page.locator("summary", { hasText: "Theme" }).click();
  await button(page, "Apply").click();
  await page.locator("summary", { hasText: "Profile menu" }).click();
  await button(page, "Sign out").click();
  await expect(page.getByText(banner)).toBeVisible();
  await context.setOffline(false);
  await button(page, "Sign out").click();
  await expect(page).toHaveURL(/\/login/);
});

test.describe("what never arrives", () => {
  // A clock that is installed stays in its context, and so does a script that was loaded.
  test.use({ hasOwnContext: true });

  test("ends a download without a byte for 30 s, before its first byte or after", async ({
    signedIn: page,
    visit,
    app,
  }) => {
    const { id } = await createPromotion(app, "Stalled download");
    await page.clock.install();
    await visit(`/app/qr-list/${id}`);
    const server = createServer((_request, response) => {
      response.writeHead(200, { "Content-Length": 1_000 }).write("a part of it");
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const { port } = server.address() as AddressInfo;
    const goOn = [
      () => {},
      (route: Route) => route.continue({ url: `http://localhost:${port}/qr.png` }),
    ];
    const link = page.getByRole("link", { name: "Download QR" });
    for (const stall of goOn) {
      await page.route("**/qr.png", stall);
      await link.click();
      await expect(page.getByText("Downloading...")).toBeVisible();
      await expect(async () => {
        await page.clock.fastForward(31_000);
        await expect(page.getByText("No answer from the server. Try again.")).toBeVisible({
          timeout: 500,
        });
      }).toPass({ intervals: [200] });
      await page.unroute("**/qr.png");
    }
    server.closeAllConnections();
    server.close();
    await downloadFrom(link);
    await expect(page.getByText("QR code downloaded successfully")).toBeVisible();
  });
});

inSoak(test)(
  "a search keeps its page and what was typed without a connection",
  async ({ signedIn: page, visit, context }) => {
    const fields = {
      "/app/check": "code",
      "/app/qr-generation/1/labels": "first",
      "/app/transactions": "promotion",
    };
    for (const [address, name] of Object.entries(fields)) {
      await visit(address);
      const input = page.locator(`input[name=${name}]`).first();
      await input.fill("7");
      await context.setOffline(true);
      await input.press("Enter");
      await expect(page.getByText(banner)).toBeVisible();
      await expect(input).toHaveValue("7");
      expect(page.url()).toMatch(new RegExp(`${address}$`));
      await context.setOffline(false);
    }
  },
);
