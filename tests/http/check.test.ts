import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formatCode } from "../../app/format/promotion";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, newCode, useUpLookups } from "../factories/redemptions";
import { textOfMain } from "../support/html";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { useServer } from "../support/server";
import { useSession } from "../support/session";
import { inSoak } from "../support/repetitions";

const server = useServer({ environment: { QR_PAYLOAD: "HTTPS://EXAMPLE.COM/R/{code}" } });
const session = useSession(server);
const pageText = session.text;
let machine: Awaited<ReturnType<typeof insertMachine>>;

beforeAll(async () => {
  machine = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  await insertMachine({ serial_number: "<b>VM&2" });
});

async function check(query: Record<string, string>) {
  const { status, body } = await session.get(`/app/check?${new URLSearchParams(query)}`);
  return { status, html: body, text: textOfMain(body) };
}

describe("Check a code", () => {
  let target: Awaited<ReturnType<typeof insertRedeemable>>;
  beforeAll(async () => {
    const row = { name: "Summer", is_single_use: true, expires_at: "2099-12-31T23:00:00Z" };
    target = await insertRedeemable({ ...row, max_uses: 1 }, machine);
  });

  it("opens with an empty field that has the focus", async () => {
    const { status, body } = await session.get("/app/check");
    expect(status).toBe(200);
    const field = body.match(/<input[^>]*>/g)?.find((tag) => tag.includes(' id="code"'));
    expect(field).toMatch(/ autofocus=""/i);
    expect(body).toContain('<option value="VM-1">Lobby</option>');
    expect(body).toContain("<title>Check a code - Promo Console</title>");
  });

  it("says what a machine would say, and everything about the code", async () => {
    const code = formatCode(target.code).toLowerCase();
    const { text, html } = await check({ code, machine: "VM-1" });
    expect(html).toContain(
      "<title>Would be accepted at VM-1 now - Check a code - Promo Console</title>",
    );
    expect(text).toContain("Would be accepted at VM-1 now");
    expect(text).toContain(`${formatCode(target.code)} Active`);
    expect(text).toContain("Uses left 1");
    expect(text).toMatch(/valid until 31\.12\.2099 23:59 \(\w+/);
    expect(text).toContain("Machines Redeemable at 1 machine Lobby VM-1");
    expect(html).toContain(`href="/app/qr-list/${target.id}"`);
    // The next scan finds an empty field where no script selects it.
    expect(html).toMatch(/<input(?![^>]* value=)[^>]* id="code"/);
  });

  it("names the machine that refuses, and why", async () => {
    const elsewhere = await check({ code: target.code, machine: "<b>VM&2" });
    expect(elsewhere.text).toContain(
      "Would be refused at &lt;b&gt;VM&2 now: this code is not valid at this machine.",
    );
    const nowhere = await check({ code: target.code, machine: "VM-999" });
    expect(nowhere.text).toContain("Would be refused at VM-999 now: this machine is unknown.");
  });

  it("asks whether another machine is meant when the serial number differs in case only", async () => {
    for (const code of [target.code, "ABCDEFGH2349"]) {
      const { text } = await check({ code, machine: "vm-1" });
      expect(text).toContain("Would be refused at vm-1 now: this machine is unknown.");
      expect(text).toContain("No machine has the serial number vm-1. Did you mean VM-1?");
    }
  });

  it("finds deleted codes, and says that they are", async () => {
    const gone = await insertRedeemable({ is_deleted: true, name: "Gone" }, target.machine);
    const { text } = await check({ code: gone.code, machine: "VM-1" });
    expect(text).toContain("Would be refused at VM-1 now: this code is deleted.");
    expect(text).toContain("Gone");
  });

  it("says what is wrong with a code that is none, and what it may have been", async () => {
    await insertRedeemable({ code: "ABCDEFGH2345" }, target.machine);
    const misread = await check({ code: "ABCD-EFGH-234S", machine: "VM-1" });
    expect(misread.text).toContain("The code ABCD-EFGH-234S does not exist");
    expect(misread.html).toContain('href="/app/check?code=ABCD-EFGH-2345&machine=VM-1"');
    const { text: impossible } = await check({ code: "ABCD-EFGH-23O5" });
    expect(impossible).toContain(
      "Codes that were made here without a prefix never have 0, O, 1, I or L. This one has O: compare it with the printed code.",
    );
    expect(impossible).toContain("Did you mean this one? ABCD-EFGH-2345");
    expect((await check({ code: "ABC" })).text).toContain("This one has 3:");
  });

  it("consumes nothing and notes nothing", async () => {
    const count = () =>
      db().raw<{ rows: object[] }>(
        `select (select sum(activation_count) from promotions) as uses,
           (select count(*) from transactions) as transactions,
           (select count(*) from redemption_attempts) as attempts,
           (select max(last_qr_used_at) from machines) as last_used`,
      );
    const before = (await count()).rows;
    for (const code of [target.code, "ABCDEFGH2349"]) await check({ code, machine: "VM-1" });
    expect((await count()).rows).toEqual(before);
  });

  it("answers the naughty strings as what they are: no codes", { timeout: 120_000 }, async () => {
    for (const text of everyNth(36, naughtyStrings, 1)) {
      const answer = await check({ code: text, machine: text });
      expect(answer.status, text).toBe(200);
      expect(answer.html).not.toContain("<script>alert");
      if (text.trim() !== "")
        expect(answer.text, text).toMatch(/A code has 8 to 32|does not exist/);
    }
    expect((await session.get("/app/check?code=%ff%fe&machine=%")).status).toBe(200);
  });
});

async function redeem(code: string, { redemptionId = randomUUID(), secret = key.secret } = {}) {
  const body = { code, serialNumber: "VM-1", originalPrice: 200, redemptionId };
  const { status, json } = await server.redeem(secret, body);
  return { status, json };
}

const refusals = () => pageText("/app/transactions/refused");

let key: Awaited<ReturnType<typeof makeKey>>;
let target: Awaited<ReturnType<typeof insertRedeemable>>;
beforeAll(async () => {
  key = await makeKey();
  target = await insertRedeemable({ name: "Summer" }, machine);
});

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

  inSoak(it)("ends after 1,000 throttled attempts too", async () => {
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

it("suggests machines on Check a code only while they are few", async () => {
  await db().raw(
    `insert into machines (serial_number, human_name)
     select 'many-' || n, 'Hall' from generate_series(1, 200) n`,
  );
  const body = await session.page("/app/check");
  expect(body).not.toContain("<datalist");
  expect(body).not.toContain('list="machines"');
});
