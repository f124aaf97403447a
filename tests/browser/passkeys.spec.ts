import type { Page } from "playwright/test";
import { createUser, signIn, signOut, submitSignIn } from "./arrange";
import { expect, hydrated, routePosts, test } from "./fixtures";
import { isData, loseAnswer, noAnswer } from "./lost-answers";
import { inSoak } from "../support/repetitions";

// Passkeys belong to a browser.
test.use({ hasOwnContext: true });

/** Gives the page a device that makes passkeys, and verifies its user without asking. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    verifiesUser: (isUserVerified: boolean) =>
      client.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

test("a passkey is added, signs in alone and after the password, and is removed", async ({
  page,
  visit,
  database,
  expectAccessible,
}) => {
  const device = await addAuthenticator(page);
  const user = await createUser(database, "passkeys@example.com");
  await signIn(page, user);
  await visit("/app/profile/second-factor");
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await expect(page.locator("li code")).toHaveCount(10);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("strong").filter({ hasText: "Laptop" })).toBeVisible();
  await expect(page.getByText(/last used never/)).toBeVisible();
  await hydrated(page, "running");
  await expectAccessible(page);

  await test.step("new recovery codes stay when another attempt gets no answer", async () => {
    const renew = page.getByRole("button", { name: "Create new recovery codes" });
    await renew.click();
    const codes = page.locator("li code");
    await expect(codes).toHaveCount(10);
    const shown = await codes.allInnerTexts();
    await page.route(isData, (route) => route.abort("connectionreset"));
    await renew.click();
    await expect(page.getByText(noAnswer)).toBeVisible();
    expect(await codes.allInnerTexts()).toEqual(shown);
    await page.unroute(isData);
  });

  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This device has a passkey of yours")).toBeVisible();

  await signOut(page);
  await page.goto("/login?returnTo=/app/faq");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/app\/faq$/);

  await signOut(page);
  await page.goto("/login");
  await submitSignIn(page, user);
  await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  await device.verifiesUser(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await expect(again).toBeFocused();
  await expectAccessible(page);
  await device.verifiesUser(true);
  await again.click();
  await expect(page).toHaveURL(/dashboard/);

  await visit("/app/profile/second-factor");
  const remove = page.getByRole("link", { name: "Remove Laptop" });
  await remove.click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Without it, two-step verification is turned off");
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await dialog.getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("Passkey removed")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Two-step verification is on" })).toHaveCount(0);
});

inSoak(test)(
  "a passkey is added once without a connection and after a lost answer",
  async ({ page, visit, context, database }) => {
    await addAuthenticator(page);
    const user = await createUser(database, "lost-passkeys@example.com");
    await signIn(page, user);
    await visit("/app/profile/second-factor/passkey");
    const retry = page.getByRole("button", { name: "Try again" });
    const unanswered = page.getByText(noAnswer);
    await page.getByLabel("Name").fill("Kept");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(unanswered).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Kept");

    await context.setOffline(false);
    await routePosts(page, "**/*_data=*", async (route) => {
      const isAnswer = route.request().postData()?.includes("clientDataJSON");
      await (isAnswer ? loseAnswer(route) : route.continue());
    });
    const lost = page.waitForEvent("requestfailed");
    await retry.click();
    await lost;
    await expect(unanswered).toBeVisible();
    await page.unroute("**/*_data=*");
    await retry.click();
    await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
    await expect(page.getByRole("group", { name: "Your recovery codes" })).toBeFocused();
    const { rows } = await database.query("select from passkeys where name = 'Kept'");
    expect(rows).toHaveLength(1);

    await context.setOffline(true);
    await page.getByRole("link", { name: "Done" }).click();
    await expect(page.getByText("No connection. Your page is kept.")).toBeVisible();
    await expect(page.locator("li code")).toHaveCount(10);
  },
);

inSoak(test)(
  "leaving its page withdraws the question for a passkey",
  async ({ page, visit, database }) => {
    await addAuthenticator(page);
    await page.addInitScript(() => {
      navigator.credentials.create = (options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener("abort", () => {
            document.body.dataset.question = "withdrawn";
            reject(new Error("Withdrawn"));
          });
        });
    });
    await signIn(page, await createUser(database, "leaves@example.com"));
    await visit("/app/profile/second-factor");
    await page.getByRole("link", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Your browser asks for your passkey.")).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Machines", exact: true }).click();
    await expect(page.locator("body")).toHaveAttribute("data-question", "withdrawn");
  },
);
