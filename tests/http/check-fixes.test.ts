import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { formatCode } from "../../app/format/promotion";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, makeKey } from "../factories/redemptions";
import { useServer } from "../support/server";
import { useSession } from "../support/session";

const server = useServer();
const admin = useSession(server);
const operator = useSession(server, "operator@example.com");
let lobby: Awaited<ReturnType<typeof insertMachine>>;

beforeAll(async () => {
  lobby = await insertMachine({ serial_number: "VM-1", human_name: "Hospital lobby" });
  await insertMachine({ serial_number: "VM-2", human_name: "Station east" });
  await insertMachine({ serial_number: "VM-3", human_name: "Station west" });
});

const address = (code: string, machine = "") =>
  `/app/check?${new URLSearchParams({ code, ...(machine && { machine }) })}`;
const check = (code: string, machine?: string) => operator.open(address(code, machine));

async function generationCode(row: object = {}) {
  const generationId = await insertMassGeneration({ name: "Summer", num_codes: 3, ...row });
  await assign("mass_generations", generationId, { machine_id: lobby.id });
  const [id] = await codesOf(generationId);
  const { code } = (await db()("promotions").where({ id }).first<{ code: string }>())!;
  return { generationId, id: id!, code };
}

describe("a check of a code finds the machine", () => {
  it("by a part of its name", async () => {
    const { code } = await insertRedeemable({}, lobby);
    const page = await check(code, "lobby");
    expect(page.text).toContain("Would be accepted at VM-1 now");
  });

  it("by a choice where several have the text in their names", async () => {
    const { code } = await insertRedeemable({}, lobby);
    const page = await check(code, "station");
    expect(page.text).toContain("2 machines have this in their name. Choose one.");
    const chosen = await page.follow("Station west VM-3");
    expect(chosen.text).toContain("Would be refused at VM-3 now");
  });

  it("only by more of a text that too many names have", async () => {
    await db().raw(
      "insert into machines (serial_number, human_name) select 'H-' || n, 'Hall ' || n from generate_series(1, 11) n",
    );
    const page = await check("ABCDEFGH2349", "hall");
    expect(page.text).toContain("More than 10 machines have this in their name. Enter more of it.");
  });
});

describe("a check of a code ends in the fix:", () => {
  it("the machine that refuses is assigned with one press", async () => {
    const { code } = await insertRedeemable({}, lobby);
    const page = await check(code, "VM-2");
    const mended = await page.press("Assign Station east");
    expect(mended.text).toContain("Assigned to VM-2");
    expect(mended.text).toContain("Would be accepted at VM-2 now");
  });

  it("the machine is assigned to all codes of a mass generation, or to this one", async () => {
    const { id, code, generationId } = await generationCode();
    const page = await check(code, "VM-2");
    const mended = await page.press("Assign Station east to all 3 codes");
    expect(mended.text).toContain("Would be accepted at VM-2 now");
    const sets = await db()("promotions")
      .where({ mass_generation_id: generationId })
      .distinct("set_id");
    expect(sets).toHaveLength(1);

    const alone = await (await check(code, "VM-3")).press("Assign it to this code only");
    expect(alone.text).toContain("Would be accepted at VM-3 now");
    const [, other] = await codesOf(generationId);
    const otherCode = await db()("promotions").where({ id: other }).first<{ code: string }>();
    expect((await check(otherCode!.code, "VM-3")).text).toContain("Would be refused at VM-3 now");
    expect((await check(code, "VM-1")).hasButton("Assign Hospital lobby")).toBe(false);
    expect(id).not.toBe(other);
  });

  it("an admin reactivates the code, or all codes of its mass generation", async () => {
    const { code } = await insertRedeemable({ is_active: false }, lobby);
    const refused = await check(code);
    expect(refused.text).toContain("Only an admin can reactivate it.");
    expect(refused.hasButton("Reactivate")).toBe(false);
    const page = await (await admin.open(address(code, "VM-1"))).press("Reactivate");
    expect(page.text).toContain("Would be accepted at VM-1 now");

    const whole = await generationCode({ is_active: false });
    const all = await (await admin.open(address(whole.code))).press("Reactivate all 3 codes");
    expect(all.text).toContain("Active. Redeemable at 1 machine.");
  });

  it("an expired code leads to the form of its expiration, and to that of its mass generation", async () => {
    const single = await insertRedeemable({ expires_at: "2020-01-01T00:00:00Z" }, lobby);
    expect((await check(single.code)).html).toContain(`href="/app/qr-list/${single.id}#edit"`);
    const { code, generationId, id } = await generationCode({ expires_at: "2020-01-01T00:00:00Z" });
    const page = await check(code);
    expect(page.hrefOf("Extend all 3 codes")).toBe(`/app/qr-generation/${generationId}`);
    expect(page.hrefOf("Extend only this code")).toBe(`/app/qr-list/${id}`);
    for (const form of [`/app/qr-list/${id}`, `/app/qr-generation/${generationId}`])
      expect((await operator.open(form)).html).toMatch(/<form[^>]* id="edit"/);
  });

  it("a deleted code is restored by an admin", async () => {
    const { id, code } = await insertRedeemable({ is_deleted: true }, lobby);
    expect((await check(code)).text).toContain("Only an admin can restore it.");
    expect((await admin.open(address(code))).hrefOf("Restore")).toBe(
      `/app/qr-list/${id}/restore?deleted=true`,
    );
  });
});

describe("a replacement code", () => {
  const drinks = { discount_type: "free_drink", discount_value: 3, max_uses: 3 };
  const usedUp = { ...drinks, period_uses: 3, activation_count: 3 };

  it("has one use of the same discount at the same machines, and links to the code it replaces", async () => {
    const used = await insertRedeemable({ ...usedUp, name: "Drinks" }, lobby);
    const page = await check(used.code, "VM-1");
    expect(page.hrefOf("Show who used it")).toBe(`/app/transactions?promotion=${used.code}`);

    const replacement = await page.press("Make a replacement code");
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

    const old = await check(used.code);
    expect(old.hasButton("Make a replacement code")).toBe(false);
    expect(old.hrefOf("Show its replacement")).toBe(replacement.address.split("?")[0]);
  });

  it("is made once, however often the button is pressed", async () => {
    const used = await insertRedeemable({ ...usedUp, name: "Once" }, lobby);
    const [first, second] = [await check(used.code), await check(used.code)];
    const made = await first.press("Make a replacement code");
    const code = /Replacement code ([\dA-Z-]+) created/.exec(made.text)![1]!;
    const refused = await second.press("Make a replacement code");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`${code} replaces it already.`);
    expect(await db()("promotions").where({ name: "Once" })).toHaveLength(2);
  });

  it("is refused while the code has uses left", async () => {
    const used = await insertRedeemable({ ...usedUp, name: "Left" }, lobby);
    const page = await check(used.code);
    await db()("promotions").where({ id: used.id }).update({ period_uses: 2 });
    const refused = await page.press("Make a replacement code");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("This code still has uses left.");
    expect(await db()("promotions").where({ name: "Left" })).toHaveLength(1);
  });
});
