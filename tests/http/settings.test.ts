import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { saveSettings } from "../../app/features/settings/edit-settings.server";
import { readStoredSettings } from "../../app/features/settings/settings.server";
import * as images from "../factories/images";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { initialSettingFields } from "../factories/settings";
import { insertRefusals, insertTransaction } from "../factories/transactions";
import { encodeForm } from "../support/multipart";
import { addUser, openSessionOf, useServer } from "../support/server";
import { expectRejection, sessionOf, useSession } from "../support/session";

const server = useServer({ environment: { MAX_CODES: "500", ALLOW_SIGNUP: "0" } });
const admin = useSession(server);
const address = "/app/settings";
const open = () => admin.open(address);

/** Sends the form with a file, as a browser does. */
async function upload(bytes: Buffer, { type = "image/png", ...fields }: Record<string, string>) {
  const form = new FormData();
  const { version } = await readStoredSettings();
  const sent = { ...initialSettingFields, intent: "save", version: String(version), ...fields };
  for (const [name, value] of Object.entries(sent)) form.set(name, value);
  form.set("logo", new File([new Uint8Array(bytes)], "logo.png", { type }));
  const encoded = await encodeForm(form);
  return server.send(address, { method: "POST", cookie: admin.cookie, ...encoded });
}

const audited = () => db()("audit_log").where({ action: "site.settings_changed" }).orderBy("id");
const titleOf = async (path: string) => /<title>([^<]*)/.exec((await server.send(path)).body)![1];

beforeEach(async () => {
  const version = (await readStoredSettings()).version;
  const initial = { siteName: "Promo Console", theme: "default", weekStart: "monday" } as const;
  const money = { currencySymbol: "$", currencyPlace: "before" } as const;
  const days = { refusalDays: null, eventDays: 30, mailDays: 30 };
  await saveSettings({ ...initial, ...money, ...days, removeLogo: true, version }, null, {
    actor: await insertUser(),
  });
});

describe("the settings screen", () => {
  it("saves all settings at once, and says who changed them last", async () => {
    const before = (await audited()).length;
    const saved = await (
      await open()
    ).press("Save settings", {
      siteName: "  Kiosk & Co ",
      weekStart: "sunday",
      theme: "success",
      currencySymbol: "€",
      currencyPlace: "after",
      refusalDays: "90",
      eventDays: "60",
      mailDays: "45",
    });
    expect(saved.address).toMatch(/^\/app\/settings\?flash=/);
    expect(saved.html).toContain("Settings saved");
    expect(saved.title).toBe("Settings saved - Settings - Kiosk & Co");
    expect(saved.text).toMatch(/Last changed\d\d\.\d\d\.\d{4} \d\d:\d\dByadmin@example\.com/);
    expect(saved.valuesOf("refusalDays")).toEqual(["90"]);

    const entries = (await audited()).slice(before);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      subject_type: "site",
      actor_name: "admin@example.com",
      details: {
        site_name: { from: "Promo Console", to: "Kiosk & Co" },
        week_start: { from: "monday", to: "sunday" },
        theme: { from: "default", to: "success" },
        currency_symbol: { from: "$", to: "€" },
        currency_place: { from: "before", to: "after" },
        refusal_days: { from: null, to: 90 },
        event_days: { from: 30, to: 60 },
        mail_days: { from: 30, to: 45 },
      },
    });
    const log = await saved.follow("Show changes");
    expect(log.text).toContain("Site name: Promo Console → Kiosk & Co");
  });

  it("makes reports say which refused attempts are deleted", async () => {
    await (await open()).press("Save settings", { refusalDays: "90" });
    const note = "Refused attempts older than 90 days are deleted.";
    const report = async (search: string) => (await admin.open(`/app/reports${search}`)).text;
    expect(await report("?from=2025-01-01")).toContain(
      `${note} Campaigns are counted without them`,
    );
    expect(await report("?from=2025-01-01&generation=1")).toContain(`${note} A chosen campaign`);
    expect(await report("?period=month")).not.toContain(note);
  });

  it("makes the list of refused attempts say which are deleted", async () => {
    await (await open()).press("Save settings", { refusalDays: "45" });
    const note = "Refused attempts older than 45 days are deleted.";
    const list = async (search: string) =>
      (await admin.open(`/app/transactions/refused${search}`)).text;
    for (const search of ["", "?created=2m", "?created_after=2025-01-01"])
      expect(await list(search), search).toContain(note);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    for (const search of ["?created=30d", `?created_after=${yesterday}`])
      expect(await list(search), search).not.toContain(note);
    const machine = await insertMachine();
    await insertRefusals(1, { machine_id: machine.id });
    expect((await admin.open(`/app/machines/${machine.serial_number}`)).text).toContain(note);
  });

  it("rejects all wrong values at once, and keeps what was typed", async () => {
    const rejected = await (
      await open()
    ).press("Save settings", {
      siteName: " ",
      weekStart: "tuesday",
      theme: "neon",
      currencySymbol: "1€",
      currencyPlace: "",
      refusalDays: "29",
      eventDays: "ten",
      mailDays: "3651",
    });
    expect(rejected.status).toBe(422);
    const days = "must be kept for a whole number of days from 30 to 3,650";
    for (const message of [
      "Site name is required",
      "Choose the first day of the week",
      "Choose a theme",
      "Currency symbol cannot contain digits or signs",
      "Choose the place of the symbol",
      `Refused attempts ${days}, or left empty`,
      `Events ${days}`,
      `Sent mails ${days}`,
    ])
      expect(rejected.text).toContain(message);
    expect(rejected.title).toMatch(/^Error: Settings - /);
    expect(rejected.valuesOf("mailDays")).toEqual(["3651"]);
    expect(rejected.valuesOf("currencySymbol")).toEqual(["1€"]);
  });

  it("rejects a save that is based on settings of before, and shows the present ones", async () => {
    const page = await open();
    await (await open()).press("Save settings", { siteName: "Newer" });
    const rejected = await page.press("Save settings", { siteName: "Older" });
    expectRejection(rejected, 409, "Someone else saved this page after you opened it.");
    expect(rejected.valuesOf("siteName")).toEqual(["Older"]);
    expect(rejected.text).toContain("Site nameNewer");
    expect(rejected.text).toContain("Codes that one person makes in 24 hoursNo limit");
    expect((await rejected.press("Save settings")).title).toBe("Settings saved - Settings - Older");
  });

  it("shows what the environment sets, and keeps it from forged posts", async () => {
    const page = await open();
    expect(page.text).toContain("Codes of a campaign500Set by MAX_CODES in the environment");
    expect(page.text).toContain("NoSet by ALLOW_SIGNUP in the environment");
    expect(page.valuesOf("maxCodes")).toEqual([]);
    const forged = { maxCodes: "1000", allowSignup: "true", siteName: "Forged" };
    expect((await page.press("Save settings", forged)).title).toBe(
      "Settings saved - Settings - Forged",
    );
    expect(await readStoredSettings()).toMatchObject({ maxCodes: null, allowSignup: null });
    expect(await admin.page("/app/qr-generation/mass")).toContain("1 to 500.");
    expect((await server.send("/signup")).status).toBe(404);
  });

  it("is for admins", async () => {
    await addUser("clerk@example.com");
    const clerk = sessionOf(server, await openSessionOf("clerk@example.com"));
    expect((await clerk.get(address)).status).toBe(403);
    expect(
      (await clerk.post(address, { ...initialSettingFields, intent: "save", version: "1" })).status,
    ).toBe(403);
    expect(await clerk.page("/app/support")).not.toContain(`href="${address}"`);
    expect(await admin.page("/app/support")).toContain(`href="${address}"`);
  });
});

describe("the logo", () => {
  it("is encoded anew, shown in the header and on the sign-in page, and can be removed", async () => {
    expect((await upload(await images.png(), {})).status).toBe(303);
    const pattern = /<img src="(\/logo\?v=[0-9a-f]{16})" width="(\d+)" height="(\d+)" alt=""/;
    const [, src = "", ...size] = pattern.exec((await server.send("/login")).body)!;
    expect(await admin.page("/app/support")).toMatch(pattern);
    const { headers } = await server.send(src);
    expect(headers["content-type"]).toBe("image/webp");
    const { content } = await db()("site_logo").first<{ content: Buffer }>();
    const { format, width, height } = await sharp(content).metadata();
    expect([format, width, height]).toEqual(["webp", 144, 96]);
    expect(size).toEqual(["144", "96"]);

    const removed = await (await open()).press("Save settings", { removeLogo: "true" });
    expect(removed.html).not.toContain("/logo?");
    expect((await server.send(src)).status).toBe(404);
    const changes = (await audited()).slice(-2).map(({ details }) => details.logo);
    expect(changes).toEqual([
      { from: null, to: "logo.png" },
      { from: "logo.png", to: null },
    ]);
  });

  it("is rejected beside other wrong values if it is no picture", async () => {
    const answer = await upload(Buffer.from("<svg/>"), { siteName: "" });
    expectRejection(answer, 422, "Invalid format");
    expectRejection(answer, 422, "Site name is required");
    const text = await upload(Buffer.from("text"), { type: "text/plain" });
    expectRejection(text, 422, "You must upload an image");
    expect(await db()("site_logo")).toEqual([]);
  });
});

describe("a setting", () => {
  it("that another instance saves holds here within 5 seconds", async () => {
    const { version } = await readStoredSettings();
    const edit = { siteName: "Saved elsewhere", theme: "success", removeLogo: false } as const;
    await saveSettings({ ...edit, version }, null, { actor: await insertUser() });
    await expect
      .poll(() => titleOf("/login"), { timeout: 5_000 })
      .toBe("Sign in - Saved elsewhere");
    expect((await server.send("/login")).body).toContain('class="theme-success mode-system"');
    const chosen = await server.send("/login", { cookie: "theme=secondary.dark" });
    expect(chosen.body).toContain('class="theme-secondary mode-dark"');
    const { json } = await server.call("GET", "/api/openapi.json");
    expect(json.info.title).toBe("Saved elsewhere");
  });

  it("decides how money is written on screens, and leaves files as they are", async () => {
    await insertTransaction({
      promotion_id: await insertPromotion(),
      machine_id: (await insertMachine()).id,
      original_price: 123_450,
      discount: 250,
    });
    await (await open()).press("Save settings", { currencySymbol: "€", currencyPlace: "after" });
    expect(await admin.page("/app/transactions")).toContain("1,234.50\u00a0€");
    expect(await admin.page("/app/dashboard")).toContain("2.50\u00a0€");
    expect(await admin.page("/app/reports")).toContain("2.50\u00a0€");
    const { body } = await admin.get("/app/transactions/export.csv");
    expect(body).toContain("1234.50");
    expect(body).not.toContain("€");
  });
});
