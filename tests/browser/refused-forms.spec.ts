import type { Page } from "playwright/test";
import {
  createPromotion,
  createUser,
  sampleSerials,
  signIn,
  signOut,
  submitSignIn,
} from "./arrange";
import { expect, fileOfZeros, hydrated, test } from "./fixtures";
import { noAnswer } from "./lost-answers";
import { createGeneration } from "./lost-forms/promotions";
import { inSoak, repetitions } from "../support/repetitions";

// Each test has a session of its own, whose password was checked a moment ago.
test.use({ hasOwnContext: true });

/** Sends a form while its page has no scripts yet; those of the answer arrive. */
async function sendBeforeScripts(
  page: Page,
  address: string,
  button: string,
  fill: () => Promise<void>,
): Promise<void> {
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto(address);
  await fill();
  await page.unroute("**/assets/*.js");
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "There is a problem" })).toBeVisible();
  await hydrated(page, "running");
}

/** Corrects a field; its message goes once scripts run. */
async function correct(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill(value);
  await field.blur();
  await expect(field).not.toHaveAttribute("aria-invalid");
}

test("a form that is refused before its scripts arrive keeps what was entered, and saves it once corrected", async ({
  page,
  app,
  database,
}) => {
  await signIn(page);
  await test.step("of a new user", async () => {
    await sendBeforeScripts(page, "/app/user/new", "Invite user", async () => {
      await page.getByLabel("Email").fill("late");
      await page.getByLabel("Last name").fill("Late");
      await page.getByRole("radio", { name: "Viewer" }).check();
    });
    await correct(page, "Email", "late@example.com");
    await expect(page.getByRole("radio", { name: "Viewer" })).toBeChecked();
    await page.getByRole("button", { name: "Invite user" }).click();
    await expect(page.getByText("Users created").first()).toBeVisible();
    const { rows } = await database.query(
      "select last_name, role from users where email = 'late@example.com'",
    );
    expect(rows).toEqual([{ last_name: "Late", role: "viewer" }]);
  });

  const { id } = await createPromotion(app, "Before its scripts");
  await test.step("of hours, in more rows than a form has at first", async () => {
    const rows = page.getByRole("group", { name: /^Hours, row \d/ });
    await sendBeforeScripts(page, `/app/qr-list/${id}`, "Save changes", async () => {
      await page.getByText(/^Edit name/).click();
      await page.getByLabel("Name", { exact: true }).fill("");
      await page.getByText("Start and hours").click();
      for (const row of [0, 1, 2]) {
        await rows.nth(row).getByLabel("Mon").check();
        await rows.nth(row).getByLabel("from").fill(`0${row}:00`);
        await rows.nth(row).getByLabel("to").fill(`0${row}:30`);
      }
    });
    await correct(page, "Name", "After its scripts");
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(2).getByLabel("from")).toHaveValue("02:00");
    await expect(rows.nth(2).getByLabel("Mon")).toBeChecked();
  });

  await test.step("of caps", async () => {
    await sendBeforeScripts(page, `/app/qr-list/${id}/caps`, "Save caps", async () => {
      await page.getByLabel("Uses in all").fill("many");
      await page.getByLabel("Uses a day").fill("7");
    });
    await correct(page, "Uses in all", "70");
    await expect(page.getByLabel("Uses a day")).toHaveValue("7");
  });
});

test("a form that comes back after signing in says that nothing was saved, and saves what was entered", async ({
  page,
  visit,
  database,
}) => {
  await signIn(page);
  await createUser(database, "signed-out@example.com");
  const { rows: users } = await database.query<{ id: string }>(
    "select id from users where email = 'signed-out@example.com'",
  );
  await visit(`/app/users/${users[0]!.id}/edit`);
  await page.getByLabel("Last name").fill("Late");
  await page.getByRole("radio", { name: "Viewer" }).check();
  await signOut(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await submitSignIn(page);
  await page.getByRole("button", { name: "Continue" }).click();

  await expect(
    page.getByText(
      "You were signed out, so nothing was done. Check what you entered, and send it again.",
    ),
  ).toBeVisible();
  await hydrated(page, "running");
  const email = page.getByLabel("Email");
  await email.fill("");
  await email.blur();
  await correct(page, "Email", "signed-in@example.com");
  await expect(page.getByRole("radio", { name: "Viewer" })).toBeChecked();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Users updated").first()).toBeVisible();
  const { rows } = await database.query("select last_name, role, email from users where id = $1", [
    users[0]!.id,
  ]);
  expect(rows).toEqual([{ last_name: "Late", role: "viewer", email: "signed-in@example.com" }]);
});

test("a form keeps what was entered when its file is too big, or is refused before it is read", async ({
  page,
  visit,
}, testInfo) => {
  await signIn(page);
  const tooBig = fileOfZeros(testInfo, "camera.png", 3 * 1024 * 1024);
  const forms = [
    ["/app/user/new", "Invite user", /^Picture/, /^Email/],
    ["/app/settings", "Save settings", /^Logo/, /^Site name/],
    ["/app/users/1/edit", "Save changes", /^Picture/, /^Last name/],
  ] as const;
  for (const [address, button, picture, field] of forms.slice(0, repetitions(1, 3))) {
    await visit(address);
    await page.getByLabel(field).fill("entered@example.com");
    await page.getByLabel(picture).setInputFiles(tooBig);
    await page.getByRole("button", { name: button }).click();
    const problem = page.getByRole("alert").filter({ hasText: "There is a problem" });
    await problem.getByRole("link", { name: "File is too big." }).click();
    await expect(page.getByLabel(picture)).toBeFocused();
    await expect(page.getByLabel(field)).toHaveValue("entered@example.com");
  }

  const [address, button, picture, field] = forms[0];
  await visit(address);
  await page.getByLabel(field).fill("entered@example.com");
  await signOut(page);
  await page.getByLabel(picture).setInputFiles(fileOfZeros(testInfo, "late.png", 300 * 1024));
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByText("Sign in, and then send the file again.")).toBeVisible();
  // The button has its label again once everything is read that the page reads after an answer.
  await expect(page.getByRole("button", { name: button })).toBeVisible();
  await expect(page.getByLabel(field)).toHaveValue("entered@example.com");
});

inSoak(test)(
  "a form shows its own record, also where a link or the history leads from one to another",
  async ({ page, app, visit, database }) => {
    // First in the list.
    const records = ["0-first@example.com", "0-second@example.com"];
    for (const email of records) await createUser(database, email);
    await signIn(page);
    const name = page.getByLabel("First name");
    await visit("/app/users");
    for (const email of records) {
      await page.getByRole("link", { name: "Users", exact: true }).first().click();
      await page.getByRole("link", { name: `Edit ${email}` }).click();
      await name.fill(email);
    }
    await page.evaluate(() => history.go(-2));
    await expect(page.getByLabel("Email")).toHaveValue(records[0]!);
    await expect(name).toHaveValue(records[0]!);

    const { id } = await createPromotion(app, "To be duplicated");
    await visit(`/app/qr-generation?from=${id}`);
    const discount = page.getByLabel("Percentage off");
    await expect(discount).not.toHaveValue("");
    await page.getByRole("link", { name: "QR Generation", exact: true }).first().click();
    await expect(discount).toHaveValue("");
  },
);

inSoak(test)(
  "an edit that was refused stays open with its input while a dialog over its page is opened",
  async ({ signedIn: page, visit, context, app, database }) => {
    const address = await createGeneration({ page, visit, context, app, database }, "Refused");
    await visit(address);
    await page.getByText(/^Edit name/).click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Mine");
    const rename =
      "update mass_generations set name = 'Theirs', version = version + 1 where id = $1";
    await database.query(rename, [address.split("/").at(-1)]);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Someone else changed this").first()).toBeVisible();
    await page.locator("#generation-machines").click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(name).toBeVisible();
    await expect(name).toHaveValue("Mine");
  },
);

inSoak(test)(
  "machines that were refused and then corrected are kept without an answer",
  async ({ signedIn: page, instanceWith }) => {
    const { origin } = await instanceWith({ SMARTVEND_URL: "", SAMPLE_DATA: "0" });
    await page.goto(`${origin}/app/machines/add`);
    await hydrated(page, "running");
    const machines = page.getByLabel("Machines", { exact: true });
    await machines.fill(`${sampleSerials[0]}, Taken`);
    await page.getByRole("button", { name: "Add machines" }).click();
    await expect(machines).toHaveAttribute("aria-invalid", "true");
    await machines.fill("NEW-1, Corrected");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Add machines" }).click();
    await expect(page.getByText(noAnswer)).toBeVisible();
    await expect(machines).toHaveValue("NEW-1, Corrected");
  },
);
