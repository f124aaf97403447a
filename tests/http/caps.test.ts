import { beforeAll, describe, expect, it } from "vitest";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { insertMachine } from "../factories/people-and-machines";
import { makeKey } from "../factories/redemptions";
import { plainBrowser } from "../support/plain-browser";
import { issueTokenOf, openSessionOf, useServer } from "../support/server";

/** Caps of campaigns on screens without scripts, and in the API. */
const server = useServer();
let browser: ReturnType<typeof plainBrowser>;
beforeAll(async () => {
  browser = plainBrowser(server, await openSessionOf());
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
    await one.press("Save caps", { uses: "5" });
    const refused = await other.press("Save caps", { uses: "7" });
    expect(refused.status).toBe(409);
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
    expect((await browser.open(`/app/qr-list/${id}`)).text).toContain(refused.json.error);
    const put = (caps: object | null) =>
      server.call("PUT", `/api/promotion/${id}`, { token, body: { caps } });
    const wrong = await put({ uses: 0 });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain("uses must be a whole number from 1 to");
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
