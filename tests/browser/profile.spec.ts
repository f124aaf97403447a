import { createUser, signIn } from "./arrange";
import { expect, fileOfZeros, garblePosts, hydrated, test } from "./fixtures";
import * as images from "../factories/images";
import { inSoak, repetitions } from "../support/repetitions";

test("an API key is made and revealed by keyboard, and a session is listed", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit("/app/profile");
  await page.getByRole("link", { name: /^(Create|Regenerate) API key$/ }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("API key created. Reveal it to copy it.")).toBeVisible();
  await page.getByRole("button", { name: "Reveal API key" }).focus();
  await page.keyboard.press("Enter");
  const secret = page.getByRole("textbox", { name: "API key" });
  await expect(secret).toBeFocused();
  await expect(secret).toHaveValue(/^vqk_[0-9A-Za-z]{49}$/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Hide" }).click();
  await expect(secret).toHaveCount(0);
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
});

test("settings are saved beside a form that is being filled in, and both forms show them", async ({
  signedIn: page,
  visit,
}) => {
  await visit("/app/profile?edit=1");
  await page.getByLabel("Company").fill("Typed before");
  const settings = page.locator("form", { has: page.locator("#save-settings") });
  await settings.getByRole("radio", { name: "Dark" }).check();
  await settings.getByLabel("Rows per page: Machines").selectOption("100");
  await settings.getByRole("button", { name: "Save settings" }).click();
  await expect(page.locator("html")).toHaveClass(/mode-dark/);
  await expect(settings.getByRole("status")).toHaveText("Settings saved.");
  await expect(settings.getByRole("button", { name: "Save settings" })).toBeFocused();
  await expect(page.getByLabel("Company")).toHaveValue("Typed before");

  const theme = page.locator("summary").filter({ hasText: "Theme" });
  await theme.click();
  const picker = page.getByRole("complementary", { name: "Theme settings" });
  await expect(picker.getByRole("radio", { name: "Dark" })).toBeChecked();
  await picker.getByRole("radio", { name: "Light" }).check();
  await picker.getByRole("button", { name: "Apply" }).click();
  await expect(theme).toBeFocused();
  await expect(settings.getByRole("radio", { name: "Light" })).toBeChecked();
  await expect(page.getByLabel("Company")).toHaveValue("Typed before");
});

inSoak(test)(
  "a closed dialog takes the focus from nobody who has moved on",
  async ({ signedIn: page, visit }) => {
    await visit("/app/profile");
    await page.locator("#regenerate-key").click();
    await expect(page.getByRole("dialog")).toBeVisible();
    const edit = page.getByRole("link", { name: "Edit Profile" });
    // Out of reach at first, so that it is tried again: after somebody focused something else.
    const attempts = await edit.evaluateHandle((element) => {
      const find = document.getElementById.bind(document);
      const link = find("regenerate-key")!;
      link.id = "elsewhere";
      let count = 0;
      const again = new Promise<void>((resolve) => {
        document.getElementById = (id) => {
          if (id === "regenerate-key" && ++count === 2) setTimeout(resolve);
          else if (id === "regenerate-key")
            setTimeout(() => {
              element.focus();
              link.id = id;
            });
          return find(id);
        };
      });
      return { again };
    });
    await page.keyboard.press("Escape");
    await attempts.evaluate(({ again }) => again);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(edit).toBeFocused();
  },
);

inSoak(test)(
  "a form says what failed when the server gives no reason",
  async ({ signedIn: page, visit }) => {
    const forms = [
      ["/app/user/edit", "Save", "Failed to update profile"],
      ["/app/profile/avatar", "Save avatar", "Failed to update avatar"],
    ] as const;
    for (const [address, button, message] of forms.slice(0, repetitions(1, 2))) {
      await visit(address);
      await garblePosts(page, "**/app/**");
      await page.getByRole("button", { name: button, exact: true }).click();
      await expect(page.getByRole("alert").filter({ hasText: message }).first()).toBeVisible();
      await page.unroute("**/app/**");
    }
  },
);

test("a photo is uploaded and deleted; one that is too big is not sent", async ({
  signedIn: page,
  visit,
  expectAccessible,
}, testInfo) => {
  await visit("/app/user/edit/profile");
  const input = page.getByLabel("Photo", { exact: true });
  const upload = page.getByRole("button", { name: "Upload an image" });
  let posts = 0;
  page.on("request", (request) => (posts += request.method() === "POST" ? 1 : 0));
  await input.setInputFiles(fileOfZeros(testInfo, "large.png", 2 * 1024 * 1024 + 1));
  await upload.click();
  await expect(page.getByText("File is too big.")).toBeVisible();
  await expect(input).toBeFocused();
  expect(posts).toBe(0);
  await expectAccessible(page);

  const file = { name: "beach.png", mimeType: "image/png" };
  await input.setInputFiles({ ...file, buffer: await images.png() });
  await upload.click();
  await expect(page.getByText("Avatar updated successfully")).toBeVisible();
  const image = page.getByRole("banner").locator("summary img");
  await expect(image).toHaveJSProperty("naturalWidth", 256);
  await page.getByRole("link", { name: "Delete beach.png" }).click();
  await page.getByRole("button", { name: "Delete photo" }).click();
  await expect(page.getByText("Photo deleted")).toBeVisible();
  await expect(image).toHaveCount(0);
});

inSoak(test)(
  "passwords can be read while they are typed, and no browser posts the box",
  async ({ signedIn: page, visit }) => {
    await visit("/app/user/edit/password");
    const password = page.getByLabel("New Password");
    await password.fill("seven brown otters");
    await expect(password).toHaveAttribute("type", "password");
    const box = page.getByLabel("Show passwords");
    await box.check();
    await expect(password).toHaveAttribute("type", "text");
    await expect(password).toHaveValue("seven brown otters");
    await expect(box).not.toHaveAttribute("name");
  },
);

inSoak(test)(
  "all other sessions are signed out as often as it is asked for",
  async ({ page, app, database, scripts }) => {
    const user = await createUser(database, "everywhere@example.com");
    await signIn(page, user);
    await page.goto(`${app.origin}/app/profile`);
    await hydrated(page, scripts);
    for (const round of [1, 2]) {
      await database.query(
        `insert into sessions (id_hash, user_id, expires_at)
       select sha256($1), id, now() + interval '1 hour' from users where email = $2`,
        [Buffer.from([round]), user.email],
      );
      // The page shows the button once it was read again.
      await page.getByRole("link", { name: "Profile", exact: true }).first().click();
      await page.getByRole("button", { name: "Sign out all other sessions" }).click();
      await expect(page.getByText("1 other session signed out").first()).toBeVisible();
      const { rows } = await database.query(
        "select from sessions s join users u on u.id = s.user_id where u.email = $1",
        [user.email],
      );
      expect(rows, `round ${round}`).toHaveLength(1);
    }
  },
);
