import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { updateAlerts } from "../../app/features/alerts/update-alerts.server";
import { hashSecret, newSecret } from "../../app/features/sign-in/tokens.server";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, request } from "../factories/redemptions";
import { useServer, type Answer } from "../support/server";
import { useSession } from "../support/session";
import { rowById } from "../factories/rows";

const server = useServer();
const admin = useSession(server);
const clerk = useSession(server, "clerk@example.com");
let target: Awaited<ReturnType<typeof insertRedeemable>>;

beforeAll(async () => {
  target = await insertRedeemable({}, await insertMachine({ serial_number: "VM-1" }));
});
beforeEach(async () => {
  await db()("refused_key_requests").delete();
  await db()("api_keys").update({ revoked_at: db().fn.now() });
});

const redeem = (secret: string) => server.redeem(secret, request(target));

const endIn = (id: string, interval: string) =>
  rowById("api_keys", id).update({
    expires_at: db().raw("now() + cast(? as interval)", [interval]),
  });

const page = (path: string, by = admin) => by.text(path);

const nameOf = ({ secret }: { secret: string }) => `vqm_…${secret.slice(-4)}`;

describe("a key that ends within 14 days", () => {
  const alerts = async (by = admin) => {
    await updateAlerts(["key_ending"]);
    return page("/app/alerts", by);
  };

  it("is an alert for admins, until it is renewed", async () => {
    const [key, later] = [await makeKey(), await makeKey()];
    await endIn(key.id, "13 days");
    await endIn(later.id, "15 days");
    const notice = `The key ${nameOf(key)} of &quot;Platform&quot; ends on`;
    const text = await alerts();
    expect(text).toContain(notice);
    expect(text).not.toContain(nameOf(later));
    expect(await alerts(clerk)).not.toContain(notice);
    expect(await page(`/app/integrations/${key.integrationId}`)).toContain("Ends soon");

    await admin.post(`/app/integrations/${key.integrationId}/renew/${key.id}`, {
      idempotency_key: randomUUID(),
    });
    expect(await alerts()).not.toContain(notice);
  });
});

describe("what is asked with a key that can't be used", () => {
  /** Counts the requests that the server has written, which it does every few seconds. */
  const countRefused = async () => {
    const [row] = await db()("refused_key_requests").sum<{ sum: string | null }[]>("requests");
    return Number(row!.sum);
  };

  it("is an alert with the client's address", async () => {
    const [ended, revoked] = [await makeKey(), await makeKey()];
    expect((await redeem(ended.secret)).status).toBe(201);
    await endIn(ended.id, "-1 minute");
    await rowById("api_keys", revoked.id).update({ revoked_at: db().fn.now() });
    for (let time = 0; time < 3; time++) expect((await redeem(ended.secret)).status).toBe(401);
    expect((await redeem(revoked.secret)).status).toBe(401);
    const read = await server.call("GET", "/api/promotions", { token: revoked.secret });
    expect(read.status).toBe(401);

    const ofEnded = `An ended key is still used: ${nameOf(ended)} of &quot;Platform&quot;: 3 requests in a day from 127.0.0.1.`;
    const ofRevoked = `A revoked key is still used: ${nameOf(revoked)} of &quot;Platform&quot;: 2 requests in a day`;
    await expect.poll(countRefused).toBe(5);
    await updateAlerts(["key_refused"]);
    const alerts = await page("/app/alerts");
    for (const message of [ofEnded, ofRevoked]) expect(alerts).toContain(message);
  });

  it("is counted as one for unknown keys, without a row for each", async () => {
    for (let time = 0; time < 5; time++) await redeem(newSecret("vqm_"));
    await redeem("vqm_mistyped");
    await expect.poll(countRefused).toBe(6);
    expect(await page("/app/integrations")).toContain(
      "Unknown keys are used: 6 requests in a day from 127.0.0.1.",
    );
    expect(await db()("refused_key_requests").where({ key_id: null })).not.toHaveLength(0);
    expect((await db()("refused_key_requests")).length).toBeLessThanOrEqual(2);
  });
});

describe("renewing a key", () => {
  const secretIn = (answer: Answer) => /vqm_[0-9A-Za-z]{49}/.exec(answer.body)?.[0] ?? "";
  const renew = (key: { id: string; integrationId: string }, idempotency_key = randomUUID()) =>
    admin.post(`/app/integrations/${key.integrationId}/renew/${key.id}`, { idempotency_key });

  it("makes a key with the same scopes, machine, limit and days; both work for a day", async () => {
    const key = await makeKey("VM-1");
    await rowById("api_keys", key.id).update({ max_failed_lookups: 700 });
    const answer = await renew(key);
    expect(answer.status, answer.body).toBe(200);
    expect(answer.body).toContain("The key was renewed. Copy its secret now");
    expect(answer.body).toContain("It is shown only once. Send it with each call");
    // The secret alone takes the focus of the dialog.
    expect(answer.body.match(/ autofocus=/gi)).toHaveLength(1);
    expect(answer.body).toMatch(/<textarea(?=[^>]*id="secret")[^>]* autofocus=/i);
    const secret = secretIn(answer);
    for (const either of [key.secret, secret]) expect((await redeem(either)).status).toBe(201);

    const columns = ["scopes", "machine_id", "max_failed_lookups", "revoked_at"];
    const days = db().raw(
      "round(extract(epoch from expires_at - now()) / 8640)::integer as tenths",
    );
    const [old, successor] = await Promise.all(
      [{ id: key.id }, { hash: hashSecret(secret) }].map((where) =>
        db()("api_keys")
          .where(where)
          .first(...columns, days),
      ),
    );
    expect(old).toMatchObject({ max_failed_lookups: 700, tenths: 10 });
    expect(successor).toEqual({ ...(old as object), tenths: 300 });
    const text = await page(`/app/integrations/${key.integrationId}`);
    expect(text).toContain("Renewed");
    expect(text).not.toContain(secret);
  });

  it("sent twice leaves one successor that works, since the first secret was not delivered", async () => {
    const key = await makeKey();
    const idempotencyKey = randomUUID();
    const first = secretIn(await renew(key, idempotencyKey));
    const second = secretIn(await renew(key, idempotencyKey));
    const statuses = [];
    for (const secret of [key.secret, first, second]) statuses.push((await redeem(secret)).status);
    expect(statuses).toEqual([201, 401, 201]);
    const again = secretIn(await renew(key));
    const lasts = await db()("api_keys")
      .where({ hash: hashSecret(again) })
      .first(db().raw("round(extract(epoch from expires_at - now()) / 86400)::integer as days"));
    expect(lasts).toEqual({ days: 30 });
  });

  it("is possible for an ended key, which stays ended, and not for a revoked one", async () => {
    const [ended, revoked] = [await makeKey(), await makeKey()];
    await endIn(ended.id, "-1 minute");
    const secret = secretIn(await renew(ended));
    expect((await redeem(secret)).status).toBe(201);
    expect((await redeem(ended.secret)).status).toBe(401);
    await rowById("api_keys", revoked.id).update({ revoked_at: db().fn.now() });
    const answer = await renew(revoked);
    expect(answer.status).toBe(409);
    expect(secretIn(answer)).toBe("");
  });
});
