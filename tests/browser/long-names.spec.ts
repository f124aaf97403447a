import { admin, createPromotion, createUser } from "./arrange";
import { expect, sidewaysScroll, test } from "./fixtures";
import { inSoak } from "../support/repetitions";

const phone = { width: 320, height: 740 };
const longName = "Sommerferienaktionsgutschein".repeat(2);

test("a message with a long name fits a phone", async ({ signedIn: page, visit, app }) => {
  const { id } = await createPromotion(app, longName);
  await page.setViewportSize(phone);
  await visit(`/app/qr-generation?from=${id}`);
  await expect(page.getByText(`A copy of ${longName}`)).toBeVisible();
  expect(await sidewaysScroll(page)).toBe(0);
});

test("a dialog about a long address fits a phone", async ({ signedIn: page, visit, database }) => {
  const email = `${longName.toLowerCase()}@example.com`;
  await createUser(database, email);
  const { rows } = await database.query<{ id: string }>("select id from users where email = $1", [
    email,
  ]);
  await page.setViewportSize(phone);
  await visit(`/app/users/${rows[0]!.id}/delete`);
  await expect(page.getByText(`The account ${email}`)).toBeVisible();
  expect(await sidewaysScroll(page)).toBe(0);
});

test("the tab of a view with a long name fits a phone", async ({
  signedIn: page,
  visit,
  database,
}) => {
  await database.query(
    `insert into saved_views (user_id, name, parameters)
     select id, $1, 'status=active' from users where email = $2`,
    [longName, admin.email],
  );
  await page.setViewportSize(phone);
  await visit("/app/qr-list");
  const views = page.getByRole("navigation", { name: "Views" });
  await expect(views.getByRole("link", { name: longName })).toBeVisible();
  expect(await sidewaysScroll(page)).toBe(0);
  await database.query("delete from saved_views where name = $1", [longName]);
});

test("a long name of the site leaves the menu its size, and the pages before signing in their width", async ({
  signedIn: page,
  context,
  visit,
}) => {
  const lengthen = () =>
    page
      .getByText("Promo Console", { exact: true })
      .first()
      .evaluate((name, text) => {
        name.textContent = text;
      }, longName);
  await page.setViewportSize(phone);
  await visit("/app/qr-list");
  const menu = page.getByRole("button", { name: "Menu" });
  const { width } = (await menu.boundingBox())!;
  await lengthen();
  expect((await menu.boundingBox())!.width).toBe(width);
  await context.clearCookies();
  await page.goto("/login");
  await lengthen();
  expect(await sidewaysScroll(page)).toBe(0);
});

inSoak(test)(
  "a long first name leaves the site's name its room",
  async ({ signedIn: page, visit }) => {
    await page.setViewportSize({ width: 1050, height: 740 });
    await visit("/app/check");
    const greeting = page.getByRole("banner").getByText(/^Hi, /);
    await greeting.evaluate((element) => {
      element.textContent = `Hi, ${"Maximiliana ".repeat(9)}`;
    });
    const site = page.getByRole("banner").getByText("Promo Console", { exact: true });
    const isCut = site.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect(await isCut).toBe(false);
  },
);

test("a code of 32 characters can be read on a phone, wherever it stands", async ({
  signedIn: page,
  visit,
  app,
  database,
}) => {
  const { id } = await createPromotion(app, "Printed elsewhere");
  const code = `LONGCODE${String(id).padStart(24, "2")}`;
  await database.query("update promotions set code = $1 where id = $2", [code, id]);
  const shown = code.replace(/.{4}(?=.)/g, "$&-");
  await page.setViewportSize(phone);
  for (const address of [
    `/app/qr-list/${id}`,
    `/app/qr-list/${id}/delete`,
    `/app/qr-list/bulk?ids=${id}&intent=deactivate`,
    `/app/qr-list?text=${code}`,
  ]) {
    await visit(address);
    const { x, width } = (await page.getByText(shown, { exact: true }).last().boundingBox())!;
    expect(x + width, address).toBeLessThanOrEqual(phone.width - 16);
    expect(await sidewaysScroll(page), address).toBe(0);
  }
});
