import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { insertRedeemable, makeKey, newCode, request } from "../factories/redemptions";
import { assertInvariants } from "../support/invariants";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { apiOf, type Answer, useServer } from "../support/server";

/** The contract that stands at the top of app/server/redemption-api.server.ts. */
const server = useServer();
let secret = "";
let target: Awaited<ReturnType<typeof insertRedeemable>>;

beforeAll(async () => {
  ({ secret } = await makeKey());
  target = await insertRedeemable({ discount_value: 25 });
});

/** Machines send no Origin. */
const call = apiOf((path, sending) => server.send(path, { ...sending, origin: null }));

async function post(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const type = { "Content-Type": "application/json" };
  const answer = await call("POST", path, {
    token: secret,
    body,
    headers: { ...type, ...headers },
  });
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("private, no-store");
  expect(answer.headers["set-cookie"]).toBeUndefined();
  return answer;
}

const redeem = (body: unknown, headers?: Record<string, string>) =>
  post("/api/redemptions", body, headers);
const rollBack = (redemptionId: string, headers?: Record<string, string>) =>
  post(`/api/redemptions/${encodeURIComponent(redemptionId)}/rollback`, undefined, headers);

async function newKey(machineSerial: string | null = null) {
  const key = await makeKey(machineSerial);
  return { Authorization: `Bearer ${key.secret}` };
}

/** Makes a key whose failed lookups at a machine are counted once, and then as 29 of the 30 that are allowed. */
async function newKeyBeforeItsLastMiss(miss: (headers: Record<string, string>) => Promise<Answer>) {
  const key = await makeKey();
  const headers = { Authorization: `Bearer ${key.secret}` };
  expect((await miss(headers)).status).toBe(422);
  await db()("rate_limits").whereLike("key", `redeem/key/${key.id}/%`).update({ points: 29 });
  return headers;
}

describe("checking", () => {
  const check = (other: object = {}, headers?: Record<string, string>) => {
    const { code, serialNumber } = target;
    const body = { code, serialNumber, originalPrice: 250, ...other };
    return post("/api/redemptions/check", body, headers);
  };

  it("answers with the discount and takes no use, or with the reason against it", async () => {
    const before = await db()("redemption_attempts").count();
    const accepted = await check();
    expect([accepted.status, accepted.json]).toEqual([
      200,
      {
        accepted: true,
        originalPrice: 250,
        discount: 63,
        discountedPrice: 187,
        savings: 25,
        type: "percentage",
      },
    ]);
    const single = await insertRedeemable({ is_single_use: true, max_uses: 1 });
    const once = { code: single.code, serialNumber: single.serialNumber };
    for (let times = 0; times < 3; times++) expect((await check(once)).status).toBe(200);
    expect((await redeem(request(single))).status).toBe(201);
    const used = await check(once);
    expect([used.status, used.json.reason]).toEqual([422, "used_up"]);
    expect((await check({ code: "no code" })).json.reason).toBe("unknown");
    expect((await check({ serialNumber: "nowhere" })).json.reason).toBe("machine_unknown");
    const [after] = await db()("redemption_attempts").count();
    expect(Number(after!.count) - Number(before[0]!.count)).toBe(1);
  });

  it("counts what it does not find, and waits like a redemption", async () => {
    const guess = (headers: Record<string, string>) => check({ code: newCode() }, headers);
    const key = await newKeyBeforeItsLastMiss(guess);
    expect((await guess(key)).status).toBe(422);
    const throttled = await guess(key);
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers["retry-after"])).toBeGreaterThan(0);
    expect((await redeem(request({ ...target, code: newCode() }), key)).status).toBe(429);
  });

  it("refuses a key that may not redeem, and a redemption id", async () => {
    expect((await check({}, { Authorization: "Bearer vqm_none" })).status).toBe(401);
    const bound = await newKey((await insertRedeemable()).serialNumber);
    expect((await check({}, bound)).status).toBe(403);
    const wrong = await check({ redemptionId: "r-1" });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.json.fields as object)).toEqual(["redemptionId"]);
  });
});

describe("redeeming", () => {
  it("answers 201 with the transaction, and the same again", async () => {
    const sent = request(target, { originalPrice: 250 });
    const first = await redeem(sent);
    expect(first.status).toBe(201);
    expect(first.json).toEqual({
      id: expect.any(Number) as number,
      machine: target.serialNumber,
      originalPrice: 250,
      discount: 63,
      discountedPrice: 187,
      savings: 25,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      status: "Applied",
      type: "percentage",
    });
    expect(Math.abs(Date.parse(first.json.timestamp as string) - Date.now())).toBeLessThan(60_000);
    const again = await redeem({ ...sent, code: sent.code.toLowerCase() });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it("answers 422 with a sentence and the reason, and the same again", async () => {
    const key = await newKey();
    const dashed = target.code.replace(/(....)(....)(....)/, "$1-$2-$3");
    const refused: [string, string, object][] = [
      ["machine_unknown", "This machine is unknown.", { serialNumber: "nowhere" }],
      ["unknown", "This code does not exist.", { code: newCode() }],
      ["unknown", "This code does not exist.", { code: "not a code" }],
      ["unknown", "This code does not exist.", { code: `${dashed}-22` }],
      ["inactive", "This code is inactive.", await insertRedeemable({ is_active: false })],
    ];
    for (const [reason, error, other] of refused) {
      const sent = { ...request(target), ...other };
      const { code, serialNumber, originalPrice, redemptionId } = sent;
      const first = await redeem({ code, serialNumber, originalPrice, redemptionId }, key);
      expect([first.status, first.json]).toEqual([422, { error, reason }]);
      const again = await redeem({ code, serialNumber, originalPrice, redemptionId }, key);
      expect([again.status, again.body]).toEqual([422, first.body]);
    }
  });

  it("answers 409 when the id was used for something else", async () => {
    const sent = request(target);
    await redeem(sent);
    const conflict = { error: "This redemption id was used for something else." };
    for (const body of [
      { ...sent, originalPrice: 1 },
      { ...sent, code: "not a code" },
    ]) {
      const answer = await redeem(body);
      expect([answer.status, answer.json]).toEqual([409, conflict]);
    }
  });

  it("answers 429 with Retry-After once there were 30 misses in a minute", async () => {
    const { serialNumber } = target;
    const miss = (headers: Record<string, string>) =>
      redeem(request({ code: newCode(), serialNumber }), headers);
    const key = await newKeyBeforeItsLastMiss(miss);
    expect((await miss(key)).status).toBe(422);
    const answer = await redeem(request(target), key);
    expect([answer.status, answer.json]).toEqual([
      429,
      { error: "Too many codes that do not exist. Please wait." },
    ]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(answer.headers["ratelimit-policy"]).toBe('"failed-lookups";q=30;w=60');
    expect(answer.headers.ratelimit).toBe(
      `"failed-lookups";r=0;t=${answer.headers["retry-after"]}`,
    );
  });
});

describe("rolling back", () => {
  it("answers 200 with the transaction once, and to the same idempotency key, then 409 with it", async () => {
    const sent = request(target);
    const redeemed = await redeem(sent);
    const headers = (key: string) => ({
      Authorization: `Bearer ${secret}`,
      "Idempotency-Key": key,
    });
    const first = await rollBack(sent.redemptionId, headers("back-1"));
    expect([first.status, first.json]).toEqual([200, { ...redeemed.json, status: "Rolled back" }]);
    const same = await rollBack(sent.redemptionId, headers("back-1"));
    expect([same.status, same.body]).toEqual([200, first.body]);
    for (const again of [
      await rollBack(sent.redemptionId),
      await rollBack(sent.redemptionId, headers("back-2")),
    ])
      expect([again.status, again.json]).toEqual([
        409,
        {
          error: "This redemption was rolled back before.",
          reason: "rolled_back",
          transaction: first.json,
        },
      ]);
    expect((await rollBack(sent.redemptionId, headers("two words"))).status).toBe(422);
    const replayed = await redeem(sent);
    expect([replayed.status, replayed.json]).toEqual([
      409,
      { error: "This redemption was rolled back. Don't vend for it.", reason: "rolled_back" },
    ]);
  });

  it("answers 404 for what is not there or not yours, 409 where there is nothing to give", async () => {
    const sent = request(target);
    const refused = request({ ...target, serialNumber: "nowhere" });
    await redeem(sent);
    await redeem(refused);
    const missing = { error: "There is no such redemption." };
    for (const answer of [
      await rollBack("never used"),
      await rollBack("never-used"),
      await rollBack(sent.redemptionId, await newKey()),
      await rollBack(refused.redemptionId, await newKey(target.serialNumber)),
    ])
      expect([answer.status, answer.json]).toEqual([404, missing]);
    const nothing = await rollBack(refused.redemptionId);
    expect(nothing.status).toBe(409);
    expect(nothing.json).toEqual({ error: "This redemption was refused. Nothing was spent." });
  });

  it.each([
    "!\"#$%&'()*+,-.:;<=>?@[]^_`{|}~",
    "%2e%2e",
    "...",
    "a?b#c",
    "%",
    "x".repeat(100),
    "rollback",
  ])("finds any id in its address: %s", async (redemptionId) => {
    expect((await redeem(request(target, { redemptionId }))).status).toBe(201);
    expect((await rollBack(redemptionId)).status).toBe(200);
  });

  it("does not look at a body", async () => {
    const { redemptionId } = request(target);
    for (const body of ["{", "null", '{"redemptionId":"other"}'])
      expect((await post(`/api/redemptions/${redemptionId}/rollback`, body)).status).toBe(404);
  });
});

describe("a body", () => {
  const keyOfMany: Record<string, string> = {};
  beforeAll(async () => void Object.assign(keyOfMany, await newKey()));

  it.each([
    "",
    "{",
    "[]",
    "null",
    "1",
    '"text"',
    "[{}]",
    "{}{}",
    "{'code':1}",
    '{"code":01}',
    '{"code":"\\ud8"}',
    "[".repeat(4_000),
    '{"a":'.repeat(1_500),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from('{"code":"x"}', "utf16le"),
  ])("that can't be read is 400: %j", async (body) => {
    const answer = await post("/api/redemptions", body, keyOfMany);
    expect([answer.status, answer.json]).toEqual([400, { error: "The request can't be read." }]);
  });

  it("answers 415 to a body of another type, and 413 to a large one", async () => {
    const sent = JSON.stringify(request(target));
    const types = ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""];
    for (const type of types) {
      const answer = await post("/api/redemptions", sent, { "Content-Type": type });
      expect(answer.status, type).toBe(415);
      expect(answer.json, type).toHaveProperty(
        "error",
        expect.stringContaining("Content-Type: application/json"),
      );
    }
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON"])
      expect((await post("/api/redemptions", sent, { "Content-Type": type })).status).toBe(201);
    const large = JSON.stringify({ ...request(target), code: "x".repeat(8 * 1024) });
    expect((await post("/api/redemptions", large)).status).toBe(413);
    expect((await post("/api/redemptions", "x".repeat(2_000_000))).status).toBe(413);
    const encoded = { "Content-Encoding": "gzip" };
    expect((await post("/api/redemptions", sent, encoded)).status).toBe(415);
  });

  const code = "Code must be text";
  const serialNumber = "Serial number must be text of 1 to 100 characters";
  const originalPrice = "Price must be a whole number of cents from 0 to 1,000,000";
  const redemptionId = "Redemption id must be 1 to 100 visible ASCII characters without slashes";
  const unknown = "This field is not known";

  it.each<[object, Record<string, string>]>([
    [{ code: undefined }, { code }],
    [{ code: null }, { code }],
    [{ code: 234_567_892_345 }, { code }],
    [{ code: ["ABCD"] }, { code }],
    [{ code: { toString: "x" } }, { code }],
    [{ serialNumber: undefined }, { serialNumber }],
    [{ serialNumber: "" }, { serialNumber }],
    [{ serialNumber: "x".repeat(101) }, { serialNumber }],
    [{ serialNumber: "VM\0" }, { serialNumber }],
    [{ serialNumber: "VM\ud83d" }, { serialNumber }],
    [{ serialNumber: 10_431 }, { serialNumber }],
    [{ serialNumber: ["VM-1"] }, { serialNumber }],
    [{ originalPrice: undefined }, { originalPrice }],
    [{ originalPrice: null }, { originalPrice }],
    [{ originalPrice: "250" }, { originalPrice }],
    [{ originalPrice: -1 }, { originalPrice }],
    [{ originalPrice: 1_000_001 }, { originalPrice }],
    [{ originalPrice: 0.5 }, { originalPrice }],
    [{ originalPrice: 250.000_000_1 }, { originalPrice }],
    [{ originalPrice: 2 ** 31 }, { originalPrice }],
    [{ originalPrice: 2 ** 53 + 2 }, { originalPrice }],
    [{ originalPrice: true }, { originalPrice }],
    [{ originalPrice: [250] }, { originalPrice }],
    [{ redemptionId: undefined }, { redemptionId }],
    [{ redemptionId: "" }, { redemptionId }],
    [{ redemptionId: "a b" }, { redemptionId }],
    [{ redemptionId: "a/b" }, { redemptionId }],
    [{ redemptionId: "a\\b" }, { redemptionId }],
    [{ redemptionId: "." }, { redemptionId }],
    [{ redemptionId: ".." }, { redemptionId }],
    [{ redemptionId: "ä" }, { redemptionId }],
    [{ redemptionId: "a\n" }, { redemptionId }],
    [{ redemptionId: "a\0" }, { redemptionId }],
    [{ redemptionId: "x".repeat(101) }, { redemptionId }],
    [{ redemptionId: 17 }, { redemptionId }],
    [
      { code: 1, originalPrice: -1, redemptionId: 1 },
      { code, originalPrice, redemptionId },
    ],
    [
      { machine_id: 1, is_admin: true },
      { machine_id: unknown, is_admin: unknown },
    ],
    [{ now: "2020-01-01T00:00:00Z" }, { now: unknown }],
    [
      { integrationId: "1", status: "applied" },
      { integrationId: unknown, status: unknown },
    ],
  ])("that breaks a rule is 422 with a sentence for each field: %j", async (other, fields) => {
    const answer = await redeem({ ...request(target), ...other }, keyOfMany);
    expect(answer.status, answer.body).toBe(422);
    expect(answer.json).toEqual({ error: Object.values(fields)[0], fields });
  });

  it.each(["1e309", "-1e309", "1e400", "-0.0001", "99999999999999999999999999", "2.5e2.5"])(
    "with the number %s is no price",
    async (number) => {
      const sent = JSON.stringify(request(target)).replace(":250", `:${number}`);
      const { status } = await post("/api/redemptions", sent, keyOfMany);
      expect(status).toBe(number === "2.5e2.5" ? 400 : 422);
    },
  );

  it.each(["2.5e2", "250.0", "-0", "0"])("with the number %s has a price", async (number) => {
    const sent = JSON.stringify(request(target)).replace(":250", `:${number}`);
    const { status, json } = await post("/api/redemptions", sent, await newKey());
    expect(status).toBe(201);
    expect(json.originalPrice).toBe(number.includes("2") ? 250 : 0);
  });

  it("can't set what every object has", async () => {
    const sent = JSON.stringify(request(target)).replace(
      "{",
      '{"__proto__":{"code":"x"},"constructor":1,"toString":1,',
    );
    const answer = await post("/api/redemptions", sent, keyOfMany);
    expect(answer.status).toBe(422);
    const unknown = ["__proto__", "constructor", "toString"];
    expect(Object.keys(answer.json.fields!).sort()).toEqual(unknown);
  });

  it("may hold any text anywhere and is refused", async () => {
    const own = ["\ud800", "a\0b", "١٢", "２５０", "\u202e", "\ufeff", "💶".repeat(50)];
    const texts = [...everyNth(12, naughtyStrings, 4), ...own];
    const before = await db()("promotions").sum("activation_count");
    const transactions = await db()("transactions").count();
    for (const [index, text] of texts.entries()) {
      const field = (["code", "serialNumber", "redemptionId", "originalPrice"] as const)[
        index % 4
      ]!;
      // One of many: what is looked for here is not the throttle.
      if (index % 20 === 0) Object.assign(keyOfMany, await newKey());
      const sent = request({ code: newCode(), serialNumber: `nowhere ${index}` });
      const answer = await redeem({ ...sent, [field]: text }, keyOfMany);
      expect(answer.status, JSON.stringify(text)).toBe(422);
      const step = encodeURIComponent(text.replace(/[\0\p{Surrogate}]/gu, "").slice(0, 200));
      const rolledBack = await post(`/api/redemptions/${step}/rollback`, undefined, keyOfMany);
      expect([400, 404, 409], text).toContain(rolledBack.status);
    }
    expect(await db()("promotions").sum("activation_count")).toEqual(before);
    expect(await db()("transactions").count()).toEqual(transactions);
  });
});

describe("a database that can't serve just now", () => {
  const unavailable = {
    error: "The server can't answer just now. Please try again in a moment.",
  };

  it("is 503 with Retry-After, and the same request works later", async () => {
    const sent = request(target);
    const holder = await db().transaction();
    await holder.raw("select from promotions where id = ? for update", [target.id]);
    const refused = await redeem(sent);
    await holder.rollback();
    expect([refused.status, refused.json]).toEqual([503, unavailable]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await redeem(sent)).status).toBe(201);
  });
});

it("leaves codes and keys out of the log, and has a line for each request", () => {
  const output = server.output();
  expect(output).toContain('"path":"/api/redemptions"');
  expect(output).not.toContain(target.code);
  expect(output).not.toContain(secret);
  expect(output).not.toMatch(
    /A request failed|The HTTP pipeline failed|An answer could not be sent/,
  );
});

it("keeps the books", assertInvariants);
