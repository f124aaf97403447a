import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formatCode } from "../../app/format/promotion";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, newCode, useUpLookups } from "../factories/redemptions";
import { useServer } from "../support/server";

const server = useServer({ environment: { QR_PAYLOAD: "HTTPS://EXAMPLE.COM/R/{code}" } });
let cookie = "";
let target: Awaited<ReturnType<typeof insertRedeemable>>;
let key: Awaited<ReturnType<typeof makeKey>>;

beforeAll(async () => {
  cookie = await server.signIn();
  key = await makeKey();
  target = await insertRedeemable(
    { name: "Summer" },
    await insertMachine({ serial_number: "VM-1", human_name: "Lobby" }),
  );
});

async function redeem(code: string, { redemptionId = randomUUID(), secret = key.secret } = {}) {
  const body = { code, serialNumber: "VM-1", originalPrice: 200, redemptionId };
  const answer = await server.send("/api/redemptions", {
    method: "POST",
    origin: null,
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: JSON.parse(answer.body) as { reason?: string } };
}

const pageText = async (path: string) =>
  (await server.send(path, { cookie })).body
    .replace(/^[\s\S]*<main/, "")
    .replace(/<\/main>[\s\S]*$/, "")
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const refusals = () => pageText("/app/transactions/refused");

describe("a scan", () => {
  it("is redeemed by the code in it, as Check a code reads it", async () => {
    for (const scan of [
      `HTTPS://EXAMPLE.COM/R/${target.code}`,
      `https://example.com/r/${target.code.toLowerCase()}`,
      `HTTP://OLD.EXAMPLE.ORG/${target.code}?from=label`,
      ` ${formatCode(target.code)}\r\n`,
    ]) {
      expect((await redeem(scan)).status, scan).toBe(201);
      expect(await pageText(`/app/check?code=${encodeURIComponent(scan)}`)).toContain(
        `${formatCode(target.code)} Active`,
      );
    }
  });

  it("is found by search as its code", async () => {
    const scan = encodeURIComponent(`HTTPS://EXAMPLE.COM/R/${target.code}`);
    expect(await pageText(`/app/qr-list?text=${scan}`)).toContain(formatCode(target.code));
    expect(await pageText(`/app/transactions?promotion=${scan}`)).toContain(
      formatCode(target.code),
    );
  });

  it("gets the first answer again when the same code is sent alone", async () => {
    const redemptionId = randomUUID();
    const first = await redeem(`HTTPS://EXAMPLE.COM/R/${target.code}`, { redemptionId });
    expect(await redeem(target.code, { redemptionId })).toEqual(first);
  });

  it("of more than a code is no code", async () => {
    expect((await redeem(`${target.code}X`)).json.reason).toBe("unknown");
  });

  it("that is no code is a refusal on the screen, with the text that was sent", async () => {
    const redemptionId = randomUUID();
    const first = await redeem("HELLO <b>you</b>\0", { redemptionId });
    expect(first).toMatchObject({ status: 422, json: { reason: "unknown" } });
    const text = await refusals();
    expect(text).toContain(
      "HELLO &lt;b&gt;you&lt;/b&gt;\uFFFD VM-1 Lobby This code does not exist.",
    );
    expect(await pageText("/app/machines/VM-1")).toContain("HELLO &lt;b&gt;you");

    expect(await redeem("HELLO <b>you</b>\0", { redemptionId })).toEqual(first);
    expect((await redeem("GOODBYE", { redemptionId })).status).toBe(409);
    await redeem("é".repeat(500));
    const longest = await db()("redemption_attempts").max("code").whereLike("code", "éé%").first();
    expect(longest).toEqual({ max: "é".repeat(200) });
  });
});

describe("a throttled attempt", () => {
  it("is on the screen of refused attempts, and leaves its redemption id free", async () => {
    const guesser = await makeKey();
    await useUpLookups(guesser.id);
    const redemptionId = randomUUID();
    const scan = `HTTPS://EXAMPLE.COM/R/${target.code}`;
    const refused = await redeem(scan, { redemptionId, secret: guesser.secret });
    expect(refused.status).toBe(429);
    await expect
      .poll(() => pageText("/app/transactions/refused?reason=throttled"), { timeout: 20_000 })
      .toContain(`Summer ${formatCode(target.code)} VM-1 Lobby Too many codes that do not exist.`);
    await db()("rate_limits").whereLike("key", "redeem/%").delete();
    await expect
      .poll(async () => (await redeem(scan, { redemptionId, secret: guesser.secret })).status, {
        timeout: 20_000,
      })
      .toBe(201);
  });
});

describe("what is recorded of one key in an hour", () => {
  const recorded = async (integrationId: string) => {
    const rows = await db()("redemption_attempts").where({ integration_id: integrationId });
    return rows.length;
  };

  it("ends after 1,000 scans that are no code; the rest is counted on the screens", async () => {
    const other = await makeKey();
    await db()("attempt_counts").insert({
      key_id: other.id,
      hour: db().raw("date_trunc('hour', now())"),
      attempts: 999,
    });
    for (let scan = 0; scan < 3; scan++)
      expect((await redeem("HELLO", { secret: other.secret })).status).toBe(422);
    expect(await recorded(other.integrationId)).toBe(1);
    const note = "2 more refused attempts in the last 24 hours were counted, but are not listed";
    expect(await refusals()).toContain(note);
    expect(await pageText(`/app/integrations/${other.integrationId}`)).toContain(note);
    expect(await pageText(`/app/integrations/${key.integrationId}`)).not.toContain(
      "are not listed",
    );
    expect((await redeem(newCode(), { secret: other.secret })).status).toBe(422);
    expect(await recorded(other.integrationId)).toBe(2);
  });

  it("ends after 1,000 throttled attempts too", async () => {
    const other = await makeKey();
    await useUpLookups(other.id);
    await db()("attempt_counts").insert({
      key_id: other.id,
      hour: db().raw("date_trunc('hour', now())"),
      attempts: 998,
    });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => redeem(target.code, { secret: other.secret })),
    );
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    await expect
      .poll(() => pageText(`/app/integrations/${other.integrationId}`), { timeout: 20_000 })
      .toContain("3 more refused attempts");
    expect(await recorded(other.integrationId)).toBe(2);
  });
});
