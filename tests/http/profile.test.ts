import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { avatarDrawings } from "../../app/features/people/avatar-drawings.server";
import { hashSecret } from "../../app/features/sign-in/tokens.server";
import { countSessions, lockTable } from "../support/database-sessions";
import { plainBrowser } from "../support/plain-browser";
import { insertSession, useServer } from "../support/server";
import { useSession } from "../support/session";

const server = useServer();
const email = "maria@example.com";
let userId = "";

const session = useSession(server, email);
beforeAll(async () => {
  userId = (await storedUser())!.id as string;
});

const openBrowser = () => plainBrowser(server, session.cookie);
const storedUser = () => db()("users").where({ email }).first<Record<string, unknown>>();
const audited = (action: string) =>
  db()("audit_log").where({ action, actor_id: userId }).select<object[]>("details");

describe("the profile", () => {
  it("is edited, stays on its page and is audited once", async () => {
    const browser = openBrowser();
    const page = await browser.open("/app/profile");
    expect(page.text).toContain("Profile Overview");
    expect(page.text).toContain(email);
    expect(page.hasButton("Save Changes")).toBe(false);
    expect(page.html).toContain('href="/app/profile?edit=1#profile"');
    const form = await page.follow("Edit Profile");
    const saved = await form.press("Save Changes", {
      firstName: " Maria ",
      lastName: "Keller",
      phone: "+49 30 1234",
      company: "Vending & Söhne",
    });
    expect(saved.address).toMatch(/^\/app\/profile\?flash=/);
    expect(saved.html).toContain("Profile updated successfully");
    expect(saved.text).toContain("Vending & Söhne");
    expect(saved.html).toMatch(/Hi, (<!-- -->)?Maria</);
    expect(await audited("user.profile_edited")).toEqual([
      {
        details: {
          first_name: { from: "", to: "Maria" },
          last_name: { from: "", to: "Keller" },
          phone: { from: "", to: "+49 30 1234" },
          company: { from: "", to: "Vending & Söhne" },
        },
      },
    ]);
    await (await saved.follow("Edit Profile")).press("Save Changes");
    expect(await audited("user.profile_edited")).toHaveLength(1);
  });

  it("says 'Failed to load user data' while the database doesn't answer", async () => {
    await lockTable("api_keys");
    const { status, body } = await session.get("/app/profile");
    expect(status).toBe(503);
    expect(body).toContain("Failed to load user data");
  });

  it("is saved although the session ends while the form is being sent", async () => {
    const { cookie } = await insertSession(userId);
    const page = await plainBrowser(server, cookie).open("/app/profile?edit=1");
    const trx = await db().transaction();
    await trx("users").where({ id: userId }).forUpdate();
    const saved = page.press("Save Changes", { company: "Saved Ltd" });
    await expect.poll(() => countSessions("waiting for a lock"), { interval: 5 }).toBe(1);
    await trx("sessions")
      .where({ id_hash: hashSecret(cookie.replace("sid=", "")) })
      .delete();
    await trx.commit();
    expect((await saved).address).toBe("/login?returnTo=%2Fapp%2Fprofile");
    expect(await storedUser()).toMatchObject({ company: "Saved Ltd" });
  });

  it("shows the second of two tabs the current values and keeps what was typed there", async () => {
    const browser = openBrowser();
    const [first, second] = [
      await browser.open("/app/profile?edit=1"),
      await browser.open("/app/profile?edit=1"),
    ];
    await first.press("Save Changes", { company: "First Ltd" });
    const conflict = await second.press("Save Changes", { company: "Second Ltd" });
    expect(conflict.status).toBe(409);
    expect(conflict.title).toMatch(/^Error: Profile/);
    expect(conflict.text).toContain("Your profile was changed after you opened it.");
    expect(conflict.text).toContain("First Ltd");
    expect(conflict.valuesOf("company")).toEqual(["Second Ltd"]);
    const saved = await conflict.press("Save Changes");
    expect(saved.text).toContain("Second Ltd");
  });

  it("is not changed by the form of somebody who used the browser before", async () => {
    const form = await session.open("/app/profile?edit=1");
    const before = await storedUser();
    const account = "before@example.com";
    const refused = await form.press("Save Changes", { company: "Another Ltd", account });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Somebody else was signed in when this form was opened.");
    expect(await storedUser()).toEqual(before);
  });

  it.each([
    [{ firstName: "x".repeat(101) }, "First name cannot exceed 100 characters"],
    [{ lastName: "🦩".repeat(101) }, "Last name cannot exceed 100 characters"],
    [{ phone: "1".repeat(51) }, "Phone number cannot exceed 50 characters"],
    [{ company: "NUL\0" }, "Company contains characters that cannot be stored"],
    [{ version: "x" }, "Open this page again, then save."],
  ])("refuses %o and changes nothing", async (fields, message) => {
    const before = await storedUser();
    const form = await session.open("/app/profile?edit=1");
    const refused = await form.press("Save Changes", { company: "Typed", ...fields });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(message);
    const [name, value] = Object.entries(fields)[0]!;
    if (name !== "version" && !value.includes("\0"))
      expect(refused.valuesOf(name)).toEqual([value]);
    expect(await storedUser()).toEqual(before);
  });
});

describe("the avatar", () => {
  it("is chosen among ten, and at once in the top bar", async () => {
    const browser = openBrowser();
    const page = await browser.open("/app/profile");
    expect(page.html).toContain(avatarDrawings.account_circle);
    const chooser = await page.follow("Choose avatar");
    expect(chooser.title).toContain("Choose Your Avatar");
    expect(chooser.html.match(/type="radio"[^>]*name="avatarIcon"/g)).toHaveLength(10);
    expect(chooser.valuesOf("avatarIcon")).toEqual(["account_circle"]);
    const chosen = await chooser.press("Save avatar", { avatarIcon: "pets" });
    expect(chosen.html).toContain("Avatar updated successfully");
    const header = /<header.*?<\/header>/s.exec(chosen.html)![0];
    expect(header).toContain(avatarDrawings.pets);
    expect(await audited("user.avatar_chosen")).toEqual([
      { details: { avatar: { from: "account_circle", to: "pets" } } },
    ]);
  });

  it("is the only one that a page carries", async () => {
    const { html } = await session.open("/app/support");
    const carried = Object.values(avatarDrawings).filter((drawing) => html.includes(drawing));
    expect(carried).toEqual([avatarDrawings.pets]);
  });

  it("leaves the form of the profile open", async () => {
    const page = await session.open("/app/profile?edit=1");
    const chooser = await page.follow("Choose avatar");
    expect((await chooser.follow("Cancel")).hasButton("Save Changes")).toBe(true);
    const chosen = await chooser.press("Save avatar", { avatarIcon: "pets" });
    expect(chosen.hasButton("Save Changes")).toBe(true);
  });

  it.each(["", "toString", "rocket"])("is not %j", async (avatarIcon) => {
    const chooser = await session.open("/app/profile/avatar");
    const refused = await chooser.press("Save avatar", { avatarIcon });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Choose an avatar");
  });
});

describe("the settings", () => {
  it("are saved in the browser and used by its pages", async () => {
    const browser = openBrowser();
    const page = await browser.open("/app/profile");
    const saved = await page.press("Save settings", {
      theme: "success",
      mode: "dark",
      shortcuts: "off",
      rows_qr_list: "50",
      rows_machines: "100",
      rows_transactions: "10",
    });
    expect(saved.address).toBe("/app/profile#save-settings");
    expect(saved.html).toContain('class="theme-success mode-dark"');
    expect(saved.valuesOf("rows_qr_list")).toEqual(["50"]);
    expect(saved.valuesOf("rows_machines")).toEqual(["100"]);
    expect(saved.valuesOf("rows_transactions")).toEqual(["10"]);
    expect((await browser.open("/app/keyboard")).text).toContain("Off.");
  });

  it("ignore a number of rows that a list doesn't have", async () => {
    const page = await session.open("/app/profile");
    const saved = await page.press("Save settings", { rows_machines: "10" });
    expect(saved.valuesOf("rows_machines")).toEqual(["25"]);
  });
});
