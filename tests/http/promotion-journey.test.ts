import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { setFactsOf } from "../factories/assignments";
import { insertLobbyCanteenAndCellar } from "../factories/people-and-machines";
import { formsLike, sharedFields, sharedRefusals } from "../support/form-fields";
import { decodeQr } from "../support/decode-qr";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { plainBrowser } from "../support/plain-browser";
import { fingerprint, useServer } from "../support/server";

/** The main job with nothing but HTTP, as `curl` does it: no browser, no script. */
const server = useServer();
let cookie = "";

beforeAll(async () => {
  cookie = await server.signIn();
  await insertLobbyCanteenAndCellar();
});

const form = formsLike([["promotionName", "Lobby summer"], ["discount", "25"], ...sharedFields]);

const post = (body: [string, string][]) =>
  server.send("/app/qr-generation", { method: "POST", cookie, body });

async function download(path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(server.origin + path, { headers });
}

describe("a promotion", () => {
  it("is made, listed and downloaded, and an independent reader sees its code", async () => {
    const page = await server.send("/app/qr-generation", { cookie });
    expect(page.body).toContain("Canteen");
    expect(page.body).not.toContain("Cellar");
    const once = /name="idempotency_key" value="([^"]+)"/.exec(page.body)![1]!;

    const made = await post([...form(), ["idempotency_key", once]]);
    expect(made.status).toBe(303);
    const list = await server.send(made.headers.location!, { cookie });
    expect(list.body).toContain("Promotion created successfully");
    expect(list.body).toContain("Lobby summer");
    expect(list.body).toContain("31.12.2099");
    expect((await server.send(made.headers.location!, { cookie })).body).not.toContain(
      "Promotion created successfully",
    );

    // The same form again, as a second press or a reload sends it: the same answer, one promotion.
    expect((await post([...form(), ["idempotency_key", once]])).status).toBe(303);
    const [promotion, ...others] = await db()("promotions").select("id", "code");
    expect(others).toEqual([]);
    expect(await setFactsOf([promotion.id])).toMatchObject([{ is_assigned: true }]);
    expect(await db()("assignments")).toHaveLength(2);
    expect(await db()("audit_log").where({ action: "promotion.created" })).toHaveLength(1);

    const png = await download(`/app/qr-list/${promotion.id}/qr.png`, { Cookie: cookie });
    expect(png.headers.get("Content-Type")).toBe("image/png");
    const fileName = `Lobby summer ${promotion.code.match(/.{4}/g).join("-")}.png`;
    expect(png.headers.get("Content-Disposition")).toBe(`attachment; filename="${fileName}"`);
    expect(decodeQr(Buffer.from(await png.arrayBuffer()))).toBe(promotion.code);

    const token = await server.signInToApi();
    const path = `/api/promotion/${promotion.id}/download_qr`;
    const byApi = await download(path, { Authorization: `Bearer ${token}` });
    expect(decodeQr(Buffer.from(await byApi.arrayBuffer()))).toBe(promotion.code);
    expect((await download(path, { Cookie: cookie })).status).toBe(401);
  });

  it("that was sent once with other values is not made again under the same key", async () => {
    const once: [string, string] = ["idempotency_key", "one-key-of-a-form"];
    expect((await post([...form({ promotionName: "First" }), once])).status).toBe(303);
    const second = await post([...form({ promotionName: "Second" }), once]);
    expect(second.status).toBe(409);
    expect(second.body).toContain("Nothing new was created.");
    expect(second.body).toContain('value="Second"');
    // The page has a key of its own, so that pressing again does what it says.
    const fresh = /name="idempotency_key" value="([^"]+)"/.exec(second.body)![1]!;
    expect(fresh).not.toBe("one-key-of-a-form");
    const third = await post([...form({ promotionName: "Second" }), ["idempotency_key", fresh]]);
    expect(third.status).toBe(303);
  });
});

describe("the form without scripts", () => {
  it("searches, selects and unselects machines, and keeps everything else", async () => {
    const before = await fingerprint();
    const browser = plainBrowser(server, cookie);
    const page = await browser.open("/app/qr-generation");
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

  it("keeps what is entered when the other kind is chosen, and back", async () => {
    const form = await plainBrowser(server, cookie).open("/app/qr-generation");
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
    const { body } = await server.send("/app/qr-generation", { cookie });
    const form = body.slice(body.indexOf('id="single-qr-code"'));
    expect(/<button[^>]*value="([^"]*)"/.exec(form)![1]).toBe("search-machines");
  });

  it("ignores the expiration date of a renewable promotion", async () => {
    const browser = plainBrowser(server, cookie);
    const page = await browser.open("/app/qr-generation");
    const list = await page.press("Create promotion", {
      promotionName: "Monthly",
      discount_type: "free_drink",
      discount: "5",
      is_renewable: "true",
      expiration_date: "31/12/2098",
    });
    expect(list.text).toMatch(/Monthly.*5 drinks.*Yes, 01\.\d\d\./);
    expect(list.text).not.toContain("31.12.2098");
  });
});

describe("a form that can't be accepted", () => {
  const drinks = (discount: string) => ({ discount_type: "free_drink", discount });
  const refusals: [string, Record<string, string | undefined>, string][] = [
    ["no name", { promotionName: undefined }, "Name is required"],
    ["a blank name", { promotionName: "   " }, "Name is required"],
    [
      "a name of 201 characters",
      { promotionName: "x".repeat(201) },
      "Name cannot exceed 200 characters",
    ],
    ["a NUL", { promotionName: "a\0b" }, "Name contains characters that cannot be stored"],
    ["no type", { discount_type: undefined }, "Choose a percentage or free drinks"],
    ["another type", { discount_type: "gold" }, "Choose a percentage or free drinks"],
    ["no discount", { discount: "" }, "Percentage must be at least 1%"],
    ["0 %", { discount: "0" }, "Percentage must be at least 1%"],
    ["half a percent", { discount: "2.5" }, "Percentage must be a whole number"],
    ["no drinks", drinks("0"), "Number of free drinks must be at least 1"],
    ["101 %", { discount: "101" }, "Percentage cannot exceed 100%"],
    ["-1 %", { discount: "-1" }, "Percentage must be at least 1%"],
    ["Arabic digits", { discount: "١٢" }, "Percentage must be a whole number"],
    ["1e3", { discount: "1e3" }, "Percentage must be a whole number"],
    [
      "five drinks at once",
      { ...drinks("5"), is_single_use: "true" },
      "Number of free drinks must be 1 for single use",
    ],
    ["drinks without end", drinks("1001"), "Number of free drinks cannot exceed 1,000"],
    ["year 99999", { expiration_date: "10/10/99999" }, "Invalid date"],
    ...sharedRefusals,
  ];

  it.each(refusals)(
    "%s: its sentence, 422, nothing lost, nothing made",
    async (_, changes, sentence) => {
      const before = await fingerprint();
      const answer = await post(form(changes));
      expect(answer.status).toBe(422);
      expect(answer.body).toContain(sentence.replaceAll("'", "&#x27;"));
      expect(answer.body).toContain("<title>Error: ");
      for (const [name, value] of form(changes))
        if (["promotionName", "discount", "expiration_date"].includes(name))
          expect(answer.body, name).toContain(`value="${value}"`);
      expect(await fingerprint()).toBe(before);
    },
  );

  it("never is a fault: the naughty strings in every field", async () => {
    const names = ["promotionName", "discount", "discount_type", "expiration_date", "machines"];
    const more = ["machine_search", "intent", "idempotency_key", "is_single_use"];
    for (const [index, text] of everyNth(12, naughtyStrings, 2).entries()) {
      const name = [...names, ...more][index % (names.length + more.length)]!;
      const answer = await post(form({ [name]: text }));
      expect(answer.status, `${name}: ${JSON.stringify(text)}`).toBeLessThan(500);
      expect(answer.body).not.toContain("<script>alert");
    }
  });
});

describe("the list", () => {
  it("says so when a value of the address means nothing, and shows the list all the same", async () => {
    const hostile = [
      "page=0",
      "page=1e9",
      "page=99999999999999999999",
      "per_page=-1",
      "sort=name;drop",
      "sort[]=name",
      "after=x",
      "before=9223372036854775808",
      "page=%00",
      "f=%27%20or%201=1",
    ];
    for (const query of hostile) {
      const answer = await server.send(`/app/qr-list?${query}`, { cookie });
      expect(answer.status, query).toBe(200);
      expect(answer.body).toContain("Lobby summer");
    }
  });
});
