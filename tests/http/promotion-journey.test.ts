import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formatCode } from "../../app/format/promotion";
import { setFactsOf } from "../factories/assignments";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { formsLike, sharedFields, sharedRefusals } from "../support/form-fields";
import { decodeQr } from "../support/decode-qr";
import { fingerprint, useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";

/** The main job with nothing but HTTP, as `curl` does it: no browser, no script. */
const server = useServer();
const session = useSession(server);
beforeAll(insertLobbyCanteenAndCellar);

const form = formsLike([["promotionName", "Lobby summer"], ["discount", "25"], ...sharedFields]);

const post = (body: [string, string][]) => session.post("/app/qr-generation", body);
const keyIn = (html: string) => /name="idempotency_key" value="([^"]+)"/.exec(html)![1]!;

describe("a promotion", () => {
  it("is made, listed and downloaded, and an independent reader sees its code", async () => {
    const page = await session.page("/app/qr-generation");
    expect(page).toContain("Canteen");
    expect(page).not.toContain("Cellar");
    const once: [string, string] = ["idempotency_key", keyIn(page)];

    const made = await post([...form(), once]);
    expect(made.status).toBe(303);
    const own = await session.follow(made);
    for (const text of ["Promotion created successfully", "Lobby summer", "31.12.2099"])
      expect(own).toContain(text);
    expect(own).toContain('alt="QR code for Lobby summer"');
    expect(own).not.toContain("Assign machines");
    expect(await session.follow(made)).not.toContain("Promotion created successfully");

    // The same form again, as a second press or a reload sends it: the same answer, one promotion.
    expect((await post([...form(), once])).status).toBe(303);
    const [promotion, ...others] = await db()("promotions").select("id", "code");
    expect(others).toEqual([]);
    expect(await setFactsOf([promotion.id])).toMatchObject([{ is_assigned: true }]);
    expect(await db()("assignments")).toHaveLength(2);
    expect(await db()("audit_log").where({ action: "promotion.created" })).toHaveLength(1);

    const download = (method: string) =>
      fetch(`${server.origin}/app/qr-list/${promotion.id}/qr.png`, {
        method,
        headers: { Cookie: session.cookie },
      });
    const png = await download("GET");
    expect(png.headers.get("Content-Type")).toBe("image/png");
    const fileName = `Lobby summer ${promotion.code.match(/.{4}/g).join("-")}.png`;
    expect(png.headers.get("Content-Disposition")).toBe(`attachment; filename="${fileName}"`);
    expect(decodeQr(Buffer.from(await png.arrayBuffer()))).toBe(promotion.code);
    const { headers } = await download("HEAD");
    expect(headers.get("ETag")).toBe(png.headers.get("ETag"));
    expect(headers.has("Content-Length")).toBe(false);
  });

  it("without machines says first what is missing, on its own page", async () => {
    const made = await post(
      form({ promotionName: "Nowhere" }).filter(([name]) => name !== "machines"),
    );
    const own = await session.follow(made);
    expect(own).toContain("No machine accepts this code yet. Assign machines first.");
    const { id } = await db()("promotions").where({ name: "Nowhere" }).first();
    const actions = own.slice(own.indexOf("<h1"), own.indexOf("Download QR"));
    expect(actions).toMatch(new RegExp(`href="/app/qr-list/${id}/machines"[^>]*>Assign machines<`));
    expect(await session.page(`/app/qr-list/${id}/download`)).toContain(
      "No machine accepts this code yet.",
    );
  });

  it("has its whole code in the question before it is deleted, whatever its length", async () => {
    for (const code of ["K7QWERTY", "SUMMER23456789AB", "SUMMER23456789ABC"]) {
      const id = await insertPromotion({ code });
      const { html } = await session.open(`/app/qr-list/${id}/delete`);
      expect(html).toContain(`The code <code>${formatCode(code)}</code> will be hidden`);
    }
  });

  it("that was sent once with other values is not made again under the same key", async () => {
    const once: [string, string] = ["idempotency_key", "one-key-of-a-form"];
    expect((await post([...form({ promotionName: "First" }), once])).status).toBe(303);
    const second = await post([...form({ promotionName: "Second" }), once]);
    expectRejection(second, 409, "These were not used.");
    const { id: first } = await db()("promotions").where({ name: "First" }).first("id");
    // A browser posts the id of the form, which then shows it as a link.
    expect(second.body).toMatch(
      new RegExp(
        `The first attempt created \\\\"First [-0-9A-Z]+\\\\"[^}]*"/app/qr-list/${first}"`,
      ),
    );
    expect(second.body).toContain('value="Second"');
    // The page has a key of its own, so that pressing again does what it says.
    const fresh = keyIn(second.body);
    expect(fresh).not.toBe("one-key-of-a-form");
    const third = await post([...form({ promotionName: "Second" }), ["idempotency_key", fresh]]);
    expect(third.status).toBe(303);
  });
});

describe("the form without scripts", () => {
  it("searches, selects and unselects machines, and keeps everything else", async () => {
    const before = await fingerprint();
    const page = await session.open("/app/qr-generation");
    const typed = { promotionName: "Not yet", discount: "10", discount_type: "percentage" };
    const all = await page.press("Select All", typed);
    expect(all.valuesOf("machines").sort()).toEqual(["VM-1", "VM-2"]);
    expect(all.valuesOf("promotionName")).toEqual(["Not yet"]);
    const none = await all.press("Unselect All");
    expect(none.valuesOf("machines")).toEqual([]);
    const found = await none.press("Search", { machine_search: "vm-2", machines: "VM-1" });
    expect(found.valuesOf("machine_search")).toEqual(["vm-2"]);
    expect(found.valuesOf("machines")).toEqual(["VM-1"]);
    expect(found.valuesOf("promotionName")).toEqual(["Not yet"]);
    const same = await found.press("Search", { machine_search: "vm-1" });
    expect(same.text).toContain("All machines that match are selected.");
    const nothing = await found.press("Search", { machine_search: "vm-9" });
    expect(nothing.text).toContain("No machine matches the search.");
    const both = await found.press("Select All");
    expect(both.valuesOf("machines").sort()).toEqual(["VM-1", "VM-2"]);
    expect(await fingerprint()).toBe(before);
  });

  it("offers to create the code after a refusal", async () => {
    const page = await session.open("/app/qr-generation");
    const refused = await page.press("Create code", { promotionName: "Without a discount" });
    expectRejection(refused, 422, "There is a problem");
    expect(refused.html).toContain('value="create"');
    expect(refused.html).not.toContain('aria-disabled="true"');
  });

  it("says which day was understood when it comes back", async () => {
    const form = await session.open("/app/qr-generation");
    const back = await form.press("Search", { expiration_date: "2099-3-28" });
    expect(back.text).toContain("Sat, 28.03.2099, until 23:59");
    const wrong = await back.press("Search", { expiration_date: "31.2.2099" });
    expect(wrong.text).not.toContain("until 23:59");
  });

  it("keeps what is entered when the other kind is chosen, and back", async () => {
    const form = await session.open("/app/qr-generation");
    const mass = await form.press("Continue as mass generation", {
      promotionName: "Carried",
      discount: "7",
      is_single_use: "true",
      machines: "VM-1",
    });
    expect(mass.status).toBe(200);
    expect(mass.address).toBe("/app/qr-generation/mass");
    expect(mass.valuesOf("name")).toEqual(["Carried"]);
    expect(mass.valuesOf("discount_value")).toEqual(["7"]);
    const single = await mass.press("Continue as single code", { num_codes: "5" });
    expect(single.valuesOf("promotionName")).toEqual(["Carried"]);
    expect(single.valuesOf("discount")).toEqual(["7"]);
    expect(single.valuesOf("is_single_use")).toEqual(["true"]);
    expect(single.valuesOf("machines")).toEqual(["VM-1"]);
    const searched = await single.press("Search", { "search-machines": "gate" });
    const again = await searched.press("Continue as mass generation");
    expect(again.valuesOf("num_codes")).toEqual(["5"]);
    expect(again.valuesOf("name")).toEqual(["Carried"]);
  });

  it("searches first when Enter is pressed: its first button is the search", async () => {
    const page = await session.page("/app/qr-generation");
    const form = page.slice(page.indexOf('id="single-qr-code"'));
    expect(/<button[^>]*value="([^"]*)"/.exec(form)![1]).toBe("search-machines");
  });

  it.each([
    ["/app/qr-generation", "promotionName", "discount"],
    ["/app/qr-generation/mass", "name", "discount_value"],
  ])("comes back as it was typed when Enter is pressed: %s", async (address, name, discount) => {
    const before = await fingerprint();
    const typed = {
      [name]: "Not yet",
      [discount]: "0",
      discount_type: "free_drink",
      is_single_use: "true",
      expiration_date: "31/02/2099",
      machines: "VM-1",
    };
    const same = await (await session.open(address)).press("Search", typed);
    expect([same.status, same.address]).toEqual([200, address]);
    const expectTyped = (page: typeof same) => {
      for (const [field, value] of Object.entries(typed))
        expect(page.valuesOf(field), field).toEqual([value]);
    };
    expectTyped(same);
    const search = (html: string) => /<input[^>]*id="machine_search"[^>]*>/.exec(html)![0];
    expect(search(same.html)).not.toContain("autofocus");
    const found = await same.press("Search", { machine_search: "canteen" });
    expectTyped(found);
    expect(search(found.html)).toContain("autofocus");
    expect(found.text).toContain("Available Machines 1");
    expect(search((await found.press("Search")).html)).not.toContain("autofocus");
    expect(await fingerprint()).toBe(before);
  });

  it("ignores the expiration date of a renewable promotion", async () => {
    const page = await session.open("/app/qr-generation");
    const list = await page.press("Create code", {
      promotionName: "Monthly",
      discount_type: "free_drink",
      discount: "5",
      is_renewable: "true",
      expiration_date: "31/12/2098",
    });
    expect(list.text).toMatch(/Monthly.*5 free drinks a month.*next on 01\.\d\d\./);
    expect(list.text).not.toContain("31.12.2098");
  });
});

describe("a form that can't be accepted", () => {
  // Each message of the form's own fields is tested with its rules.
  const refusals: [string, Record<string, string | undefined>, string][] = [
    ["no name", { promotionName: undefined }, "Name is required"],
    ["Arabic digits", { discount: "١٢" }, "Percentage must be a whole number"],
    ...sharedRefusals,
  ];

  it.each(refusals)(
    "comes back filled with the message for %s, and makes nothing",
    async (...row) => {
      const [, changes, message] = row;
      const before = await fingerprint();
      const answer = await session.post("/app/qr-generation", form(changes));
      expectRejection(answer, 422, message);
      expect(answer.body).toContain("<title>Error: ");
      for (const [name, value] of form(changes))
        if (["promotionName", "discount", "expiration_date"].includes(name))
          expect(answer.body, name).toContain(`value="${value}"`);
      expect(await fingerprint()).toBe(before);
    },
  );

  it.each([
    ["and nothing else is wrong", "31/12/2099", null],
    ["whatever else is wrong", "31/02/2099", "exist: Feb 2099 has 28 days"],
    ["and its day has passed", "31/12/1999", "Date cannot be in the past"],
  ])("names all wrong terms at once, %s", async (_what, expiration_date, message) => {
    const wrong = {
      expiration_date,
      closed_on: "99/99/2026",
      hours_days: "0-1",
      hours_from: "25:00",
      uses: "abc",
      code_prefix: "ÄÖ-",
      code_length: "5",
    };
    const { status, body } = await session.post("/app/qr-generation", form(wrong));
    expect(status).toBe(422);
    for (const text of [
      ...(message === null ? [] : [message]),
      "Row 1: enter the time from as HH:MM",
      "99/99/2026: ",
      "Uses in all must be a whole number",
      "Prefix must have at most 21 letters and digits",
      "Length must be a whole number from 11 to 32",
    ])
      expect(body).toContain(text);
  });
});
