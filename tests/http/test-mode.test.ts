import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../factories/redemptions";
import { plainBrowser } from "../support/plain-browser";
import { issueTokenOf, openSessionOf, useServer } from "../support/server";

/** Test mode on screens without scripts, and in the API. */
const server = useServer();
let browser: ReturnType<typeof plainBrowser>;
beforeAll(async () => {
  browser = plainBrowser(server, await openSessionOf());
});

describe("test mode of an integration", () => {
  it("makes a test code, tries it, and shows request, answer and the call in its list", async () => {
    const { integrationId } = await makeKey();
    const page = await browser.open(`/app/integrations/${integrationId}`);
    const testMode = await page.follow("Test mode");
    expect(testMode.text).toContain("No test codes yet");
    const refused = await testMode.press("Create test code", {
      discount_value: "101",
      purpose: "expired",
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Percentage cannot exceed 100%");
    const made = await refused.press("Create test code", {
      discount_value: "20",
      purpose: "redeemable",
    });
    const [shown] = /TEST-\w{4}-\w{4}/.exec(made.text)!;
    expect(made.text).toContain(`Test code ${shown} successfully created`);
    expect(made.valuesOf("code")).toEqual([shown]);
    for (const label of ["Discount type", "One-time use", "Redemption ID"])
      expect(made.text).toContain(label);

    const redeemed = await made.press("Send call", { call: "redeem", price: "250" });
    expect(redeemed.text).toContain("HTTP 201");
    expect(redeemed.text).toContain(`"discountedPrice": 200`);
    expect(redeemed.text).toContain(`"serialNumber": "TEST-MACHINE"`);
    expect(redeemed.text).toContain("Redeemed, $0.50 off");
    const again = await redeemed.press("Send call", {
      call: "redeem",
      redemption_id: randomUUID(),
    });
    expect(again.text).toContain(`"reason": "used_up"`);
    const wrong = await again.press("Send call", { call: "check", price: "free" });
    expect(wrong.text).toContain("HTTP 422");
    expect(wrong.text).toContain("Price must be a whole number of cents");
    const unknown = await wrong.press("Send call", {
      call: "rollback",
      redemption_id: randomUUID(),
    });
    expect(unknown.text).toContain("HTTP 404");
    const nameless = await unknown.press("Send call", { call: "rollback", redemption_id: "" });
    expect(nameless.text).toContain("HTTP 404");
    expect(nameless.text).toContain("There is no such redemption.");

    const check = await browser.open(`/app/check?code=${shown}`);
    expect(check.text).toContain(`${shown} is a test code`);
    const keys = await browser.open(`/app/integrations/${integrationId}`);
    expect(keys.text).not.toContain("vqt_");
  });

  it("takes a test key of the integration, which every other call refuses", async () => {
    const { integrationId } = await makeKey();
    const page = await browser.open(`/app/integrations/${integrationId}`);
    const made = await page.press("Create key", { test_key: "true", days: "30" });
    const [secret] = /vqt_[0-9A-Za-z]{49}/.exec(made.html)!;
    expect(made.text).toContain(`vqt_…${secret.slice(-4)}`);
    const token = await issueTokenOf();
    const created = await server.call("POST", "/api/test_codes", {
      token,
      body: { discount_type: "free_drink", discount_value: 2 },
    });
    expect(created.status).toBe(201);
    const { code } = created.json as { code: string };
    const body = {
      code,
      serialNumber: "TEST-MACHINE",
      originalPrice: 250,
      redemptionId: randomUUID(),
    };
    const redeemed = await server.call("POST", "/api/redemptions", { token: secret, body });
    expect(redeemed.status).toBe(201);
    expect(redeemed.json).toMatchObject({ discountedPrice: 0, machine: "TEST-MACHINE" });
    const listed = await server.call("GET", "/api/test_codes", { token });
    expect(listed.json).toContainEqual(
      expect.objectContaining({ code, activation_count: 1, machines: ["TEST-MACHINE"] }),
    );
    expect((await server.call("GET", "/api/promotions", { token: secret })).status).toBe(403);
    const all = await server.call("GET", "/api/transactions", { token });
    expect(JSON.stringify(all.json)).not.toContain("TEST-MACHINE");
  });

  it("names all fields that a body has wrong", async () => {
    const answer = await server.call("POST", "/api/test_codes", {
      token: await issueTokenOf(),
      body: { discount_type: "percentage", discount_value: 101, purpose: "lost" },
    });
    expect(answer.status).toBe(422);
    expect(answer.json.fields).toEqual({
      purpose: expect.stringContaining("redeemable, not_yet"),
      discount_value: "Percentage cannot exceed 100%",
    });
  });
});
