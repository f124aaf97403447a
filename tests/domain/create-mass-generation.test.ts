import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  createMassGeneration,
  type CreateMassOptions,
} from "../../app/features/mass-generations/create-mass-generation.server";
import { packedCodes } from "../../app/features/mass-generations/generation-archive.server";
import type { NewMassGeneration } from "../../app/features/mass-generations/mass-generation-forms";
import { codeAlphabet, codeLength } from "../../app/features/promotions/code";
import { listPromotions } from "../../app/features/promotions/list/list-promotions.server";
import { newestFirst, noFilters } from "../../app/features/promotions/list/promotion-filters";
import { assignmentsOf, setIdOf } from "../factories/assignments";
import { insertMachine } from "../factories/people-and-machines";
import { newPromotion, insertPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { useDatabase } from "../support/postgres";
import { repetitions } from "../support/repetitions";

useDatabase();

const { actor } = useActor(beforeEach);

function create(
  values: Partial<NewMassGeneration> = {},
  options: Partial<CreateMassOptions> = {},
): ReturnType<typeof createMassGeneration> {
  const input = { ...newPromotion(values), numCodes: values.numCodes ?? 20 };
  return createMassGeneration(input, { actor, idempotencyKey: null, ...options });
}

async function codesOf(id: string): Promise<string[]> {
  const promotions = db()("promotions").where({ mass_generation_id: id });
  return promotions.orderBy("id").pluck<string[]>("code");
}

/** Rows that a creation may leave, whoever made them. */
async function rowCounts() {
  const { rows } = await db().raw<{ rows: Record<string, string>[] }>(
    `select (select count(*) from mass_generations) as generations,
       (select count(*) from promotions) as promotions,
       (select count(*) from assignments) as assignments,
       (select count(*) from audit_log) as audited,
       (select count(*) from idempotency_keys) as keys`,
  );
  return rows[0]!;
}

test("all codes are stored, the machines and the audit row once", async () => {
  const machines = [await insertMachine(), await insertMachine()];
  const { id, wasReplayed } = await create(
    {
      name: "Sommer 🍹",
      numCodes: 12_000,
      expirationDate: "2099-12-31",
      machines: machines.map((machine) => machine.serial_number),
    },
    { actor: { ...actor, requestId: "r-1" } },
  );
  expect(wasReplayed).toBe(false);
  expect(await db()("mass_generations").where({ id }).first()).toMatchObject({
    name: "Sommer 🍹",
    num_codes: 12_000,
    created_by: actor.id,
    expires_at: new Date("2099-12-31T23:00:00Z"),
  });

  const codes = await codesOf(id);
  expect(new Set(codes).size).toBe(12_000);
  expect(await codesOf(id)).toEqual(codes);
  const { rows } = await db().raw(
    `select name, discount_type, discount_value, expires_at, s.is_assigned,
       set_id, count(*)::integer as number
     from promotions join assignment_sets s on s.id = set_id
     where mass_generation_id = ? group by 1, 2, 3, 4, 5, 6`,
    [id],
  );
  expect(rows).toEqual([
    {
      name: "Sommer 🍹",
      discount_type: "percentage",
      discount_value: 25,
      expires_at: new Date("2099-12-31T23:00:00Z"),
      is_assigned: true,
      set_id: await setIdOf("mass_generations", id),
      number: 12_000,
    },
  ]);

  const assigned = await assignmentsOf("mass_generations", id);
  expect(assigned.map((row) => row.machine_id).sort()).toEqual(machines.map((m) => m.id).sort());
  const audited = await db()("audit_log").where({ subject_id: id });
  expect(audited).toHaveLength(1);
  expect(audited[0]).toMatchObject({
    action: "mass_generation.created",
    subject_type: "mass_generation",
    actor_id: actor.id,
    covered: 12_000,
    request_id: "r-1",
  });
});

test.each<[Partial<NewMassGeneration>, number | null]>([
  [{ discountType: "percentage", discountValue: 100 }, null],
  [{ discountType: "percentage", isSingleUse: true }, 1],
  [{ discountType: "free_drink", discountValue: 1000 }, 1000],
  [{ discountType: "free_drink", discountValue: 1, isSingleUse: true }, 1],
  [{ discountType: "free_drink", discountValue: 3, isRenewable: true }, 3],
])("each code of %j has %s uses", async (values, remainingUses) => {
  const machine = await insertMachine();
  const { id } = await create({ ...values, machines: [machine.serial_number], numCodes: 2 });
  const { promotions } = await listPromotions({
    page: 1,
    perPage: 25,
    sort: newestFirst,
    after: null,
    before: null,
    filters: { ...noFilters, massGenerationId: id },
  });
  expect(promotions).toHaveLength(2);
  for (const promotion of promotions) {
    expect(promotion).toMatchObject({ remainingUses, status: "active", massGenerationId: id });
    expect(promotion.renewsAt !== null).toBe(values.isRenewable ?? false);
  }
});

describe("the codes", () => {
  test("differ, and use every character of the alphabet alike", async () => {
    const numCodes = repetitions(15_000, 100_000);
    const { id } = await create({ numCodes });
    const counts = Array.from({ length: codeLength }, () => new Map<string, number>());
    const seen = new Set<string>();
    for (const code of await codesOf(id)) {
      seen.add(code);
      for (let place = 0; place < codeLength; place++)
        counts[place]!.set(code[place]!, (counts[place]!.get(code[place]!) ?? 0) + 1);
    }
    expect(seen.size).toBe(numCodes);
    // Lists are planned by the size of the table, which is known soon.
    const estimate = async () =>
      (await db()("pg_class").where({ relname: "promotions" }).first<{ reltuples: number }>())
        .reltuples;
    await expect.poll(estimate, { timeout: 20_000 }).toBeGreaterThan(numCodes * 0.9);
    const expected = numCodes / codeAlphabet.length;
    for (const place of counts) {
      expect([...place.keys()].sort().join("")).toBe(codeAlphabet);
      const chiSquared = [...place.values()].reduce(
        (sum, count) => sum + (count - expected) ** 2 / expected,
        0,
      );
      // 30 degrees of freedom: beyond this once in a million runs of the twelve places.
      expect(chiSquared).toBeLessThan(87);
    }
  });

  test("come in one order, from any place on, and none of another generation", async () => {
    const made = await Promise.all([create({ numCodes: 10_500 }), create({ numCodes: 11_500 })]);
    for (const { id } of made) {
      const stored = await codesOf(id);
      const packed = packedCodes(id, stored.length);
      for (const place of [10_400, 3, stored.length - 1]) {
        await packed.load(place, place + 1);
        expect(packed.at(place)).toBe(stored[place]);
      }
      await packed.load(0, stored.length);
      expect(stored.map((_, place) => packed.at(place))).toEqual(stored);
    }
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
    const { id } = await create({ numCodes: 5 }, { random });
    const codes = await codesOf(id);
    expect(codes).toHaveLength(5);
    expect(new Set(codes).size).toBe(5);
    expect(codes).toContain(fresh);
    expect(codes).not.toContain(taken);
    expect(codes).not.toContain(deleted);
  });

  test("of a random source that repeats itself are not waited for", async () => {
    const random = (size: number) => new Uint8Array(size).fill(7);
    await insertPromotion({ code: codeAlphabet[7]!.repeat(12) });
    const before = await rowCounts();
    await expect(create({ numCodes: 1 }, { random })).rejects.toThrow("random source is broken");
    expect(await rowCounts()).toEqual(before);
  });
});

describe("nothing is created", () => {
  test("with a machine that is unknown or deleted, and the sentence names it", async () => {
    const [known, deleted] = [await insertMachine(), await insertMachine({ is_deleted: true })];
    const machines = [known.serial_number, deleted.serial_number, "nowhere"];
    const before = await rowCounts();
    await expect(create({ machines }, { idempotencyKey: "k" })).rejects.toMatchObject({
      reason: "invalid",
      fields: {
        machines: `Not available: ${deleted.serial_number}, nowhere. Nothing was created.`,
      },
    });
    expect(await rowCounts()).toEqual(before);

    const corrected = { machines: [known.serial_number] };
    expect((await create(corrected, { idempotencyKey: "k" })).wasReplayed).toBe(false);
  });

  test("with a date that has passed by the database's clock", async () => {
    const before = await rowCounts();
    await expect(create({ expirationDate: "2020-01-01" })).rejects.toMatchObject({
      reason: "invalid",
      fields: { expiration_date: "Date cannot be in the past" },
    });
    expect(await rowCounts()).toEqual(before);
  });

  test("with more codes than MAX_CODES", async () => {
    const before = await rowCounts();
    await expect(create({ numCodes: 100_001 })).rejects.toMatchObject({
      reason: "invalid",
      fields: { num_codes: "Number of codes cannot exceed 100,000" },
    });
    expect(await rowCounts()).toEqual(before);
  });

  test.each([
    [
      "its source fails",
      (): Uint8Array => {
        throw new Error("no entropy");
      },
      "no entropy",
    ],
    [
      "its client leaves",
      (size: number, leave: () => void) => (leave(), randomBytes(size)),
      "left",
    ],
  ])("when %s in the middle", async (_when, source, sentence) => {
    const before = await rowCounts();
    const leaving = new AbortController();
    let bytes = 0;
    const random = (size: number) =>
      (bytes += size) < 150_000
        ? randomBytes(size)
        : source(size, () => leaving.abort(new Error("left")));
    const creating = create(
      { numCodes: 25_000 },
      { random, idempotencyKey: "broken", signal: leaving.signal },
    );
    await expect(creating).rejects.toThrow(sentence);
    expect(bytes).toBeGreaterThan(150_000);
    expect(await rowCounts()).toEqual(before);
    expect((await create({ numCodes: 60 }, { idempotencyKey: "broken" })).wasReplayed).toBe(false);
  });
});

test("many at once leave connections to others", async () => {
  const holder = await db().transaction();
  await holder.raw("lock table promotions in access exclusive mode");
  const all = Promise.all(Array.from({ length: 12 }, () => create({ numCodes: 10 })));
  // Three wait for the lock; that this can be asked shows that connections are left.
  const waiting = () =>
    db()
      .raw<{ rows: { count: number }[] }>(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .then(({ rows }) => rows[0]!.count);
  await expect.poll(waiting, { timeout: 30_000 }).toBe(3);
  await holder.rollback();
  expect(new Set((await all).map(({ id }) => id)).size).toBe(12);
});

describe("the same key", () => {
  test("gives the same generation, sent several times at once or later", async () => {
    const options = { idempotencyKey: "double" };
    const before = await rowCounts();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create({ numCodes: 12_000 }, options)),
    );
    answers.push(await create({ numCodes: 12_000 }, options));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ wasReplayed }) => !wasReplayed)).toHaveLength(1);
    expect(Number((await rowCounts()).promotions) - Number(before.promotions)).toBe(12_000);
  });

  test("waits for the first request, however long that takes", async () => {
    const options = { idempotencyKey: "slow" };
    const holder = await db().transaction();
    await holder.raw("lock table promotions in access exclusive mode");
    const first = create({}, options);
    const second = create({}, options);
    // Longer than the lock_timeout of other requests.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await holder.rollback();
    const [one, two] = await Promise.all([first, second]);
    expect(one.id).toBe(two.id);
  });

  test("with other values is a conflict", async () => {
    const options = { idempotencyKey: "reused" };
    await create({ numCodes: 3 }, options);
    const before = await rowCounts();
    await expect(create({ numCodes: 4 }, options)).rejects.toMatchObject({ reason: "conflict" });
    expect(await rowCounts()).toEqual(before);
  });
});
