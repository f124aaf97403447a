import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertPromotion } from "../factories/promotions";
import { plainBrowser } from "../support/plain-browser";
import { addUser, openSessionOf, password, signInNewUser, useServer } from "../support/server";

const server = useServer();
let cookie = "";

beforeAll(async () => {
  cookie = await openSessionOf();
  await insertPromotion({ name: "Autumn" });
  await db()("users").update({ first_name: "Anna", last_name: "Smith" });
});
beforeEach(async () => void (await db()("saved_views").delete()));

const browse = (session = cookie) => plainBrowser(server, session);

describe("saved views without scripts", () => {
  it("saves a view, opens it by default, renames and deletes it", async () => {
    const browser = browse();
    const list = await browser.open("/app/qr-list?type=mass");
    const dialog = await list.follow("Save this view");
    const unnamed = await dialog.press("Save view", { name: "" });
    expect(unnamed.status).toBe(422);
    expect(unnamed.text).toContain("Name is required");
    const saved = await unnamed.press("Save view", { name: "singles" });
    expect(saved.text).toContain("View successfully saved");
    const singles = "/app/qr-list/views?type=single&sort=name&hide=renewable";
    const taken = await browser.press(singles, "Save view", { name: "Singles" });
    expect(taken.status).toBe(409);
    expect(taken.title).toMatch(/^Error: /);
    expect(taken.text).toContain(`A view named "singles" already exists.`);
    const replaced = await taken.press("Replace view");
    expect(replaced.text).toContain("View successfully replaced");
    await (await replaced.follow("Edit view")).press("Use as default");

    const opened = await browser.open("/app/qr-list");
    expect(opened.text).toContain("Type: Single");
    expect(opened.html).not.toMatch(/>Renewable<\/a>/);
    const renaming = await (await opened.follow("Saved views")).follow("Edit Singles");
    expect(renaming.valuesOf("name")).toEqual(["Singles"]);
    await renaming.press("Rename view", { name: "Only singles" });
    const all = await browser.open("/app/qr-list/views");
    expect(all.text).toContain("Only singles Default");
    const deleted = await all.press("Delete Only singles");
    expect(deleted.text).toContain('View "Only singles" deleted');
    expect(deleted.rowHeaders).toHaveLength(1);
    const views = await browser.open("/app/qr-list/views");
    expect(views.hasButton("Delete Only singles")).toBe(false);
    const restored = await views.press("Restore Only singles");
    expect(restored.text).toContain('View "Only singles" restored');
  });

  it("replaces no view but the one that it asked about", async () => {
    const browser = browse();
    for (const name of ["Morning", "Night"])
      await browser.press("/app/qr-list/views?type=single", "Save view", { name });
    const taken = await browser.press("/app/qr-list/views?type=mass", "Save view", {
      name: "Night",
    });
    const other = await taken.press("Replace view", { name: "Morning" });
    expect(other.status).toBe(409);
    expect(other.text).toContain(`A view named "Morning" already exists.`);
    const added = await other.press("Replace view", { name: "Evening" });
    expect(added.text).toContain("View successfully saved");
    expect(await db()("saved_views").orderBy("name").select("name", "parameters")).toEqual([
      { name: "Evening", parameters: "type=mass" },
      { name: "Morning", parameters: "type=single" },
      { name: "Night", parameters: "type=single" },
    ]);
  });

  it("renames, shares and deletes a view from the list that shows it, and undoes the deletion", async () => {
    const singles = "/app/qr-list?type=single";
    const saved = await (
      await (await browse().open(singles)).follow("Save this view")
    ).press("Save view", { name: "Singles" });
    const [dialog, later] = [await saved.follow("Edit view"), await saved.follow("Edit view")];
    expect(dialog.hrefOf("Saved views")).not.toContain("edit=");
    const renamed = await dialog.press("Rename view", { name: "Only singles" });
    expect(renamed.address).toContain(singles);
    const refused = await later.press("Rename view", { name: "Others" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Someone else changed this view");
    expect(refused.text).toContain("Current nameOnly singles");
    const again = await refused.press("Rename view", { name: "One of a kind" });
    expect(again.text).toContain("View successfully renamed");
    const shared = await (await again.follow("Edit view")).press("Share with colleagues");
    expect(shared.text).toContain("Everybody sees this view now");
    const deleted = await (await shared.follow("Edit view")).press("Delete view");
    expect(deleted.text).toContain('View "One of a kind" deleted');
    const restored = await deleted.press("Undo");
    expect(restored.address).toContain(singles);
    expect(restored.text).toContain('View "One of a kind" restored');
    expect((await restored.follow("Edit view")).hasButton("Stop sharing")).toBe(true);
  });

  it("says the same again when a form is sent twice because its answer was lost", async () => {
    const dialog = await browse().open("/app/qr-list/views?type=single");
    const saved = await dialog.press("Save view", { name: "First" });
    const edited = await saved.follow("Edit view");
    for (let attempts = 0; attempts < 2; attempts++) {
      const renamed = await edited.press("Rename view", { name: "Second" });
      expect(renamed.text).toContain("View successfully renamed");
    }
    const all = await browse().open("/app/qr-list/views");
    for (let attempts = 0; attempts < 2; attempts++) {
      const deleted = await all.press("Delete Second");
      expect(deleted.text).toContain('View "Second" deleted');
      expect(deleted.hasButton("Undo")).toBe(true);
    }
  });

  it("names and links what was saved first, when a form is sent again with another name", async () => {
    const dialog = await browse().open("/app/qr-list/views?type=single");
    await dialog.press("Save view", { name: "First" });
    const refused = await dialog.press("Save view", { name: "Second" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("This was already sent with other values.");
    expect(refused.hasButton("Replace view")).toBe(false);
    const first = await refused.follow('The first attempt saved "First".');
    expect(first.valuesOf("name")).toEqual(["First"]);
    expect((await refused.press("Save view")).text).toContain("View successfully saved");
    const names = await db()("saved_views").orderBy("name").pluck("name");
    expect(names).toEqual(["First", "Second"]);
  });

  it("says that nothing was done by what was pressed after the session had ended", async () => {
    const { email } = await addUser("late-view@example.com");
    const browser = plainBrowser(server, await openSessionOf(email));
    const dialog = await browser.open("/app/qr-list/views?type=single");
    browser.cookies.clear();
    const signIn = await dialog.press("Save view", { name: "Late" });
    const back = await (await signIn.press("Login", { email, password })).press("Continue");
    expect(back.text).toContain(
      "You were signed out, so nothing was done. Press the button again.",
    );
    expect(back.valuesOf("name")).toEqual(["Late"]);
    expect((await back.press("Save view")).text).toContain("View successfully saved");
  });

  it("shows a shared view to colleagues with its owner, without means to change it", async () => {
    const dialog = await browse().open("/app/qr-list/views?type=single");
    const saved = await dialog.press("Save view", { name: "Singles" });
    await (await saved.follow("Edit view")).press("Share with colleagues");
    const colleague = browse(await signInNewUser());
    await colleague.press("/app/qr-list/views?type=mass", "Save view", { name: "Singles" });
    const list = await (await colleague.open("/app/qr-list")).follow("Singles (Anna Smith)");
    expect(list.address).toBe("/app/qr-list?type=single");
    expect(list.html).not.toContain("Edit view");
    const views = await list.follow("Saved views");
    expect(views.text).toContain("Singles Shared by Anna Smith");
    const id = await idOf("type=single");
    expect((await colleague.open(`/app/qr-list/views?edit=${id}`)).hasButton("Delete view")).toBe(
      false,
    );
    const refused = await views.press("Delete Singles", { id });
    expect(refused.status).toBe(404);
    expect(refused.text).toContain("This view no longer exists");
  });

  it("is the view that it was saved as, in whatever order the address names its filters", async () => {
    const [user] = await db()("users").pluck<string[]>("id");
    await db()("saved_views").insert({
      user_id: user,
      name: "Old",
      parameters: "sort=name&type=mass",
    });
    const list = await browse().open("/app/qr-list?sort=-name&per_page=50&type=single");
    const dialog = await list.follow("Save this view");
    await dialog.press("Save view", { name: "Singles" });
    for (const params of ["type=single&per_page=50&sort=-name", "type=mass&sort=name"])
      await (await browse().open(`/app/qr-list?${params}`)).follow("Edit view");
  });

  it("saves the order and the columns that the browser remembers", async () => {
    const columns = ["created", "status", "groups"];
    const browser = browse();
    await browser.press("/app/qr-list?sort=name", "Apply columns", { columns });
    const list = await browser.open("/app/qr-list?type=single");
    const saved = await (
      await list.follow("Save this view")
    ).press("Save view", { name: "Singles" });
    expect(saved.hasButton("Save view")).toBe(false);
    expect(saved.html).toContain("Edit view");
    expect((await browser.open("/app/qr-list?type=single")).html).toContain("Edit view");

    const other = browse();
    const opened = await (await other.open("/app/qr-list?type=mass&sort=-name")).follow("Singles");
    expect(opened.html).toContain("Edit view");
    expect(opened.valuesOf("columns")).toEqual(["", ...columns]);
    expect(opened.html).toMatch(/aria-sort="ascending"[^>]*><a href="[^"]*sort=-name/);
    const all = await opened.follow("All codes");
    expect(all.valuesOf("columns")).toContain("renewable");
    expect(all.html).not.toContain("Edit view");
  });

  it("gives twelve views a tab, and that which is shown", async () => {
    const [user] = await db()("users").pluck<string[]>("id");
    for (let day = 10; day < 23; day++)
      await db()("saved_views").insert({
        user_id: user,
        name: `Until ${day}`,
        parameters: `created_before=${day}%2F01%2F2026`,
      });
    const list = await browse().open("/app/qr-list");
    expect(list.html).toContain("Until 21");
    expect(list.html).not.toContain("Until 22");
    const last = await (await list.follow("Saved views")).follow("Until 22");
    expect(last.html).toContain("Until 22</a>");
  });
});

async function idOf(parameters: string): Promise<string> {
  const [id] = await db()("saved_views").where({ parameters }).pluck<string[]>("id");
  return id!;
}
