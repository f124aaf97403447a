import { readFile } from "node:fs/promises";
import { PNG } from "pngjs";
import type { Page } from "playwright/test";
import { labelSheets } from "../../app/features/labels/label-sheets";
import { linesOfPage, openPdf, readLabels } from "../support/read-labels";
import { downloadFrom, expect, test, testAlsoBlocked } from "./fixtures";

/** The first mass generation of the sample data. */
const address = "/app/qr-generation/1/labels";

async function downloadByName(page: Page, name: string | RegExp) {
  const control = page.getByRole("main").getByText(name, { exact: typeof name === "string" });
  const file = await downloadFrom(control);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

testAlsoBlocked(
  test,
  "a sheet is chosen, previewed and downloaded as PDF",
  async ({ signedIn: page, visit, expectAccessible }) => {
    await visit(address);
    const preview = page.getByRole("img", { name: /^Preview of the first sheet: \d+ labels/ });
    await expect(preview).toBeVisible();

    await page.getByLabel("Label format").selectOption("5160");
    await page.getByLabel("First label").fill("4");
    await page.getByLabel("Name", { exact: true }).uncheck();
    await page.getByLabel("H, 30%").check();
    await page.getByLabel("Corners").check();
    await page.getByRole("button", { name: "Show preview" }).click();
    await expect(page).toHaveURL(/format=5160.*first=4/);
    await expect(page.getByText("30, 3 across and 10 down")).toBeVisible();
    await expect(page.getByLabel("Label format")).toHaveValue("5160");
    await expect(page.getByLabel("Name", { exact: true })).not.toBeChecked();
    await expect(preview).toHaveAttribute("alt", /3 across and 10 down/);
    const drawnWidth = () => preview.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(drawnWidth).toBeGreaterThan(0);
    await expectAccessible(page);

    const pdf = await downloadByName(page, "Download PDF");
    expect(pdf.name).toBe("mass_generation_1_labels.pdf");
    const lines = linesOfPage(openPdf(pdf.content), 0);
    expect(lines.filter((line) => /^(\w{4}-){2}\w{4}$/.test(line))).toHaveLength(27);

    // A change after the preview is in the file, with and without scripts.
    await page.getByLabel("First label").fill("1");
    const changed = linesOfPage(openPdf((await downloadByName(page, "Download PDF")).content), 0);
    expect(changed.filter((line) => /^(\w{4}-){2}\w{4}$/.test(line))).toHaveLength(30);

    await page.goBack();
    await expect(page.getByLabel("Label format")).toHaveValue("l7160");
    await expect(page.getByLabel("Name", { exact: true })).toBeChecked();
  },
);

test("labels that don't fit are refused with a reason, and not printed from the page", async ({
  signedIn: page,
  visit,
  expectAccessible,
}) => {
  await visit(address);
  await expect(page.getByLabel("Columns", { exact: true })).toBeHidden();
  await page.getByLabel("Label format").selectOption("grid");
  await page.getByLabel("Columns", { exact: true }).fill("12");
  await page.getByLabel("Top margin").fill("wide");
  await page.getByRole("button", { name: "Show preview" }).click();

  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: Labels/);
  await expect(page.getByLabel("Columns", { exact: true })).toHaveValue("12");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Download PDF" }).click();
  await expect(page.getByText("Nothing was downloaded.")).toBeVisible();
  await expect(page.getByLabel("Columns", { exact: true })).toHaveValue("12");
  await summary.getByRole("link", { name: /^12 columns don't fit/ }).click();
  await expect(page.getByLabel("Columns", { exact: true })).toBeFocused();

  // The page is read again, and says nothing new.
  const sidebar = page.getByRole("button", { name: "Toggle sidebar" });
  const read = page.waitForResponse(/labels.*_data=/);
  await sidebar.press("Enter");
  await (await read).finished();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  await expect(sidebar).toBeFocused();

  await page.getByLabel("Columns", { exact: true }).fill("4");
  await page.getByLabel("Top margin").fill("12,5");
  await page.getByRole("button", { name: "Show preview" }).click();
  await expect(page.getByText("4 across and")).toBeVisible();
  await expect(summary).toHaveCount(0);

  const note = page.getByText("Print the PDF instead");
  await expect(note).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(note).toBeVisible();
});

test("every code of a sheet as SVG scans in the fonts of the browser", async ({
  signedIn: page,
  visit,
  context,
}) => {
  await visit(address + "?format=l7160");
  await page.getByLabel("First sheet").fill("2");
  const svg = await downloadByName(page, "Download SVG");
  expect(svg.name).toBe("mass_generation_1_labels_sheet_2.svg");
  const text = svg.content.toString();
  const codes = [...text.matchAll(/>((?:\w{4}-){2}\w{4})</g)].map(([, code]) => code!);

  const dpi = 300;
  const sheet = labelSheets.l7160;
  const drawing = await context.newPage();
  await drawing.setViewportSize({
    width: Math.round((sheet.paper.width / 25.4) * dpi),
    height: Math.round((sheet.paper.height / 25.4) * dpi),
  });
  await drawing.setContent(
    `<body style="margin:0;overflow:hidden">${text.replace(/width="210mm" height="297mm"/, 'style="display:block;width:100vw"')}`,
  );
  const { data, width } = PNG.sync.read(await drawing.screenshot());
  const read = readLabels({ data, width, channels: 4, dpi }, sheet);
  expect(read.filter((code) => code !== null)).toEqual(
    codes.map((code) => code.replaceAll("-", "")),
  );

  const outside = await drawing.evaluate(() => {
    const groups = [...document.querySelectorAll("g")];
    return groups.flatMap((group) => {
      const code = group.querySelector("path")!.getBoundingClientRect();
      return [...group.querySelectorAll("text")].filter(
        (line) => line.getBoundingClientRect().left < code.right,
      );
    }).length;
  });
  expect(outside, "lines of text upon a QR code").toBe(0);
});
