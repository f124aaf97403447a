import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { refreshSummary } from "../../app/features/reports/summary.server";
import { seed } from "../../migrations/seeds/sample-data.js";
import { assign } from "../factories/assignments";
import { insertPromotion } from "../factories/promotions";
import { makeKey, newCode, request } from "../factories/redemptions";
import { password, useServer } from "../support/server";
import { expectRejection, useSession } from "../support/session";
import { assertInvariants } from "../support/invariants";

/** A site that began with sample data, without a vending platform. */
const server = useServer({ environment: { SMARTVEND_URL: "", SAMPLE_DATA: "1" } });
const session = useSession(server);

const idOf = async (name: string) =>
  (await db()("promotions").where({ name }).first<{ id: string }>("id")).id;
const countOf = async (table: string) => Number((await db()(table).count())[0]!.count);

async function redeem(name: string, serialNumber: string) {
  const { secret } = await makeKey();
  const { code } = await db()("promotions").where({ name }).first<{ code: string }>("code");
  return server.redeem(secret, request({ code, serialNumber }));
}

beforeAll(async () => {
  await db().transaction(async (trx) => {
    await seed(trx, "Europe/Berlin");
    await trx("site_settings").update({ sample_data_until: trx.fn.now() });
  });
});

describe("sample data", () => {
  it("is named on every screen, where an admin can remove it", async () => {
    const text = await session.text("/app/sample-data");
    expect(text).toContain("125 codes, 25 machines");
    expect(text).toContain("Will stay Nothing");
    for (const path of ["/app/dashboard", "/app/profile", "/app/nowhere"])
      expect(await session.page(path)).toContain('href="/app/sample-data"');
  });

  it("takes the place of the first steps, which Support then doesn't offer", async () => {
    expect(await session.page("/app/support")).not.toContain("Show first steps");
  });

  it("asks for the password and keeps all of it without", async () => {
    await session.makeStale();
    const answer = await session.post("/app/sample-data", { password: "wrong" });
    expectRejection(answer, 403, "The password is wrong");
    expect(await countOf("promotions")).toBe(125);
  });
});

describe("a removal", () => {
  let codes: string[] = [];

  beforeAll(async () => {
    codes = await db()("promotions").pluck("code");
    // Somebody renames one code, a machine asks for one of a campaign, and a code of one's own is assigned to a machine.
    const id = await idOf("Student card");
    const edit = { promotionName: "Student card 2027", version: "1", expiration_date: "" };
    expect((await session.post(`/app/qr-list/${id}`, edit)).status).toBe(303);
    expect((await redeem("Conference badges", "VM-10466")).status).toBe(201);
    const { id: machine } = await db()("machines").where({ serial_number: "VM-10438" }).first("id");
    await assign("promotions", await insertPromotion({ name: "My own" }), { machine_id: machine });
    expect(await session.text("/app/sample-data")).toMatch(
      /Conference badges \(tried at a machine\).*Student card 2027 \(changed by somebody\)/s,
    );
    await session.makeStale();
    const answer = await session.post("/app/sample-data", { password });
    expect(answer.status).toBe(303);
    expect(await session.follow(answer)).toContain("Sample data removed: 99 codes.");
  });

  it("leaves what people changed, machines asked for, and their machines", async () => {
    const names = await db()("promotions").distinct("name").orderBy("name").pluck("name");
    expect(names).toEqual(["Conference badges", "My own", "Student card 2027"]);
    expect(await countOf("promotions")).toBe(27);
    expect(await db()("machines").pluck("serial_number")).toContain("VM-10438");
    expect(await countOf("machines")).toBeLessThan(15);
    await assertInvariants();
  });

  it("reserves each code for ever", async () => {
    const removed = await db()("removed_codes").pluck("code");
    const left = await db()("promotions").pluck("code");
    expect([...removed, ...left].filter((code) => codes.includes(code)).sort()).toEqual(
      codes.sort(),
    );
    await expect(insertPromotion({ code: removed[0] })).rejects.toThrow("a code was issued before");
    await expect(insertPromotion({ code: newCode() })).resolves.toEqual(expect.any(String));
  });

  it("leaves figures that agree with what is left", async () => {
    while ((await refreshSummary()) !== "done");
    expect(await checkSummary()).toEqual([]);
  });

  it("is in the audit log, ends the note on the screens, and happens once", async () => {
    expect(await session.text("/app/audit")).toContain("Sample data removed");
    expect(await session.page("/app/dashboard")).not.toContain("/app/sample-data");
    expect(await session.text("/app/sample-data")).toContain("No sample data");
    const again = await session.post("/app/sample-data", { password });
    expectRejection(again, 409, "The sample data was removed already.");
  });

  it("ends the sample platform, so that no invented machine comes back", async () => {
    const before = await countOf("machines");
    expect((await session.post("/app/machines/refresh", { returnTo: "" })).status).toBe(303);
    expect(await countOf("machines")).toBe(before);
    expect(await db()("machines").where({ is_manual: false })).toEqual([]);
  });
});
