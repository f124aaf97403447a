import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { toOpenMinutes } from "../../app/features/promotions/schedule";
import { assign } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { makeKey } from "../factories/redemptions";
import { rowById } from "../factories/rows";
import { documentedCall, expectDocumented } from "../support/generated-requests";
import { plainBrowser } from "../support/plain-browser";
import { issueTokenOf, openSessionOf, useServer } from "../support/server";

/** The start, the hours and the caps of campaigns on screens without scripts, and caps in the API. */
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
    expect(refused.html.match(/<input [^>]*name="hours_[^>]*aria-invalid="true"/g)).toHaveLength(9);
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

  it("is copied without the prefix and the length of its code, as the form says", async () => {
    const id = await insertPromotion({ name: "Prefixed", code: "FEST2ABCDEFGHJKM" });
    const copy = await browser.open(`/app/qr-generation?from=${id}`);
    expect(copy.text).toContain("Not copied: the prefix and length of its code.");
    const plain = await insertPromotion({ name: "Plain" });
    const other = await browser.open(`/app/qr-generation?from=${plain}`);
    expect(other.text).toContain("Everything except the name is filled in.");
    expect(other.text).not.toContain("Not copied");
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

  it("keeps hours of many rows when something else is edited", async () => {
    // Each beside days that are left out, which makes two rows of a window over midnight.
    const nights = [1, 2, 3, 4, 5, 6].flatMap((day) => [
      { days: [day], from: `2${day % 3}:0${day}`, to: `0${day}:00` },
      { days: [day], from: "10:00", to: `11:0${day}` },
      { days: [day], from: "12:00", to: `13:0${day}` },
    ]);
    const open_minutes = toOpenMinutes(nights);
    const id = await insertPromotion({ name: "Nights", open_minutes, closed_on: ["2098-12-24"] });
    const page = await browser.open(`/app/qr-list/${id}`);
    await page.press("Save changes", { promotionName: "Renamed" });
    expect(await rowById("promotions", id).first("name", "open_minutes")).toEqual({
      name: "Renamed",
      open_minutes,
    });
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
    expect((await browser.open("/app/qr-list?text=closed")).text).toContain("Outside its hours");
  });

  it("at a cap says so in the list and at a check, whatever the machine", async () => {
    const id = await insertPromotion({ name: "Capped" });
    await assign("promotions", id, { machine_id: machine.id });
    const campaign = { type: "promotion", id } as const;
    await editCaps(campaign, { ...noCaps, usesPerDay: 1 }, 1, {
      actor: (await makeKey()).actor,
    });
    expect((await browser.open("/app/qr-list?text=capped")).text).not.toContain("Cap reached");
    const capsId = db()("promotions").select("caps_id").where({ id });
    await db()("cap_parts").whereIn("caps_id", capsId).update({ uses_left_of_day: 0 });
    expect((await browser.open("/app/qr-list?text=capped")).text).toContain("Cap reached");
    const { code } = (await db()("promotions").where({ id }).first<{ code: string }>())!;
    expect((await browser.open(`/app/check?code=${code}`)).text).toContain(
      "Active. This campaign has given all its uses of today.",
    );
    const atMachine = await browser.open(`/app/check?code=${code}&machine=VM-1`);
    expect(atMachine.hrefOf("Change caps")).toBe(`/app/qr-list/${id}/caps`);
  });
});

it("takes caps that are sent again after a lost answer for saved, and leaves what somebody else saved since", async () => {
  const id = await insertPromotion({ name: "Lost answer" });
  const form = await browser.open(`/app/qr-list/${id}/caps`);
  await form.press("Save caps", { uses: "100" });
  const { actor } = await makeKey();
  await editCaps({ type: "promotion", id }, { ...noCaps, uses: 500 }, 2, { actor });
  const again = await form.press("Save caps", { uses: "100" });
  expect(again.text).toContain("Caps successfully updated");
  expect(again.text).toContain("at most 500 uses");
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

  it("is renamed and gets other hours after it has expired", async () => {
    const id = await insertGeneration({ name: "Last year", expires_at: new Date("2020-12-31") });
    const page = await browser.open(`/app/qr-generation/${id}`);
    const saved = await page.press("Save changes", { promotionName: "Archive", ...hours });
    expect(saved.text).toContain("Campaign successfully updated");
    expect(saved.title).toContain("Archive");
    expect(saved.text).toContain("Hours: Mon–Fri 08:00–17:30, Sat 10:00–14:00");
  });

  it.each([
    ["an earlier day", "2098-12-31T23:00Z", "31/12/2098"],
    ["a day that has passed", "2020-12-31T23:00Z", "31/12/2020"],
  ])("that somebody extends under an open form with %s is a conflict", async (_, end, day) => {
    const id = await insertGeneration({ name: "Shared", expires_at: new Date(end) });
    const address = `/app/qr-generation/${id}`;
    const [one, other] = [await browser.open(address), await browser.open(address)];
    expect(other.valuesOf("expiration_date")).toEqual([day]);
    await one.press("Save changes", { expiration_date: "31/12/2099" });
    const refused = await other.press("Save changes", { promotionName: "Renamed" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Someone else changed this campaign");
    expect(refused.valuesOf("promotionName")).toEqual(["Renamed"]);
  });

  it("says with a conflict which day its expiration has now, before the form is sent again", async () => {
    const id = await insertGeneration({ expires_at: new Date("2098-12-31T23:00Z") });
    const address = `/app/qr-generation/${id}`;
    const [one, other] = [await browser.open(address), await browser.open(address)];
    await one.press("Save changes", { expiration_date: "31/12/2099" });
    const refused = await other.press("Save changes", { promotionName: "Renamed" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Someone else changed this campaign");
    expect(refused.text).toContain(
      "An expiration can only be moved to a later day than 31/12/2099",
    );
    const saved = await refused.press("Save changes", { expiration_date: "31/12/2099" });
    expect(saved.title).toContain("Renamed");
  });

  it("keeps its codes from having a start of their own", async () => {
    const generation = await insertGeneration({ starts_at: new Date("2098-12-01T07:00Z") });
    const [id] = await insertCodes(generation, 1);
    const page = await browser.open(`/app/qr-list/${id}`);
    expect(page.text).toContain("01.12.2098 08:00 (Europe/Berlin)");
    expect(page.valuesOf("starts_at")).toEqual([]);
  });

  it("names all fields of an edit that are wrong, as a single code does", async () => {
    const token = await issueTokenOf();
    const body = { starts_at: "2020-12-01T08:00", expiration_date: "2020-12-31T23:59:59" };
    const expires_at = new Date("2098-12-31T23:00Z");
    for (const path of [
      `/api/mass_generation/${await insertGeneration({ expires_at })}`,
      `/api/promotion/${await insertPromotion({ expires_at })}`,
    ]) {
      const refused = await server.call("PUT", path, { token, body });
      expect([refused.status, refused.json.fields]).toEqual([
        422,
        {
          starts_at: "Start cannot be in the past",
          expiration_date: "Date cannot be in the past",
        },
      ]);
    }
    const [id] = await insertCodes(await insertGeneration(), 1);
    const own = { ...body, name: "Own" };
    const refused = await server.call("PUT", `/api/promotion/${id}`, { token, body: own });
    expect(Object.keys(refused.json.fields).sort()).toEqual([
      "expiration_date",
      "name",
      "starts_at",
    ]);
  });

  it("keeps its codes from having a start or hours of their own in the API, and names what was sent", async () => {
    const [id] = await insertCodes(await insertGeneration(), 1);
    const token = await issueTokenOf();
    const times = { starts_at: "2098-12-01T08:00", schedule: { except: ["2098-12-24"] } };
    for (const [name, value] of Object.entries(times)) {
      const body = { [name]: value };
      const refused = await server.call("PUT", `/api/promotion/${id}`, { token, body });
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.json.fields)).toEqual([name]);
    }
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
    const empty = { hours_days: null, hours_from: "", hours_to: "", closed_on: "" };
    const start = { changes_start: "true", starts_at: "01/12/2098" };
    const done = await refused.press(button, { ...start, ...empty });
    expect(done.text).toContain("2 codes were changed");
    const rows = async (filter: string) =>
      (await browser.open(`/app/qr-list?text=many&${filter}`)).rowHeaders.length;
    expect(await rows("starts_after=2098-12-01&starts_before=2098-12-01")).toBe(2);
    expect(await rows("starts_after=2098-12-02")).toBe(0);
    expect(await rows("running=true")).toBe(0);
    expect(await rows("running=false")).toBe(2);
  });
});

it.each([
  ["hours", { changes_start: "true" }, "Tick this to change the hours, or empty their fields"],
  ["a start", { changes_hours: "true" }, "Tick this to change the start, or empty its field"],
])("refuses %s that a bulk action has in its fields without a tick", async (_, tick, message) => {
  const id = await insertPromotion({ is_assigned: true });
  const confirmation = await browser.open(`/app/qr-list/bulk?ids=${id}&intent=reschedule`);
  const button = "Change start or hours of 1 code";
  const refused = await confirmation.press(button, { ...typed, ...tick });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(message);
  expect(refused.valuesOf("hours_days")).toEqual(hours.hours_days);
  const done = await refused.press(button, { changes_start: "true", changes_hours: "true" });
  expect(done.text).toContain("1 code was changed");
});

describe("the caps of a campaign", () => {
  it("are set on a page of their own, which a refused form keeps, and stand on its page and in its history", async () => {
    const id = await insertPromotion({ name: "Fair" });
    const page = await browser.open(`/app/qr-list/${id}`);
    expect(page.text).toContain("CapsNone");
    const form = await page.follow("Change caps");
    const refused = await form.press("Save caps", { uses: "0", money: "12.345", usesPerDay: "10" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Uses in all must be at least 1");
    expect(refused.text).toContain("Money in all must be an amount from 0.01 to 1,000,000,000");
    expect(refused.valuesOf("usesPerDay")).toEqual(["10"]);
    const saved = await refused.press("Save caps", { uses: "500", money: "12,50" });
    expect(saved.text).toContain("Caps successfully updated");
    expect(saved.text).toContain(
      "at most 500 uses (0 used), 10 uses a day (0 today), $12.50 in all ($0.00 given)",
    );
    expect(saved.text).toContain("Caps: at most 500 uses, 10 uses a day, $12.50 in all");
  });

  it("are those of the mass generation for each of its codes", async () => {
    const generation = await insertGeneration({ name: "Festival" });
    const [code] = await insertCodes(generation, 1);
    const page = await browser.open(`/app/qr-list/${code}`);
    const saved = await (await page.follow("Change caps")).press("Save caps", { uses: "5" });
    expect(saved.text).toContain("Caps successfully updated");
    expect((await browser.open(`/app/qr-list/${code}`)).text).toContain("at most 5 uses (0 used)");
    const own = await server.send(`/app/qr-list/${code}/caps`, { cookie: await openSessionOf() });
    expect(own.status).toBe(404);
  });

  it("are typed where codes are created, taken over by the other form and copied with the campaign", async () => {
    const single = await browser.open("/app/qr-generation");
    const values = { promotionName: "Opening", discount: "20", uses: "9", money: "0,001" };
    const refused = await single.press("Create code", values);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Money in all must be an amount from 0.01 to 1,000,000,000");
    expect(refused.valuesOf("uses")).toEqual(["9"]);
    expect(single.html).not.toMatch(/<details open[^]{0,400}Caps</);
    expect(refused.html).toMatch(/<details open[^]{0,400}Caps</);
    const mass = await refused.press("Continue as mass generation", { money: "7" });
    expect([mass.valuesOf("uses"), mass.valuesOf("money")]).toEqual([["9"], ["7"]]);
    const created = await mass.press("Generate codes", { num_codes: "2" });
    expect(created.text).toContain("at most 9 uses (0 used), $7.00 in all ($0.00 given)");
    const copy = await created.follow("Duplicate");
    expect([copy.valuesOf("uses"), copy.valuesOf("money")]).toEqual([["9"], ["7.00"]]);
  });

  it("are refused to whoever has seen an older state, with what was typed", async () => {
    const id = await insertPromotion();
    const [one, other] = [
      await browser.open(`/app/qr-list/${id}/caps`),
      await browser.open(`/app/qr-list/${id}/caps`),
    ];
    expect(one.text).not.toContain("Current caps");
    await one.press("Save caps", { uses: "5", money: "500" });
    const refused = await other.press("Save caps", { uses: "7" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Current capsat most 5 uses, $500.00 in all");
    expect(refused.text).toContain("Someone else changed this campaign");
    expect(refused.valuesOf("uses")).toEqual(["7"]);
  });

  it("come with a code in the API, change there, and refuse a redemption with their name", async () => {
    const { serial_number: serialNumber } = await insertMachine();
    const token = await issueTokenOf();
    const created = await server.call("POST", "/api/create_promotion", {
      token,
      body: {
        promotionName: "Fair",
        discount: 50,
        discount_type: "percentage",
        machines: [serialNumber],
        caps: { uses_per_day: 1, highest_discount: 90 },
      },
    });
    expect(created.status).toBe(201);
    const { id, code, caps } = created.json;
    expect(caps).toEqual({
      uses: null,
      uses_per_day: 1,
      uses_per_machine_and_day: null,
      money: null,
      lowest_price: null,
      highest_discount: 90,
    });
    const { secret } = await makeKey();
    const redeem = (redemptionId: string) =>
      server.redeem(secret, { code, serialNumber, originalPrice: 200, redemptionId });
    expect((await redeem("caps-1")).json).toMatchObject({ discount: 90 });
    const refused = await redeem("caps-2");
    expect([refused.status, refused.json]).toEqual([
      422,
      {
        error: "This campaign has given all its uses of today.",
        reason: "cap_reached",
        cap: "uses_per_day",
      },
    ]);
    expectDocumented(documentedCall("POST", "/api/redemptions"), refused, "a reached cap");
    expect((await browser.open(`/app/qr-list/${id}`)).text).toContain(refused.json.error);
    const put = (caps: object | null) =>
      server.call("PUT", `/api/promotion/${id}`, { token, body: { caps } });
    const wrong = await put({ uses: 0 });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain("uses must be a whole number from 1 to");
    const raised = await put({ uses_per_day: 2, highest_discount: null, money: 500 });
    expect(raised.json.caps).toMatchObject({ uses_per_day: 2, highest_discount: null, money: 500 });
    expect((await put({ uses: 9 })).json.caps).toMatchObject({
      uses: 9,
      uses_per_day: 2,
      money: 500,
    });
    expect((await put(null)).json.caps).toBeNull();
    expect((await redeem("caps-3")).status).toBe(201);
  });

  it("are refused for one code of a mass generation, together with what else was sent", async () => {
    const [id] = await insertCodes(await insertGeneration(), 1);
    const token = await issueTokenOf();
    const path = `/api/promotion/${id}`;
    const body = { expiration_date: "2099-12-31T23:59:59", caps: { uses: 5 } };
    const refused = await server.call("PUT", path, { token, body });
    const caps = "This code has the caps of its campaign: edit the campaign";
    expect([refused.status, refused.json]).toEqual([422, { error: caps, fields: { caps } }]);
    expect((await server.call("GET", path, { token })).json.expiration_date).toBeNull();
  });
});
