import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { formIdField } from "../../app/forms/validator";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { insertFailingDelivery, insertWebhook } from "../factories/webhooks";
import { insertDelivery } from "../support/action-cases/settings";
import { textsOf } from "../support/html";
import { useServer } from "../support/server";
import { expectRejection, useSession, type Fields } from "../support/session";
import { startReceiver } from "../support/webhook-receiver";

const server = useServer({ environment: { WEBHOOK_PRIVATE: "1" } });
const address = "/app/webhooks";
const { post, page, open, follow } = useSession(server);

const form = (url: string) => ({
  url,
  events: ["promotion.redeemed", "machine.deleted"],
  idempotency_key: randomUUID(),
});
const secretOf = (body: string) => /whsec_[A-Za-z0-9+/=]+/.exec(body)?.[0];

describe("the screens of webhooks", () => {
  it("create one whose secret is shown once, and tell how its calls went", async () => {
    const receiver = await startReceiver(({ event }, response) => {
      const isTest = event.type === "webhook.test";
      response.writeHead(isTest ? 418 : 200, { "X-Seen": "yes" }).end("<b>brewing</b>");
      return null;
    });
    const created = await post(address, form(receiver.url));
    expect(created.status).toBe(200);
    const secret = secretOf(created.body)!;
    const [id] = (await db()("webhooks").pluck<string[]>("id")) as [string];
    const list = await page(address);
    expect(list).toContain(receiver.url);
    const [title] = textsOf(await page(`${address}/${id}`), "title");
    expect(title).toBe(`${receiver.url} - Webhooks - Promo Console`);
    for (const fields of [list, await page(`${address}/${id}`)])
      expect(fields).toContain("begins with https:// or http://, and may be in a private network.");
    for (const of of [address, `${address}/${id}`])
      expect(secretOf(await page(of))).toBeUndefined();

    const key = await makeKey();
    const asked = request(await insertRedeemable());
    await redeem(asked, key.secret);
    await expect.poll(() => receiver.calls.length, { timeout: 30_000 }).toBe(1);
    const [call] = receiver.calls;
    expect(new Webhook(secret).verify(call!.body, call!.headers)).toMatchObject({
      type: "promotion.redeemed",
      data: { transaction: { redemptionId: asked.redemptionId } },
    });

    const tested = await post(`${address}/${id}`, { intent: "test" });
    expect(await follow(tested)).toContain("A test event is on its way");
    await expect
      .poll(() => db()("webhook_deliveries").where({ attempts: 1 }).pluck("response_status"))
      .toEqual(expect.arrayContaining([200, 418]));
    const log = await page(`${address}/${id}?state=pending`);
    expect(log).toContain("The receiver answered 418.");
    expect(log).not.toContain("Code redeemed<span");
    const [delivered] = await db()("webhook_deliveries")
      .where({ state: "delivered" })
      .pluck<string[]>("id");
    const details = await page(`${address}/${id}/deliveries/${delivered}`);
    for (const text of [asked.redemptionId, "webhook-signature", "X-Seen: yes", "Status 200"])
      expect(details).toContain(text);
    expect(details).toContain("&lt;b&gt;brewing&lt;/b&gt;");

    const isPending = { state: "pending" };
    await db()("webhook_deliveries").where(isPending).update({ next_attempt_at: db().fn.now() });
    const [failing] = await db()("webhook_deliveries").where(isPending).pluck<string[]>("id");
    await expect
      .poll(() => page(`${address}/${id}/deliveries/${failing}`), { interval: 250 })
      .toMatch(/Earlier attempts.*The receiver answered 418\..*Status 418/s);

    const again = await post(`${address}/${id}/deliveries/${delivered}`, { intent: "redeliver" });
    expect(await follow(again)).toContain("The event will be sent again");
    await expect
      .poll(() => receiver.calls.filter(({ event }) => event.type !== "webhook.test").length)
      .toBe(2);
  });

  it("name and link the first one, when the form is sent again with another address", async () => {
    const list = await open(address);
    await list.press("Create webhook", { url: "https://example.com/first" });
    const refused = await list.press("Create webhook", { url: "https://example.com/second" });
    expect(refused.status).toBe(409);
    const { id } = await db()("webhooks").where({ url: "https://example.com/first" }).first();
    const link = 'The first attempt created "https://example.com/first".';
    expect(refused.hrefOf(link)).toBe(`${address}/${id}`);
  });

  it("tell which webhook fails, since when and why, and send what waits when asked to", async () => {
    let status = 500;
    const receiver = await startReceiver(() => status);
    const { id } = await insertWebhook({ url: receiver.url, event_types: ["promotion.redeemed"] });
    const { secret } = await makeKey();
    await redeem(request(await insertRedeemable()), secret);
    const failing = /Failing.*Since [\d.]+ [\d:]+: The receiver answered 500\./s;
    const statuses = () =>
      db()("webhook_deliveries").where({ webhook_id: id }).pluck("response_status");
    await expect.poll(statuses).toEqual([500]);
    expect(await page(address)).toMatch(failing);
    expect(await page(address)).toContain("Pause automatic refresh");
    expect(await page(`${address}/${id}`)).toMatch(failing);

    const waiting = { webhook_id: id, state: "pending" };
    await expect
      .poll(() =>
        db()("webhook_deliveries").where(waiting).update({ next_attempt_at: "2099-01-01" }),
      )
      .toBe(1);
    status = 204;
    const sent = await post(`${address}/${id}`, { intent: "send-now" });
    expect(await follow(sent)).toContain("1 event will be sent now.");
    await expect.poll(statuses).toEqual([204]);
    expect(await page(`${address}/${id}`)).not.toContain("Failing");
    const again = await post(`${address}/${id}`, { intent: "send-now" });
    expect(await follow(again)).toContain("All waiting events are already being sent");
  });

  it("keep the filter of the deliveries after a button", async () => {
    const { id } = await insertWebhook({ is_enabled: true });
    await insertFailingDelivery(id);
    const filtered = await open(`${address}/${id}?state=pending`);
    for (const button of ["Send now", "Disable"]) {
      const { address: own } = await filtered.press(button);
      expect(own).toContain(`${address}/${id}?state=pending&flash=`);
    }
  });

  it("lead from a delivery back to the deliveries as they were filtered", async () => {
    const { id, delivery } = await insertDelivery({ state: "failed" });
    const [subject] = await db()("webhook_deliveries").where({ id: delivery }).pluck("subject");
    const filtered = await open(`${address}/${id}?state=failed&per_page=50`);
    const details = await filtered.follow(`Machine deleted, ${subject}`);
    expect(details.hrefOf("Back to deliveries")).toBe(filtered.address);
    const again = await details.press("Send again");
    expect(again.address).toContain(`${filtered.address}&flash=`);
  });

  it("give a form back as it was filled, and say what is wrong", async () => {
    const events = ["machine.deleted", "report.ready"];
    const bad = await post(address, {
      [formIdField]: "new-webhook",
      url: "ftp://example.com/<b>",
      events,
    });
    expectRejection(bad, 422, "The address must begin with https://");
    expect(bad.body).toContain('value="ftp://example.com/&lt;b&gt;"');
    for (const type of events)
      expect(bad.body).toMatch(new RegExp(`<input(?=[^>]*value="${type}")(?=[^>]*checked)[^>]*>`));
    const none = await post(address, { [formIdField]: "new-webhook", url: "https://example.com/" });
    expect(none.body).toContain("Choose at least one event");
    expect(none.body).toMatch(/<input(?=[^>]*name="events")(?=[^>]*aria-invalid="true")/);
    const reserved = await post(address, form("http://169.254.169.254/latest"));
    expect(reserved.body).toContain("This address is in a private or reserved network");
  });

  it("name the webhook or the subject that each control is about", async () => {
    const { id, delivery } = await insertDelivery({ state: "failed" });
    const waiting = await insertWebhook({ url: "https://example.com/waiting" });
    await insertFailingDelivery(waiting.id);
    const list = await open(address);
    expect(list.hrefOf("1 failed of https://example.com/hook")).toContain("state=failed");
    expect(list.hasButton("Send now to https://example.com/waiting")).toBe(true);
    const [subject] = await db()("webhook_deliveries").where({ id: delivery }).pluck("subject");
    const log = await open(`${address}/${id}`);
    expect(log.hrefOf(`Machine deleted, ${subject}`)).toContain(delivery);
  });

  it("say once why an event can't be sent, and keep the settings as they are", async () => {
    const { id, delivery } = await insertDelivery({ state: "failed" });
    const page = await open(`${address}/${id}`);
    const own = await open(`${address}/${id}/deliveries/${delivery}`);
    await db()("webhooks").where({ id }).update({ is_enabled: false });
    const test = await page.press("Send test event");
    expectRejection(test, 409, "Enable the webhook first.");
    expect(test.text.split("Enable the webhook first.")).toHaveLength(2);
    expect(test.valuesOf("url")).toEqual(page.valuesOf("url"));
    expect(test.valuesOf("events")).toEqual(page.valuesOf("events"));
    expectRejection(await own.press("Send again"), 409, "Enable the webhook first.");
  });

  it("is not changed by a page that was opened before somebody else's change, which it shows", async () => {
    const { id } = await insertWebhook({ url: "https://example.com/first" });
    const stale = await open(`${address}/${id}`);
    const current = await open(`${address}/${id}`);
    await current.press("Save webhook", { url: "https://example.com/second" });
    const refused = await stale.press("Save webhook", { url: "https://example.com/third" });
    expectRejection(refused, 409, "Someone else changed this webhook after you opened it.");
    expect(refused.text).toContain("Current addresshttps://example.com/second");
    expect(refused.valuesOf("url")).toEqual(["https://example.com/third"]);
    const saved = await refused.press("Save webhook");
    expect(saved.text).toContain("Webhook successfully updated");
    expect(saved.title).toContain("https://example.com/third");
  });

  it("rotates the secret on the page on which a refused edit was corrected", async () => {
    const { id } = await insertWebhook({ url: "https://example.com/typo" });
    const own = await open(`${address}/${id}`);
    const refused = await own.press("Save webhook", { url: "example.com" });
    expect(refused.status).toBe(422);
    const saved = await refused.press("Save webhook", { url: "https://example.com/corrected" });
    expect(saved.text).toContain("Webhook successfully updated");
    const rotated = await refused.press("Rotate secret");
    expect(rotated.text).not.toContain("This was already sent with other values.");
    expect(secretOf(rotated.html)).toBeDefined();
  });

  it("edit, rotate, disable, enable and remove it with plain posts, each in the audit log", async () => {
    const { id } = await insertWebhook({ url: "http://192.0.2.1:9/hook" });
    const own = `${address}/${id}`;
    const press = async (fields: Fields) => {
      const answer = await post(own, fields);
      return answer.headers.location ? follow(answer) : answer.body;
    };
    const changed = await press({
      ...form("https://example.com/new"),
      intent: "save",
      version: "1",
    });
    expect(changed).toContain("Webhook successfully updated");
    expect(changed).toContain("https://example.com/new");
    const rotated = await press({ intent: "rotate", idempotency_key: randomUUID() });
    expect(secretOf(rotated)).toBeDefined();
    expect(await page(own)).toContain("Calls are signed with the old secret, too");
    expect(await press({ intent: "end-previous-secret" })).toContain("the new secret alone");
    expect(await press({ intent: "disable" })).toContain("Webhook successfully disabled");
    expect(await press({ intent: "disable" })).toContain("Webhook was already disabled");
    expect(await press({ intent: "test" })).toContain("Enable the webhook first.");
    expect(await press({ intent: "enable" })).toContain("Webhook successfully enabled");
    const period = { intent: "redeliver-period", first_day: "01/01/2020", last_day: "02/01/2020" };
    expect(await press({ ...period, which: "all" })).toContain("No such events in this period");
    expect(await press({ ...period, last_day: "31/12/2019", which: "all" })).toContain(
      "Choose a later day",
    );
    expect(await press({ ...period, last_day: "31/02/2020", which: "all" })).toContain(
      "Invalid date. 31/02/2020 doesn't exist: Feb 2020 has 29 days",
    );
    expect(await page(`${own}/remove`)).toContain("Remove the webhook to https://example.com/new?");
    const removed = await post(`${own}/remove`);
    expect(await follow(removed)).toContain("Webhook successfully removed");
    const actions = await db()("audit_log")
      .where({ subject_type: "webhook", subject_id: id })
      .orderBy("id")
      .pluck("action");
    expect(actions).toEqual(
      ["changed", "secret_rotated", "previous_secret_ended", "disabled", "enabled", "removed"].map(
        (action) => `webhook.${action}`,
      ),
    );
  });
});
