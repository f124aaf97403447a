import { beforeEach, describe, expect, test } from "vitest";
import { noTargets } from "../../app/features/assignments/targets";
import naughtyStrings from "big-list-of-naughty-strings/blns.json" with { type: "json" };
import { db } from "../../app/db/connection.server";
import { DomainError } from "../../app/errors";
import { createPromotion } from "../../app/features/promotions/form/create-promotion.server";
import { lastDay } from "../../app/features/promotions/expiry-date";
import { singleFormErrors } from "../../app/features/promotions/form/promotion-forms";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import { assignmentsOf } from "../factories/assignments";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { newPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";

useDatabase();

let actor: { id: string; email: string };
beforeEach(async () => {
  actor = await insertUser();
});

async function promotionCount(): Promise<number> {
  const row = await db()("promotions").where({ created_by: actor.id }).count<{ count: string }[]>();
  return Number(row[0]!.count);
}

test("a promotion is stored with its machines and an audit row", async () => {
  const [first, second] = [await insertMachine(), await insertMachine()];
  const { promotion, wasReplayed } = await createPromotion(
    newPromotion({
      name: "Sommer 🍹",
      expirationDate: "2099-12-31",
      machines: [first.serial_number, second.serial_number],
    }),
    { actor: { ...actor, requestId: "r-1" }, idempotencyKey: null },
  );
  expect(wasReplayed).toBe(false);
  expect(promotion).toMatchObject({
    name: "Sommer 🍹",
    status: "active",
    isAssigned: true,
    remainingUses: null,
    expiresAt: new Date("2099-12-31T23:00:00Z"),
    renewsAt: null,
    isNew: true,
  });
  expect(promotion.code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/);
  const assigned = await assignmentsOf("promotions", promotion.id);
  expect(assigned.map((row) => row.machine_id).sort()).toEqual([first.id, second.id].sort());
  const [audited] = await db()("audit_log").where({ subject_id: promotion.id });
  expect(audited).toMatchObject({
    action: "promotion.created",
    actor_id: actor.id,
    actor_name: actor.email,
    subject_type: "promotion",
    covered: 1,
    request_id: "r-1",
  });
});

test.each([
  [{ discountType: "percentage" as const, discountValue: 100 }, null],
  [{ discountType: "percentage" as const, isSingleUse: true }, 1],
  [{ discountType: "free_drink" as const, discountValue: 1000 }, 1000],
  [{ discountType: "free_drink" as const, discountValue: 1, isSingleUse: true }, 1],
])("%j leaves %s uses", async (values, remainingUses) => {
  const { promotion } = await createPromotion(newPromotion(values), {
    actor,
    idempotencyKey: null,
  });
  expect(promotion).toMatchObject({ remainingUses, status: "not_assigned" });
});

test("the last day of the calendar can be chosen", async () => {
  const { promotion } = await createPromotion(newPromotion({ expirationDate: "9999-12-31" }), {
    actor,
    idempotencyKey: null,
  });
  expect(promotion.expiresAt).toEqual(new Date("9999-12-31T23:00:00Z"));
  expect(lastDay(promotion.expiresAt!, "Europe/Berlin")).toBe("9999-12-31");
});

test("a renewable promotion knows when it renews", async () => {
  const { promotion } = await createPromotion(
    newPromotion({ discountType: "free_drink", discountValue: 3, isRenewable: true }),
    { actor, idempotencyKey: null },
  );
  const berlin = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Berlin",
    dateStyle: "short",
    timeStyle: "medium",
  }).format(promotion.renewsAt!);
  expect(berlin).toMatch(/^01\/\d\d\/\d{4}, 00:00:00$/);
  expect(promotion.renewsAt!.getTime()).toBeGreaterThan(Date.now());
});

describe("nothing is created", () => {
  test("with a machine that is unknown or deleted, and the sentence names it", async () => {
    const known = await insertMachine();
    const deleted = await insertMachine({ is_deleted: true });
    const machines = [known.serial_number, deleted.serial_number, "nowhere"];
    const refusal = await createPromotion(newPromotion({ machines }), {
      actor,
      idempotencyKey: "k",
    }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect((refusal as DomainError).reason).toBe("invalid");
    expect((refusal as DomainError).fields.machines).toBe(
      `Not available: ${deleted.serial_number}, nowhere. Nothing was created.`,
    );
    expect(await promotionCount()).toBe(0);

    const corrected = newPromotion({ machines: [known.serial_number] });
    const { wasReplayed } = await createPromotion(corrected, { actor, idempotencyKey: "k" });
    expect(wasReplayed).toBe(false);
  });

  test("with a date that has passed by the database's clock", async () => {
    const input = newPromotion({ expirationDate: "2020-01-01" });
    await expect(createPromotion(input, { actor, idempotencyKey: null })).rejects.toMatchObject({
      reason: "invalid",
      fields: { expiration_date: "Date cannot be in the past" },
    });
    expect(await promotionCount()).toBe(0);
  });
});

describe("the same key", () => {
  test("gives the same promotion, sent twice at once or later", async () => {
    const options = { actor, idempotencyKey: "double" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createPromotion(newPromotion(), options)),
    );
    answers.push(await createPromotion(newPromotion(), options));
    expect(new Set(answers.map(({ promotion }) => promotion.id)).size).toBe(1);
    expect(answers.filter(({ wasReplayed }) => !wasReplayed)).toHaveLength(1);
    expect(await promotionCount()).toBe(1);
  });

  test("with other values is a conflict", async () => {
    const options = { actor, idempotencyKey: "reused" };
    await createPromotion(newPromotion(), options);
    await expect(createPromotion(newPromotion({ name: "Other" }), options)).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await promotionCount()).toBe(1);
  });

  test("of another user is another key", async () => {
    const other = await insertUser();
    const options = { idempotencyKey: "shared" };
    const mine = await createPromotion(newPromotion(), { ...options, actor });
    const theirs = await createPromotion(newPromotion(), { ...options, actor: other });
    expect(theirs.promotion.id).not.toBe(mine.promotion.id);
  });

  test("is free again after 24 hours", async () => {
    const options = { actor, idempotencyKey: "old" };
    await createPromotion(newPromotion(), options);
    await db().raw(
      "update idempotency_keys set created_at = now() - interval '25 hours' where user_id = ?",
      [actor.id],
    );
    const { wasReplayed } = await createPromotion(newPromotion({ name: "Other" }), options);
    expect(wasReplayed).toBe(false);
    expect(await promotionCount()).toBe(2);
  });
});

test("naughty names come back byte for byte or are refused with a sentence", async () => {
  const hostile = [
    ...naughtyStrings,
    "a\0b",
    "\ud800",
    "'; drop table promotions; --",
    "😀".repeat(200),
  ];
  let stored = 0;
  for (const name of hostile) {
    const sentence = singleFormErrors(
      {
        ...{ promotionName: name, discount: "5", discount_type: "percentage" },
        ...{ is_single_use: false, is_renewable: false, expiration_date: "" },
        ...noTargets,
      },
      "2026-11-21",
    ).promotionName;
    if (sentence !== undefined) continue;
    const { promotion } = await createPromotion(newPromotion({ name }), {
      actor,
      idempotencyKey: null,
    });
    expect((await getPromotion(promotion.id)).name).toBe(name);
    stored++;
  }
  expect(stored).toBeGreaterThan(400);
});

test.each(["0", "x", "-1", "9223372036854775808", "1 or 1=1", "1\0", "", "9223372036854775807"])(
  "the promotion %j is not found",
  async (id) => {
    await expect(getPromotion(id)).rejects.toMatchObject({
      reason: "not_found",
      message: "Error: Promotion not found",
    });
  },
);
