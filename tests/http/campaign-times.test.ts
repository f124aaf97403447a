import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { plainBrowser } from "../support/plain-browser";
import { openSessionOf, useServer } from "../support/server";

/** The start and the hours of campaigns on screens without scripts. */
const server = useServer();
let browser: ReturnType<typeof plainBrowser>;
let machine: { id: string };

beforeAll(async () => {
  browser = plainBrowser(server, await openSessionOf());
  machine = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
});

const hours = {
  hours_days: ["0-1", "0-2", "0-3", "0-4", "0-5", "1-6"],
  hours_from: ["8", "10:00", ""],
  hours_to: ["17:30", "14:00", ""],
  closed_on: "24/12/2098",
};
const typed = { starts_at: "01/12/2098 08:00", ...hours };
const inWords = "Mon–Fri 08:00–17:30, Sat 10:00–14:00, not on 24.12.2098 (Europe/Berlin)";

describe("a code", () => {
  const single = { promotionName: "Later", discount: "25", machines: "VM-1" };

  it("is created with a start and hours, which a refused form keeps and a copy takes over", async () => {
    const form = await browser.open("/app/qr-generation");
    const refused = await form.press("Create code", {
      ...single,
      ...typed,
      hours_from: ["8", "", ""],
      closed_on: "24/12/2098, 31/02/2098",
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Row 2: enter the time from as HH:MM");
    expect(refused.html.match(/<input [^>]*name="hours_[^>]*aria-invalid="true"/g)).toHaveLength(2);
    expect(refused.text).toContain("31/02/2098: ");
    expect(refused.valuesOf("starts_at")).toEqual([typed.starts_at]);
    expect(refused.valuesOf("hours_days")).toEqual(hours.hours_days);
    expect(refused.valuesOf("hours_to")).toEqual([...hours.hours_to]);
    const page = await refused.press("Create code", { ...single, ...typed });
    expect(page.text).toContain("Promotion created successfully");
    expect(page.text).toContain("Scheduled");
    expect(page.text).toContain("This code starts on 01.12.2098 08:00 (Europe/Berlin).");
    expect(page.text).toContain(inWords);
    const copy = await page.follow("Duplicate");
    expect(copy.valuesOf("starts_at")).toEqual([typed.starts_at]);
    expect(copy.valuesOf("hours_days")).toEqual(hours.hours_days);
    const row = { starts_at: new Date("2020-01-01T00:00Z"), open_minutes: "{[480,1050)}" };
    const begun = await insertPromotion({ name: "Begun", ...row });
    const other = await browser.open(`/app/qr-generation?from=${begun}`);
    expect(other.text).toContain("Not copied: its start, which has passed.");
    expect(other.valuesOf("starts_at")).toEqual([""]);
    expect(other.valuesOf("hours_days")).toEqual(["0-1"]);
  });

  it("is edited, as its history says, and found in the list by its status", async () => {
    const id = await insertPromotion({ name: "Edited", is_assigned: true });
    const page = await browser.open(`/app/qr-list/${id}`);
    const saved = await page.press("Save changes", typed);
    expect(saved.text).toContain("Starts at: 01.12.2098 08:00");
    expect(saved.text).toContain("Hours: Mon–Fri 08:00–17:30, Sat 10:00–14:00");
    expect(saved.text).toContain("Not on: 24.12.2098");
    const list = await browser.open("/app/qr-list?status=scheduled&text=edited");
    expect(list.rowHeaders).toHaveLength(1);
    const off = await list.press("Deactivate Edited");
    expect(off.text).toContain("Promotion successfully deactivated");
  });

  it("outside its hours says so on its page and at a check, and when it opens next", async () => {
    const id = await insertPromotion({ name: "Closed", open_minutes: "{}" });
    await assign("promotions", id, { machine_id: machine.id });
    const page = await browser.open(`/app/qr-list/${id}`);
    expect(page.text).toContain("Outside its hours.");
    const { code } = (await db()("promotions").where({ id }).first<{ code: string }>())!;
    const check = await browser.open(`/app/check?code=${code}&machine=VM-1`);
    expect(check.text).toContain(
      "Would be refused at VM-1 now: this code is not valid at this time.",
    );
  });
});

describe("a mass generation", () => {
  it("is created and edited with a start and hours, which its codes have at once", async () => {
    const form = await browser.open("/app/qr-generation/mass");
    const fields = { name: "Batch", num_codes: "2", discount_value: "25", machines: "VM-1" };
    const page = await form.press("Generate codes", { ...fields, ...typed });
    expect(page.text).toContain("2 scheduled");
    expect(page.text).toContain(inWords);
    const saved = await page.press("Save changes", {
      starts_at: "",
      hours_from: "",
      hours_to: "",
      hours_days: null,
    });
    expect(saved.text).toContain("2 active");
    expect(saved.text).toContain("Starts at: 01.12.2098 08:00 → none");
    expect(saved.text).toContain("Always, not on 24.12.2098");
  });

  it("keeps its codes from having a start of their own", async () => {
    const generation = await insertGeneration({ starts_at: new Date("2098-12-01T07:00Z") });
    const [id] = await insertCodes(generation, 1);
    const page = await browser.open(`/app/qr-list/${id}`);
    expect(page.text).toContain("01.12.2098 08:00 (Europe/Berlin)");
    expect(page.valuesOf("starts_at")).toEqual([]);
  });
});

describe("a selection", () => {
  it("gets a start and hours at once, and is filtered by them", async () => {
    const ids = [
      await insertPromotion({ name: "Many", is_assigned: true }),
      await insertPromotion({ name: "Many", is_assigned: true }),
    ];
    const query = new URLSearchParams(ids.map((id) => ["ids", id]));
    const confirmation = await browser.open(`/app/qr-list/bulk?${query}&intent=reschedule`);
    const button = "Change start or hours of 2 codes";
    const refused = await confirmation.press(button, typed);
    expect(refused.text).toContain("Choose what to change");
    expect(refused.valuesOf("hours_days")).toEqual(hours.hours_days);
    const done = await refused.press(button, { changes_start: "true", starts_at: "01/12/2098" });
    expect(done.text).toContain("2 codes were changed");
    const rows = async (filter: string) =>
      (await browser.open(`/app/qr-list?text=many&${filter}`)).rowHeaders.length;
    expect(await rows("starts_after=2098-12-01&starts_before=2098-12-01")).toBe(2);
    expect(await rows("starts_after=2098-12-02")).toBe(0);
    expect(await rows("running=true")).toBe(0);
    expect(await rows("running=false")).toBe(2);
  });
});
