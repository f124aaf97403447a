import { beforeAll, describe, expect, it, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { createIntegration } from "../../app/features/integrations/integrations.server";
import { createKey, renewKey } from "../../app/features/integrations/new-keys.server";
import { checkRedemption } from "../../app/features/redemptions/check-redemption.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { testPurposes, type TestPurpose } from "../../app/features/test-mode/test-code";
import {
  createTestCode,
  listTestAttempts,
  listTestCodes,
  oldTestAttempts,
} from "../../app/features/test-mode/test-codes.server";
import { sweep } from "../../app/db/sweep.server";
import { insertUser } from "../factories/people-and-machines";
import { insertRedeemable, newCode, outcomeOf, request } from "../factories/redemptions";
import { useDatabase } from "../support/postgres";

useDatabase();

let actor: Awaited<ReturnType<typeof insertUser>>;
let integrationId = "";
let testKey = "";
let realKey = "";

beforeAll(async () => {
  actor = await insertUser();
  ({ id: integrationId } = await createIntegration({ name: "Till" }, { actor }));
  const key = { machineSerial: null, days: 30 };
  ({ secret: realKey } = await createKey(integrationId, key, { actor }));
  ({ secret: testKey } = await createKey(integrationId, { ...key, isTest: true }, { actor }));
});

const makeTestCode = async (purpose: TestPurpose = "redeemable", more = {}) => {
  const { code } = await createTestCode(
    { discountType: "percentage", discountValue: 25, isSingleUse: true, purpose, ...more },
    { actor, idempotencyKey: null },
  );
  return { code, serialNumber: "TEST-MACHINE" };
};

/** The number of rows of each table of the site that a redemption could write to. */
async function realRows() {
  const tables = ["promotions", "transactions", "redemption_attempts", "attempt_counts"];
  const more = ["audit_log", "machines", "recorded_events", "assignment_sets"];
  return Promise.all(
    [...tables, ...more].map(async (name) => {
      const { rows } = await db().raw<{ rows: { count: string }[] }>("select count(*) from ??", [
        name,
      ]);
      return `${name} ${rows[0]!.count}`;
    }),
  );
}

describe("a test code", () => {
  it("is redeemed once by a test key, with the answer of a real redemption, and given back by a rollback", async () => {
    const asked = request(await makeTestCode());
    const before = await realRows();
    const first = await redeem(asked, testKey);
    expect(first).toMatchObject({
      outcome: "applied",
      transaction: { discount: 63, discountedPrice: 187, machine: { humanName: "Test machine" } },
    });
    expect(await redeem(asked, testKey)).toEqual(first);
    expect(outcomeOf(await redeem(request(asked), testKey))).toBe("used_up");
    expect((await rollBack(asked.redemptionId, testKey)).outcome).toBe("rolled_back");
    expect(outcomeOf(await redeem(request(asked), testKey))).toBe("applied");
    expect(await realRows()).toEqual(before);
    const attempts = await listTestAttempts(integrationId);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["accepted", "used_up", "accepted"]);
    expect(attempts.map(({ isRolledBack }) => isRolledBack)).toEqual([false, false, true]);
    const [listed] = await listTestCodes();
    expect(listed).toMatchObject({ code: asked.code, uses: 1, maxUses: 1, purpose: "redeemable" });
    expect(asked.code).toMatch(/^TEST[2-9A-HJKMNP-Z]{8}$/);
  });

  it("is unknown to a real key, and a real code to a test key", async () => {
    const target = await insertRedeemable();
    const atTestMachine = { code: target.code, serialNumber: "TEST-MACHINE" };
    expect(outcomeOf(await redeem(request(atTestMachine), testKey))).toBe("unknown");
    const { code } = await makeTestCode();
    const atRealMachine = { code, serialNumber: target.serialNumber };
    expect(outcomeOf(await redeem(request(atRealMachine), realKey))).toBe("unknown");
    expect(outcomeOf(await redeem(request(atRealMachine), testKey))).toBe("machine_unknown");
    expect(outcomeOf(await redeem(request(atTestMachine), realKey))).toBe("machine_unknown");
    const asked = { code, serialNumber: target.serialNumber, originalPrice: 250 };
    expect(await checkRedemption(asked, realKey)).toMatchObject({ reason: "unknown" });
    const [row] = await db()("promotions").where({ code: target.code });
    expect(row).toMatchObject({ activation_count: 0 });
  });

  it.each(Object.keys(testPurposes) as TestPurpose[])(
    "that is made to be %s is so",
    async (purpose) => {
      const target = await makeTestCode(purpose);
      const expected = purpose === "redeemable" ? "accepted" : purpose;
      const check = await checkRedemption({ ...target, originalPrice: 250 }, testKey);
      expect("reason" in check ? check.reason : check.outcome).toBe(expected);
      const outcome = outcomeOf(await redeem(request(target), testKey));
      expect(outcome).toBe(purpose === "redeemable" ? "applied" : purpose);
    },
  );

  it("is given once under requests at the same time", async () => {
    const target = await makeTestCode("redeemable", {
      discountType: "free_drink",
      discountValue: 1,
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => redeem(request(target), testKey)),
    );
    expect(answers.map(outcomeOf).filter((outcome) => outcome === "applied")).toHaveLength(1);
  });
});

it("counts guesses of a test key, which is throttled without a trace among real attempts", async () => {
  const { id: other } = await createIntegration({ name: "Guesser" }, { actor });
  const key = { machineSerial: null, days: 30, isTest: true };
  const { secret } = await createKey(other, key, { actor });
  const before = await realRows();
  const guess = () => redeem(request({ code: newCode(), serialNumber: "TEST-MACHINE" }), secret);
  for (let count = 0; count < 30; count++) expect(outcomeOf(await guess())).toBe("unknown");
  expect((await guess()).outcome).toBe("throttled");
  expect(await realRows()).toEqual(before);
});

it("renews a test key as a test key, and never makes one that does more than redeem", async () => {
  const { id, secret } = await createKey(
    integrationId,
    { machineSerial: null, days: 30, isTest: true },
    { actor },
  );
  expect(secret).toMatch(/^vqt_/);
  expect((await renewKey(integrationId, id, { actor })).secret).toMatch(/^vqt_/);
  await expect(
    createKey(
      integrationId,
      { machineSerial: null, days: 30, isTest: true, scopes: ["redeem", "read"] },
      { actor },
    ),
  ).rejects.toMatchObject({ fields: { test_key: expect.stringContaining("only redeem") } });
});

test("attempts of test keys are deleted after 30 days", async () => {
  const target = await makeTestCode();
  await redeem(request(target), testKey);
  await db().raw(`update test_mode.redemption_attempts set created_at = now() - interval '31 days';
    update test_mode.redemption_ids set created_at = now() - interval '31 days';
    update test_mode.transactions set created_at = now() - interval '31 days'`);
  await sweep(oldTestAttempts);
  expect(await listTestAttempts(integrationId)).toEqual([]);
  const ids = await db().raw<{ rows: object[] }>("select from test_mode.redemption_ids");
  expect(ids.rows).toEqual([]);
  expect((await listTestCodes()).map(({ code }) => code)).toContain(target.code);
});

test("the tables of test mode have the columns of the tables that they stand for", async () => {
  const { rows } = await db().raw<{ rows: { table: string; columns: string; schema: string }[] }>(
    `select t.relname as table, n.nspname as schema,
       string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull), ', '
         order by a.attname) as columns
     from pg_class t join pg_namespace n on n.oid = t.relnamespace
       join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     where t.relkind in ('r', 'p') and t.relname in (
       select relname from pg_class where relnamespace = 'test_mode'::regnamespace and relkind = 'r')
     group by 1, 2 order by 1, 2`,
  );
  const columnsOf = (schema: string) =>
    rows.filter((row) => row.schema === schema).map((row) => `${row.table}: ${row.columns}`);
  expect(columnsOf("test_mode").length).toBeGreaterThan(0);
  expect(columnsOf("test_mode")).toEqual(columnsOf("public"));
});
