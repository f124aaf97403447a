import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { noCaps } from "../../app/features/caps/cap";
import { editCaps } from "../../app/features/caps/caps.server";
import { formatCode } from "../../app/format/promotion";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey, newCode, useUpLookups } from "../factories/redemptions";
import { insertRefusals } from "../factories/transactions";
import { textOfMain } from "../support/html";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const server = useServer({ environment: { QR_PAYLOAD: "HTTPS://EXAMPLE.COM/R/{code}" } });
const session = useSession(server);
const operator = useSession(server, "operator@example.com");
const pageText = session.text;
let machine: Awaited<ReturnType<typeof insertMachine>>;

beforeAll(async () => {
  machine = await insertMachine({ serial_number: "VM-1", human_name: "Lobby" });
  await insertMachine({ serial_number: "<b>VM&2", human_name: "Canteen" });
  await insertMachine({ serial_number: "VM-2", human_name: "Station east" });
  await insertMachine({ serial_number: "VM-3", human_name: "Station west" });
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
    expect(text).toContain("Discount 25% off");
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

  it("finds no code in a scan of more than a code", async () => {
    expect((await redeem(`${target.code}X`)).json.reason).toBe("unknown");
  });

  it("that is no code is a refusal on the screen, with the text that was sent", async () => {
    const redemptionId = randomUUID();
    const first = await redeem("HELLO <b>you</b>\0", { redemptionId });
    expect(first).toMatchObject({ status: 422, json: { reason: "unknown" } });
    const text = await refusals();
    expect(text).toContain("HELLO &lt;b&gt;you&lt;/b&gt;\uFFFD VM-1 Lobby Unknown code");
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
      .toContain(`Summer ${formatCode(target.code)} VM-1 Lobby Throttled`);
    await db()("rate_limits").whereLike("key", "redeem/%").delete();
    await expect
      .poll(async () => (await redeem(scan, { redemptionId, secret: guesser.secret })).status, {
        timeout: 20_000,
      })
      .toBe(201);
  });
});

it("names the cap that an attempt had reached, wherever it is listed", async () => {
  const { id: promotion_id, code } = await insertRedeemable({ name: "Capped" }, machine);
  const attempt = { promotion_id, machine_id: machine.id, code, outcome: "cap_reached" };
  await insertRefusals(1, { ...attempt, cap: "money" }, "0 seconds");
  expect(await refusals()).toContain("Cap reached: money in all");
  expect(await pageText("/app/machines/VM-1")).toContain("Cap reached: money in all");
  const { text } = await check({ code });
  expect(text).toContain("cap reached: money in all");
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
    const scan = () => redeem("HELLO", { secret: other.secret });
    for (let scans = 0; scans < 2; scans++) expect((await scan()).status).toBe(422);
    expect(await refusals()).toContain(
      "1 more refused attempt in the last 24 hours was counted, but is not listed",
    );
    expect((await scan()).status).toBe(422);
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
});

const address = (code: string, machine = "") =>
  `/app/check?${new URLSearchParams({ code, ...(machine && { machine }) })}`;
const openCheck = (code: string, machine?: string) => operator.open(address(code, machine));

async function generationCode(row: object = {}) {
  const generationId = await insertMassGeneration({ name: "Summer", num_codes: 3, ...row });
  await assign("mass_generations", generationId, { machine_id: machine.id });
  const [id] = await codesOf(generationId);
  const { code } = (await db()("promotions").where({ id }).first<{ code: string }>())!;
  return { generationId, id: id!, code };
}

describe("a check of a code finds the machine", () => {
  it("by a part of its name", async () => {
    const { code } = await insertRedeemable({}, machine);
    const page = await openCheck(code, "lob");
    expect(page.text).toContain("Would be accepted at VM-1 now");
  });

  it("by a choice where several have the text in their names", async () => {
    const { code } = await insertRedeemable({}, machine);
    const page = await openCheck(code, "station");
    expect(page.text).toContain("2 machines have this in their name. Choose one.");
    const chosen = await page.follow("Station west VM-3");
    expect(chosen.text).toContain("Would be refused at VM-3 now");
  });

  it("only by more of a text that too many names have", async () => {
    await db().raw(
      "insert into machines (serial_number, human_name) select 'H-' || n, 'Hall ' || n from generate_series(1, 11) n",
    );
    const page = await openCheck("ABCDEFGH2349", "hall");
    expect(page.text).toContain("More than 10 machines have this in their name. Enter more of it.");
  });
});

describe("a check of a code ends in the fix:", () => {
  it("the machine that refuses is assigned with one press", async () => {
    const { code } = await insertRedeemable({}, machine);
    const page = await openCheck(code, "VM-2");
    const mended = await page.press("Assign Station east");
    expect(mended.text).toContain("Assigned to VM-2");
    expect(mended.text).toContain("Would be accepted at VM-2 now");
  });

  it("the machine is assigned to all codes of a mass generation, or to this one", async () => {
    const { id, code, generationId } = await generationCode();
    const page = await openCheck(code, "VM-2");
    const mended = await page.press("Assign Station east to all 3 codes");
    expect(mended.text).toContain("Would be accepted at VM-2 now");
    const sets = await db()("promotions")
      .where({ mass_generation_id: generationId })
      .distinct("set_id");
    expect(sets).toHaveLength(1);

    const alone = await (await openCheck(code, "VM-3")).press("Assign it to this code only");
    expect(alone.text).toContain("Would be accepted at VM-3 now");
    const [, other] = await codesOf(generationId);
    const otherCode = await db()("promotions").where({ id: other }).first<{ code: string }>();
    expect((await openCheck(otherCode!.code, "VM-3")).text).toContain(
      "Would be refused at VM-3 now",
    );
    expect((await openCheck(code, "VM-1")).hasButton("Assign Lobby")).toBe(false);
    expect(id).not.toBe(other);
  });

  it("an admin reactivates the code, or all codes of its mass generation", async () => {
    const { code } = await insertRedeemable({ is_active: false }, machine);
    const refused = await openCheck(code);
    expect(refused.text).toContain("Only an admin can reactivate it.");
    expect(refused.hasButton("Reactivate")).toBe(false);
    const page = await (await session.open(address(code, "VM-1"))).press("Reactivate");
    expect(page.text).toContain("Would be accepted at VM-1 now");
    expect(page.text).toContain("Code successfully reactivated");

    const whole = await generationCode({ is_active: false });
    const all = await (await session.open(address(whole.code))).press("Reactivate all 3 codes");
    expect(all.text).toContain("Active. Redeemable at 1 machine.");
    expect(all.text).toContain("Campaign successfully reactivated");
  });

  it("a mass generation of one code is not offered as all codes", async () => {
    const { code } = await generationCode({ num_codes: 1, expires_at: "2020-01-01T00:00:00Z" });
    expect((await openCheck(code)).text).toContain("Extend 1 code Extend only this code");
    const off = await generationCode({ num_codes: 1, is_active: false });
    const on = await (await session.open(address(off.code))).press("Reactivate 1 code");
    expect(on.text).toContain("Active. Redeemable at 1 machine.");
    expect((await openCheck(off.code, "VM-2")).hasButton("Assign Station east to 1 code")).toBe(
      true,
    );
  });

  it("an expired code leads to the form of its expiration, and to that of its mass generation", async () => {
    const single = await insertRedeemable({ expires_at: "2020-01-01T00:00:00Z" }, machine);
    expect((await openCheck(single.code)).html).toContain(`href="/app/qr-list/${single.id}#edit"`);
    const { code, generationId, id } = await generationCode({ expires_at: "2020-01-01T00:00:00Z" });
    const page = await openCheck(code);
    expect(page.hrefOf("Extend all 3 codes")).toBe(`/app/qr-generation/${generationId}`);
    expect(page.hrefOf("Extend only this code")).toBe(`/app/qr-list/${id}`);
    for (const form of [`/app/qr-list/${id}`, `/app/qr-generation/${generationId}`])
      expect((await operator.open(form)).html).toMatch(/<form[^>]* id="edit"/);
  });

  it.each([[""], ["VM-1"]])(
    "a code outside its hours leads to its hours, and one at a cap to its caps, '%s'",
    async (at) => {
      const days = [-1, 0, 1].map((day) => new Date(Date.now() + day * 86_400_000));
      const closed_on = days.map((day) => day.toISOString().slice(0, 10));
      const closed = await insertRedeemable({ closed_on }, machine);
      const hours = await openCheck(closed.code, at);
      expect(hours.hrefOf("Change its start or hours")).toBe(`/app/qr-list/${closed.id}`);
      const capped = await insertRedeemable({}, machine);
      const caps = { ...noCaps, uses: 1 };
      await editCaps({ type: "promotion", id: capped.id }, caps, 1, { actor: key.actor });
      expect((await redeem(capped.code)).status).toBe(201);
      const page = await openCheck(capped.code, at);
      expect(page.hrefOf("Change caps")).toBe(`/app/qr-list/${capped.id}/caps`);
    },
  );

  it("a code whose machines were all deleted leads to the choice of machines", async () => {
    const { id, code } = await insertRedeemable({}, await insertMachine({ is_deleted: true }));
    expect((await openCheck(code)).hrefOf("Assign machines")).toBe(`/app/qr-list/${id}/machines`);
  });

  it("a deleted code is restored by an admin", async () => {
    const { id, code } = await insertRedeemable({ is_deleted: true, name: "Gone" }, machine);
    const { text } = await openCheck(code, "VM-1");
    expect(text).toContain("Would be refused at VM-1 now: this code is deleted.");
    expect(text).toContain("Gone");
    expect(text).toContain("Only an admin can restore it.");
    expect((await session.open(address(code))).hrefOf("Restore")).toBe(
      `/app/qr-list/${id}/restore?deleted=true`,
    );
  });
});

describe("a replacement code", () => {
  const drinks = { discount_type: "free_drink", discount_value: 3, max_uses: 3 };
  const usedUp = { ...drinks, period_uses: 3, activation_count: 3 };

  it("has one use of the same discount at the same machines, and links to the code it replaces", async () => {
    const used = await insertRedeemable({ ...usedUp, name: "Drinks" }, machine);
    const page = await openCheck(used.code, "VM-1");
    expect(page.hrefOf("Show who used it")).toBe(`/app/transactions?promotion=${used.code}`);

    const replacement = await page.press("Create a replacement code");
    const found = /Replacement code ([\dA-Z-]+) created/.exec(replacement.text);
    expect(found, replacement.text).not.toBeNull();
    const code = found![1]!.replaceAll("-", "");
    expect(replacement.hrefOf(formatCode(used.code))).toBe(`/app/qr-list/${used.id}`);
    expect(replacement.text).toContain("1 free drink");

    const key = await makeKey();
    const body = { code, serialNumber: "VM-1", originalPrice: 200 };
    const redeem = (redemptionId: string) => server.redeem(key.secret, { ...body, redemptionId });
    expect((await redeem("first")).json).toMatchObject({ discountedPrice: 0, status: "Applied" });
    expect((await redeem("second")).json).toMatchObject({ reason: "used_up" });

    const old = await openCheck(used.code);
    expect(old.hasButton("Create a replacement code")).toBe(false);
    expect(old.hrefOf("Show its replacement")).toBe(replacement.address.split("?")[0]);
  });

  it("is made once, however often the button is pressed", async () => {
    const used = await insertRedeemable({ ...usedUp, name: "Once" }, machine);
    const [first, second] = [await openCheck(used.code), await openCheck(used.code)];
    const made = await first.press("Create a replacement code");
    const code = /Replacement code ([\dA-Z-]+) created/.exec(made.text)![1]!;
    const refused = await second.press("Create a replacement code");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`${code} replaces it already.`);
    expect(await db()("promotions").where({ name: "Once" })).toHaveLength(2);
  });

  it("is refused while the code has uses left", async () => {
    const used = await insertRedeemable({ ...usedUp, name: "Left" }, machine);
    const page = await openCheck(used.code);
    await db()("promotions").where({ id: used.id }).update({ period_uses: 2 });
    const refused = await page.press("Create a replacement code");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("This code still has uses left.");
    expect(await db()("promotions").where({ name: "Left" })).toHaveLength(1);
  });
});

it("leads from the four characters that viewers see to the codes that end in them", async () => {
  const { code } = await insertRedeemable({ name: "Seen by viewers" }, machine);
  const end = code.slice(-4);
  for (const text of [end.toLowerCase(), `••••-••••-${end}`]) {
    const { html } = await check({ code: text });
    expect(html).toContain(`Find codes that end in ${end}`);
    expect(await session.text(`/app/search?q=${end}`)).toContain("Seen by viewers");
    expect(html).toContain(`href="/app/search?q=${end}"`);
  }
  expect((await check({ code: "ABCDE" })).html).not.toContain("Find codes");
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
