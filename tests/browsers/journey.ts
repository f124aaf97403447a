import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createPromotion, sampleSerials } from "../browser/arrange";
import * as images from "../factories/images";
import { admin } from "../support/browser-app";
import { decodeQr } from "../support/decode-qr";
import { readZip } from "../support/read-zip";
import { cutNetwork } from "./cut-network";
import type { Page } from "./page";
import { countPromotions, countRows, fillPromotion, ownPage, signIn, type Step } from "./visit";

const inDialog = "[role=dialog], [role=alertdialog]";
const dialogFocus = "[role=dialog] *, [role=alertdialog] *, [role=dialog], [role=alertdialog]";

export const journey: Step[] = [
  {
    name: "signs in",
    async run({ page, browser }) {
      await signIn(page, browser, "/app/dashboard");
      assert.ok(!(await page.evaluate(() => document.cookie)).includes("sid="));
    },
  },
  {
    name: "creates a promotion",
    async run({ page, engine, app }) {
      const name = `${engine} single`;
      await page.open("/app/dashboard");
      await page.click({ role: "link", name: "QR Generation" });
      await page.arrives("/app/qr-generation");
      await fillPromotion(page, name);
      await page.click(`input[name=machines][value="${sampleSerials[0]}"]`);
      await page.click({ role: "button", name: "Create code" });
      await page.shows({ role: "heading", name });
      await page.reads("Promotion created successfully");
      assert.equal(await countPromotions(app, name), 1);
    },
  },
  {
    name: "generates codes and downloads their archive",
    async run({ page, browser, engine, folder }) {
      await page.open("/app/qr-generation/mass");
      await page.fill("#name", `${engine} festival`);
      await page.fill("#num_codes", "30");
      await page.fill("#discount_value", "25");
      await page.click(`input[name=machines][value="${sampleSerials[0]}"]`);
      await page.click({ role: "button", name: "Generate codes" });
      await page.shows({ role: "heading", name: `${engine} festival` });
      await page.reads("Archive downloaded successfully");
      await expectArchive(await savedFile(page, folder, /^mass_generation_\d+\.zip$/));
      const address = await page.evaluate(
        () => document.querySelector<HTMLAnchorElement>("a[href*='archive.zip']")!.href,
      );
      const answer = await fetch(address, { headers: { Cookie: await browser.cookies() } });
      await expectArchive(Buffer.from(await answer.arrayBuffer()));
    },
  },
  {
    name: "selects rows and deactivates them by the bulk bar",
    async run({ page, app, engine }) {
      const names = [1, 2, 3].map((number) => `${engine} bulk ${number}`);
      for (const name of names) await createPromotion(app, name);
      await page.open(`/app/qr-list?text=${engine}+bulk`);
      for (const name of [names[0]!, names[2]!])
        await page.click({ role: "checkbox", name: `Select ${name}` });
      await page.reads("2 selected");
      await page.click({
        role: "button",
        name: "Deactivate",
        within: "[aria-label='Selected codes']",
      });
      await page.shows({ role: "heading", name: "Deactivate 2 codes" });
      await page.click({ role: "button", name: "Deactivate 2 codes" });
      await page.shows({ role: "heading", name: "2 codes deactivated" });
      await page.click({ role: "link", name: "Back to the list" });
      await page.arrives("/app/qr-list");
      await page.until(
        "two rows are inactive",
        async () => (await countRows(page, "Inactive")) === 2,
      );
    },
  },
  {
    name: "keeps the focus in a dialog and gives it back",
    async run({ page, browser, app, engine }) {
      const name = `${engine} dialog`;
      await createPromotion(app, name);
      await page.open(`/app/qr-list?text=${engine}+dialog`);
      const opener = `tbody a[title^="Delete"]`;
      for (const open of ["by click", "by key"]) {
        if (open === "by click") await page.click(opener);
        else {
          await page.tabTo("td a, td button");
          while (!(await page.hasFocus(opener))) await browser.press("ArrowRight");
          await browser.press("Enter");
        }
        await page.shows(inDialog);
        await page.until("the focus is in the dialog", () => page.hasFocus(dialogFocus));
        for (const key of [
          "Tab",
          "Tab",
          "Tab",
          "Tab",
          "Shift+Tab",
          "Shift+Tab",
          "Shift+Tab",
        ] as const) {
          await browser.press(key);
          assert.ok(await page.hasFocus(dialogFocus), `${key} leaves the dialog opened ${open}`);
        }
        await browser.press("Escape");
        await page.until("the dialog is closed", async () => !(await page.has(inDialog)));
        await page.until("the opener has the focus", () => page.hasFocus(opener));
      }
    },
  },
  {
    name: "assigns machines in their dialog",
    async run({ page, app, engine }) {
      const name = `${engine} machines`;
      await createPromotion(app, name);
      await page.open(`/app/qr-list?text=${engine}+machines`);
      await page.click({ role: "link", name: `Machines of ${name}` });
      await page.shows({ role: "heading", name: "Manage Machines" });
      for (const serial of sampleSerials.slice(0, 2))
        await page.click(`[role=dialog] [value="${serial}"]`);
      await page.reads("Selected: 2");
      await page.click({ role: "button", name: "Add Selected" });
      await page.reads("Machines successfully added");
      await page.click({ role: "button", name: "Remove", within: "[role=dialog]" });
      await page.reads("Machine successfully removed");
      await page.click({ role: "link", name: "Close", within: "[role=dialog]" });
      await page.until("the dialog is closed", async () => !(await page.has(inDialog)));
      await page.reads("Active", "tbody tr");
    },
  },
  {
    name: "uploads a profile picture",
    async run({ page, browser, folder }) {
      const file = path.join(folder, "beach.png");
      await writeFile(file, await images.png());
      await page.open("/app/user/edit/profile");
      await browser.upload("input[type=file]", file);
      await page.click({ role: "button", name: "Upload an image" });
      await page.reads("Avatar updated successfully");
      await page.until("the top bar shows the picture", () =>
        page.evaluate(
          () =>
            document.querySelector<HTMLImageElement>("header summary img")?.naturalWidth === 256,
        ),
      );
      await page.click({ role: "link", name: "Delete beach.png" });
      await page.click({ role: "button", name: "Delete photo", within: "[role=alertdialog]" });
      await page.reads("Photo deleted");
    },
  },
  {
    name: "leaves no gap within a column heading",
    async run({ page }) {
      await page.open("/app/qr-list");
      const gaps = await page.evaluate(() => {
        const links = [...document.querySelectorAll("thead a")];
        const heading = links.find((link) => link.textContent === "Discount/Free")!;
        const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
        const boxes: DOMRect[] = [];
        while (texts.nextNode()) {
          const range = document.createRange();
          range.selectNode(texts.currentNode);
          boxes.push(range.getBoundingClientRect());
        }
        return boxes.slice(1).map(({ left }, index) => Math.round(left - boxes[index]!.right));
      });
      assert.deepEqual([...new Set(gaps)], [0]);
    },
  },
  {
    name: "changes the theme without a new document",
    async run({ page, browser }) {
      await page.open("/app/machines");
      await page.evaluate(() => void Object.assign(window, { isSameDocument: true }));
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await background();
      await page.click({ role: "button", name: "Theme" });
      await page.click({ role: "radio", name: "Secondary" });
      await page.click({ role: "radio", name: "Dark" });
      await page.shows("html.theme-secondary.mode-dark");
      await page.until("the page is dark", async () => (await background()) !== before);
      assert.ok(await page.evaluate(() => "isSameDocument" in window));
      await page.click({ role: "radio", name: "Default" });
      await page.click({ role: "radio", name: "System setting" });
      await page.shows("html.theme-default.mode-system");
      await page.until("the theme is stored", async () =>
        (await browser.cookies()).includes("theme=default.system"),
      );
    },
  },
  {
    name: "signs in and creates a promotion by keys alone",
    async run({ page, browser, app, engine }) {
      const name = `${engine} by keys`;
      // A page that reads its data when the session ends would go to the sign-in by itself.
      await browser.open(`${page.origin}/healthz`);
      await browser.clearCookies();
      await browser.open(`${page.origin}/app/qr-generation`);
      await page.tabTo("#email");
      await browser.type(admin.email);
      await page.tabTo("#password");
      await browser.type(admin.password);
      await browser.press("Enter");
      await page.arrives("/app/qr-generation");
      await page.hydrated();
      await browser.press("Tab");
      assert.equal(await page.focused(), "Skip to main content");
      await browser.press("Enter");
      await page.until("the main part has the focus", () => page.hasFocus("#main"));
      await page.tabTo("#promotionName");
      await browser.type(name);
      await page.tabTo("#discount");
      await browser.type("15");
      await page.tabTo("button[value=create]", 80);
      await browser.press("Enter");
      await page.arrives(ownPage);
      assert.equal(await countPromotions(app, name), 1);
    },
  },
  {
    name: "moves between the actions of a row by arrow keys",
    async run({ page, browser, engine }) {
      await page.open(`/app/qr-list?text=${engine}+by+keys`);
      await page.tabTo("[href='#table']");
      await browser.press("Enter");
      await page.tabTo("[role=toolbar] *");
      const first = await page.focused();
      await browser.press("ArrowRight");
      const second = await page.focused();
      assert.notEqual(second, first);
      assert.ok(await page.hasFocus("[role=toolbar] *"));
      await browser.press("ArrowLeft");
      assert.equal(await page.focused(), first);
      await browser.press("Tab");
      assert.ok(!(await page.hasFocus("[role=toolbar] *")));
      await browser.press("Shift+Tab");
      assert.equal(await page.focused(), first);
    },
  },
  ...cutNetwork,
];

/** Waits for a file that the browser saves in its home. */
async function savedFile(page: Page, folder: string, name: RegExp): Promise<Buffer> {
  let file: string | undefined;
  await page.until(`a file ${name} is saved`, async () => {
    file = ["Downloads", "."]
      .map((part) => path.join(folder, part))
      .filter(existsSync)
      .flatMap((part) => readdirSync(part).map((entry) => path.join(part, entry)))
      .find((entry) => name.test(path.basename(entry)));
    return file !== undefined;
  });
  return readFile(file!);
}

/** Fails unless the archive holds 30 images of their codes and a list of them. */
async function expectArchive(bytes: Buffer): Promise<void> {
  const { entries, content } = await readZip(bytes);
  const images = entries.filter(({ fileName }) => fileName.endsWith(".png"));
  assert.equal(images.length, 30);
  assert.ok(entries.some(({ fileName }) => fileName === "codes.csv"));
  const [first] = images;
  assert.equal(`${decodeQr(await content(first!))}.png`, first!.fileName);
}
