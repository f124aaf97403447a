import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { noTargets } from "../../app/features/assignments/targets";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { packedCodes } from "../../app/features/mass-generations/generation-archive.server";
import type { CreateMassOptions } from "../../app/features/mass-generations/insert-codes.server";
import type { NewMassGeneration } from "../../app/features/mass-generations/mass-generation-forms";
import { copyMassGeneration } from "../../app/features/mass-generations/mass-generation.server";
import { codeAlphabet } from "../../app/features/promotions/code";
import { lastDay } from "../../app/features/promotions/expiry-date";
import {
  copyPromotion,
  createPromotion,
} from "../../app/features/promotions/form/create-promotion.server";
import { fieldRules } from "../../app/features/promotions/form/promotion-forms";
import { fieldBindings } from "../../app/features/promotions/field-columns.server";
import { getPromotion } from "../../app/features/promotions/promotions.server";
import { fieldError } from "../../app/forms/fields";
import { assign, assignmentsOf } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { codesOf } from "../factories/mass-generations";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertGeneration, insertPromotion, newPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { countSessions, lockTable } from "../support/database-sessions";
import { everyNth, naughtyStrings } from "../support/naughty-strings";
import { useDatabase } from "../support/postgres";
import { inSoak } from "../support/repetitions";

useDatabase();
const { actor } = useActor(beforeEach);

type Values = Partial<NewMassGeneration>;
type Options = Partial<CreateMassOptions>;

async function createSingle(values: Values = {}, options: Options = {}) {
  const all = { actor, idempotencyKey: null, ...options };
  const { promotion, wasReplayed } = await createPromotion(newPromotion(values), all);
  return { id: promotion.id, wasReplayed };
}

function createMass({ numCodes = 20, ...values }: Values = {}, options: Options = {}) {
  const input = { ...newPromotion(values), numCodes };
  return createMassGeneration(input, { actor, idempotencyKey: null, ...options });
}

const single = {
  name: "a code",
  subject: "promotion",
  table: "promotions" as const,
  create: createSingle,
  codes: async (id: string) => [id],
  insert: (row: object) => insertPromotion({ ...row }),
  copy: copyPromotion,
  copied:
    /^A copy of Sommer 🍹 \(.{4}-.{4}-.{4}\), with a new code\. Everything except the name is filled in\./,
  ownFields: { discount: "4" },
};
const mass = {
  name: "a campaign",
  subject: "mass_generation",
  table: "mass_generations" as const,
  create: createMass,
  codes: codesOf,
  insert: (row: object) => insertGeneration({ num_codes: 2_500, ...row }),
  copy: copyMassGeneration,
  copied:
    /^A copy of the campaign Sommer 🍹 \(2,500 codes\)\. Everything except the name is filled in\./,
  ownFields: { num_codes: "2500", discount_value: "4" },
};

/** Rows that a creation may leave, whoever made them. */
async function rowCounts() {
  const { rows } = await db().raw<{ rows: Record<string, number>[] }>(
    `select (select count(*) from mass_generations)::integer as generations,
       (select count(*) from promotions)::integer as promotions,
       (select count(*) from assignments)::integer as assignments,
       (select count(*) from audit_log)::integer as audited,
       (select count(*) from idempotency_keys)::integer as keys`,
  );
  return rows[0]!;
}

/** Asserts that a creation is rejected with this error and leaves nothing. */
async function expectNothing(creating: () => Promise<unknown>, error: object): Promise<void> {
  const before = await rowCounts();
  await expect(creating()).rejects.toMatchObject(error);
  expect(await rowCounts()).toEqual(before);
}

const makers = [single, mass].map((maker) => [maker.name, maker] as const);

describe.each(makers)("%s", (_name, { create, codes, table, subject }) => {
  test("is stored with its machines, its groups and one audit row", async () => {
    const [first, second] = [await insertMachine(), await insertMachine()];
    const group = await insertGroup();
    const { id, wasReplayed } = await create(
      {
        name: "Sommer 🍹",
        expirationDate: "2099-12-31",
        groups: [group],
        machines: [first.serial_number, second.serial_number],
      },
      { actor: { ...actor, requestId: "r-1" } },
    );
    expect(wasReplayed).toBe(false);
    const expiresAt = new Date("2099-12-31T23:00:00Z");
    expect(await db()(table).where({ id }).first()).toMatchObject({
      name: "Sommer 🍹",
      created_by: actor.id,
      expires_at: expiresAt,
    });
    const ids = await codes(id);
    for (const code of ids) {
      const promotion = await getPromotion(code);
      expect(promotion).toMatchObject({ name: "Sommer 🍹", status: "active", expiresAt });
      expect(promotion.code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/);
    }
    const assigned = await assignmentsOf(table, id);
    expect(assigned.map((row) => row.machine_id ?? `group ${row.group_id}`).sort()).toEqual(
      [first.id, second.id, `group ${group}`].sort(),
    );
    expect(await db()("audit_log").where({ subject_type: subject, subject_id: id })).toMatchObject([
      {
        action: `${subject}.created`,
        actor_id: actor.id,
        actor_name: actor.email,
        covered: ids.length,
        request_id: "r-1",
      },
    ]);
  });

  test.each<[Values, number | null]>([
    [{ discountType: "percentage", discountValue: 100 }, null],
    [{ discountType: "percentage", isSingleUse: true }, 1],
    [{ discountType: "free_drink", discountValue: 1000 }, 1000],
    [{ discountType: "free_drink", discountValue: 1, isSingleUse: true }, 1],
    [{ discountType: "free_drink", discountValue: 3, isRenewable: true }, 3],
  ])("of %j leaves each code %s uses", async (values, remainingUses) => {
    const { id } = await create({ ...values, numCodes: 2 });
    for (const code of await codes(id)) {
      const promotion = await getPromotion(code);
      expect(promotion).toMatchObject({ remainingUses, status: "not_assigned" });
      expect(promotion.renewsAt !== null).toBe(values.isRenewable ?? false);
    }
  });

  test("is not created with a machine that is unknown or deleted, which the message names", async () => {
    const [known, deleted] = [await insertMachine(), await insertMachine({ is_deleted: true })];
    const machines = [known.serial_number, deleted.serial_number, "nowhere"];
    const message = `Not available: ${deleted.serial_number}, nowhere. Nothing was created.`;
    const options = { idempotencyKey: "machines" };
    await expectNothing(() => create({ machines }, options), {
      reason: "invalid",
      fields: { machines: message },
    });
    const corrected = await create({ machines: [known.serial_number] }, options);
    expect(corrected.wasReplayed).toBe(false);
  });

  test("is not created with a group that is gone, or for a day that has passed", async () => {
    const groups = [await insertGroup(), "99999"];
    await expectNothing(() => create({ groups }), {
      fields: { groups: "A chosen group no longer exists. Nothing was created." },
    });
    await expectNothing(() => create({ expirationDate: "2020-01-01" }), {
      reason: "invalid",
      fields: { expiration_date: "Date cannot be in the past" },
    });
  });

  test("is created once for a key, however often it is sent at once or later", async () => {
    const options = { idempotencyKey: "double" };
    const before = await rowCounts();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({}, options)));
    answers.push(await create({}, options));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ wasReplayed }) => !wasReplayed)).toHaveLength(1);
    const numCodes = (await codes(answers[0]!.id)).length;
    expect((await rowCounts()).promotions).toBe(before.promotions! + numCodes);
    await expectNothing(() => create({ name: "Other" }, options), { reason: "conflict" });
  });

  test("has another key for each user, which is free again after 24 hours", async () => {
    const options = { idempotencyKey: "shared" };
    const mine = await create({}, options);
    const theirs = await create({}, { ...options, actor: await insertUser() });
    expect(theirs.id).not.toBe(mine.id);
    await db()("idempotency_keys")
      .where({ user_id: actor.id })
      .update({ created_at: db().raw("now() - interval '25 hours'") });
    expect((await create({ name: "Other" }, options)).wasReplayed).toBe(false);
  });
});

test("a field that a request of an earlier release lacks takes the default of its column", () => {
  expect(fieldBindings({ name: "Summer" })).toMatch(/^:name, default, default/);
});

describe.each(makers)("a copy of %s", (_name, { insert, copy, table, name, ...expected }) => {
  test("has every value, the targets that still exist, and no name", async () => {
    const id = await insert({
      name: "Sommer 🍹",
      discount_type: "free_drink",
      discount_value: 4,
      expires_at: new Date("2099-12-31T23:00:00Z"),
    });
    const [machine, gone] = [await insertMachine(), await insertMachine({ is_deleted: true })];
    const group = await insertGroup();
    const targets = [{ machine_id: machine.id }, { machine_id: gone.id }, { group_id: group }];
    await assign(table, id, ...targets);
    const copied = await copy(id);
    expect(copied).toEqual({
      id,
      note: { kind: "info", text: expect.stringMatching(expected.copied) as string },
      values: expect.objectContaining({
        ...expected.ownFields,
        discount_type: "free_drink",
        is_single_use: false,
        is_renewable: false,
        expiration_date: "31/12/2099",
      }) as object,
      machines: [machine.serial_number],
      groups: [group],
    });
    expect(JSON.stringify(copied!.values)).not.toContain("Sommer");
    const omission = "Not copied: machines that are marked as deleted.";
    expect(copied!.note.text.endsWith(omission)).toBe(true);
  });

  test("leaves a date out that has passed", async () => {
    const id = await insert({ expires_at: new Date("2020-01-01T23:00:00Z") });
    const text = "Not copied: its expiration date, which has passed.";
    expect(await copy(id)).toMatchObject({
      values: { expiration_date: "" },
      note: { text: expect.stringContaining(text) as string },
    });
  });

  test.each(["x", "0", "999999"])("that is none, %s, is an empty form that says so", async (id) => {
    const text = `The ${name.slice(2)} to copy was not found. This form is empty.`;
    const note = { kind: "warning", text };
    expect(await copy(id)).toEqual({ id: null, note, values: null, ...noTargets });
  });

  test("is made only when it is asked for", async () => expect(await copy(null)).toBeNull());
});

test("the last day of the calendar can be chosen", async () => {
  const { id } = await createSingle({ expirationDate: "9999-12-31" });
  const { expiresAt } = await getPromotion(id);
  expect(expiresAt).toEqual(new Date("9999-12-31T23:00:00Z"));
  expect(lastDay(expiresAt!, "Europe/Berlin")).toBe("9999-12-31");
});

test("a renewable promotion knows when it renews", async () => {
  const values = { discountType: "free_drink", discountValue: 3, isRenewable: true } as const;
  const { renewsAt } = await getPromotion((await createSingle(values)).id);
  const berlin = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Berlin",
    dateStyle: "short",
    timeStyle: "medium",
  }).format(renewsAt!);
  expect(berlin).toMatch(/^01\/\d\d\/\d{4}, 00:00:00$/);
  expect(renewsAt!.getTime()).toBeGreaterThan(Date.now());
});

test("naughty names come back byte for byte or are refused with a sentence", async () => {
  const hostile = ["a\0b", "\ud800", "'; drop table promotions; --", "😀".repeat(200)];
  const accepted = (names: string[]) =>
    names.filter((name) => fieldError(fieldRules.name, name) === null);
  expect(accepted(naughtyStrings).length).toBeGreaterThan(400);
  for (const name of accepted([...everyNth(24), ...hostile])) {
    const { id } = await createSingle({ name });
    expect((await getPromotion(id)).name).toBe(name);
  }
});

test.each(["0", "x", "-1", "9223372036854775808", "1 or 1=1", "1\0", "", "9223372036854775807"])(
  "the promotion %j is not found",
  (id) =>
    expect(getPromotion(id)).rejects.toMatchObject({
      reason: "not_found",
      message: "Error: Promotion not found",
    }),
);

describe("the codes of a mass generation", () => {
  const textsOf = (id: string) =>
    db()("promotions").where({ mass_generation_id: id }).orderBy("id").pluck<string[]>("code");

  /** More than one page of an archive has. */
  const many = 10_500;
  let id = "";
  let before: Record<string, number> = {};
  beforeAll(async () => {
    before = await rowCounts();
    ({ id } = await createMass({ numCodes: many }, { actor: await insertUser() }));
  });

  test("are all stored alike and share its set, in several statements", async () => {
    const { rows } = await db().raw(
      `select count(distinct code)::integer as codes, count(distinct (p.name, p.discount_type,
         p.discount_value, p.expires_at, p.max_uses))::integer as kinds,
         bool_and(p.set_id = g.set_id) as share
       from promotions p join mass_generations g on g.id = p.mass_generation_id where g.id = ?`,
      [id],
    );
    expect(rows).toEqual([{ codes: many, kinds: 1, share: true }]);
    expect((await rowCounts()).promotions).toBe(before.promotions! + many);
  });

  test("are soon part of the statistics by which lists are planned, also while a vacuum runs", async () => {
    const running = await lockTable("promotions", "share update exclusive");
    await createMass({ numCodes: 5_000 });
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    // A vacuum of a million codes takes longer than the lock timeout of other statements.
    const waitingLong = () =>
      db()("pg_stat_activity")
        .where({ wait_event_type: "Lock" })
        .whereRaw("datname = current_database() and query_start < now() - interval '2.1 seconds'");
    await expect.poll(waitingLong, { timeout: 10_000 }).toHaveLength(1);
    await running.rollback();
    const estimate = async () =>
      (await db()("pg_class").where({ relname: "promotions" }).first<{ reltuples: number }>())
        .reltuples;
    const count = (await rowCounts()).promotions!;
    await expect.poll(estimate, { timeout: 20_000 }).toBeGreaterThan(count * 0.9);
  });

  test("come in one order, from any place on, and none of another generation", async () => {
    await createMass();
    const stored = await textsOf(id);
    const packed = packedCodes(id, [[12, stored.length]]);
    for (const place of [10_400, 3, stored.length - 1]) {
      await packed.load(place, place + 1);
      expect(packed.at(place)).toBe(stored[place]);
    }
    await packed.load(0, stored.length);
    expect(stored.map((_, place) => packed.at(place))).toEqual(stored);
  });

  test("that exist already are made anew, deleted ones too", async () => {
    // All bytes n give twelve times the character n.
    const [taken, deleted, fresh] = [0, 1, 2].map((place) => codeAlphabet[place]!.repeat(12));
    await insertPromotion({ code: taken });
    await insertPromotion({ code: deleted, is_deleted: true });
    const script = [0, 1, 2].flatMap((byte) => Array<number>(12).fill(byte));
    let at = 0;
    const random = (size: number) =>
      at < script.length
        ? Uint8Array.from({ length: size }, () => script[at++] ?? 255)
        : randomBytes(size);
    const codes = await textsOf((await createMass({ numCodes: 5 }, { random })).id);
    expect(new Set(codes).size).toBe(5);
    expect(codes).toContain(fresh);
    for (const existing of [taken, deleted]) expect(codes).not.toContain(existing);
  });

  test("are given up when the random source repeats itself", async () => {
    const random = (size: number) => new Uint8Array(size).fill(7);
    await insertPromotion({ code: codeAlphabet[7]!.repeat(12) });
    await expectNothing(() => createMass({ numCodes: 1 }, { random }), {
      message: expect.stringContaining("random source is broken") as string,
    });
  });

  test("are no more than the settings allow", () =>
    expectNothing(() => createMass({ numCodes: 100_001 }), {
      reason: "invalid",
      fields: { num_codes: "Number of codes cannot exceed 100,000" },
    }));

  test.each(["no entropy", "left"])("are all or none when a failure comes: %s", async (message) => {
    const leaving = new AbortController();
    let bytes = 0;
    const random = (size: number) => {
      if ((bytes += size) < 50_000) return randomBytes(size);
      if (message === "no entropy") throw new Error(message);
      leaving.abort(new Error(message));
      return randomBytes(size);
    };
    const options = { random, idempotencyKey: "broken", signal: leaving.signal };
    await expectNothing(() => createMass({ numCodes: 6_000 }, options), { message });
    expect(bytes).toBeGreaterThan(50_000);
    const again = await createMass({ numCodes: 60 }, { idempotencyKey: "broken" });
    expect(again.wasReplayed).toBe(false);
  });

  test("leave connections to others while many generations are created", async () => {
    const holder = await lockTable("promotions");
    const all = Promise.all(Array.from({ length: 12 }, () => createMass({ numCodes: 10 })));
    // Three wait for the lock; that this can be asked shows that connections are left.
    await expect.poll(() => countSessions("waiting for a lock"), { timeout: 30_000 }).toBe(3);
    await holder.rollback();
    expect(new Set((await all).map(({ id }) => id)).size).toBe(12);
  });

  inSoak(test)(
    "are waited for by a request with the same key, however long that takes",
    async () => {
      const options = { idempotencyKey: "slow" };
      const holder = await lockTable("promotions");
      const [first, second] = [createMass({}, options), createMass({}, options)];
      // Longer than the lock_timeout of other requests.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      await holder.rollback();
      expect((await first).id).toBe((await second).id);
    },
  );
});
