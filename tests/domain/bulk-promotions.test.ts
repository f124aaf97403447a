import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  type BulkAction,
  parseSelection,
} from "../../app/features/promotions/lifecycle/bulk-actions";
import {
  applyBulk,
  findBulkResult,
  previewBulk,
} from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { assignmentsOf, findWrongSets } from "../factories/assignments";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";

useDatabase();

let actor: { id: string; email: string; role: string };
let key = 0;

beforeEach(async () => {
  await db().raw("truncate promotions, mass_generations, assignment_sets, machines cascade");
  actor = { ...(await insertUser()), role: "admin" };
});

const selection = (query: string | string[]) =>
  parseSelection(
    new URLSearchParams(
      typeof query === "string"
        ? `all=true&${query}`
        : query.map((id) => ["ids", id] as [string, string]),
    ),
  )!.selection;

function apply(
  action: BulkAction,
  query: string | string[],
  values: { expirationDate?: string; machines?: string[] } = {},
  idempotencyKey = `key-${key++}`,
) {
  return applyBulk(
    action,
    selection(query),
    { expirationDate: null, machines: [], ...values },
    { actor, idempotencyKey, expected: null },
  );
}

async function generation(codes: number, row: Record<string, unknown> = {}) {
  const [made] = await db()("mass_generations")
    .insert({
      name: "Festival",
      num_codes: codes,
      discount_type: "percentage",
      discount_value: 25,
      is_single_use: false,
      is_renewable: false,
    })
    .returning<{ id: string }[]>("id");
  const ids: string[] = [];
  for (let i = 0; i < codes; i++) {
    const shared = { mass_generation_id: made!.id, has_own_set: false };
    ids.push(await insertPromotion({ ...shared, ...row }));
  }
  return { id: made!.id, ids };
}

const where = (condition: string) =>
  db()
    .raw<{ rows: { id: string }[] }>(`select id from promotions where ${condition} order by id`)
    .then(({ rows }) => rows.map((row) => row.id));

const assigned = "set_id in (select id from assignment_sets where is_assigned)";
/** Codes that were edited alone. */
const edited = "set_id not in (select set_id from mass_generations)";

const audited = () =>
  db()("audit_log")
    .orderBy("id", "desc")
    .first<{ action: string; subject_ids: string[]; covered: number; actor_id: string }>();

describe("what is done, and why the rest is not", () => {
  test("deactivate", async () => {
    const [live, off, gone] = [
      await insertPromotion(),
      await insertPromotion({ is_active: false }),
      await insertPromotion({ is_deleted: true }),
    ];
    const preview = await previewBulk("deactivate", selection([live, off, gone]));
    const result = await apply("deactivate", [live, off, gone, "999999"]);
    expect(result).toMatchObject({ codes: 1, singles: 1, generations: 0 });
    expect(result).toMatchObject(preview);
    expect(result.refusals.reasons).toEqual([
      { reason: "It is deleted.", count: 1 },
      { reason: "It is inactive already.", count: 1 },
    ]);
    expect(result.refusals.shown.map(({ id }) => id)).toEqual([off, gone]);
    expect(await where("not is_active and version = 2")).toEqual([live]);
    expect(await audited()).toMatchObject({
      action: "promotion.deactivated",
      subject_ids: [live],
      covered: 1,
      actor_id: actor.id,
    });
  });

  test("extend expiry moves only what ends earlier, to the end of the day", async () => {
    const early = await insertPromotion({ expires_at: new Date("2027-01-01T00:00:00Z") });
    const rest = [
      await insertPromotion({ is_renewable: true }),
      await insertPromotion(),
      await insertPromotion({ expires_at: new Date("2099-12-31T23:00:00Z") }),
    ];
    const result = await apply("extend", [early, ...rest], { expirationDate: "2099-12-31" });
    expect(result.codes).toBe(1);
    expect(result.refusals.shown.map(({ reason }) => reason)).toEqual([
      "A renewable code has no expiration date.",
      "It has no expiration date: it is valid without end.",
      "It is valid as long already.",
    ]);
    expect(await where("expires_at = '2099-12-31T23:00:00Z'")).toEqual([early, rest[2]]);
  });

  test("extend expiry never goes into the past", async () => {
    const id = await insertPromotion({ expires_at: new Date("2020-01-01T00:00:00Z") });
    await expect(apply("extend", [id], { expirationDate: "2021-01-01" })).rejects.toMatchObject({
      fields: { expiration_date: "Date cannot be in the past" },
    });
  });

  test("delete takes whole generations, and the count before says so", async () => {
    const single = await insertPromotion();
    const { id, ids } = await generation(5);
    await generation(3);
    const preview = await previewBulk("delete", selection([single, ids[2]!]));
    expect(preview).toMatchObject({ codes: 6, singles: 1, generations: 1, generationCodes: 5 });
    const result = await apply("delete", [single, ids[2]!]);
    expect(result).toMatchObject({ codes: 6, singles: 1, generations: 1, generationCodes: 5 });
    expect(await where("is_deleted and deleted_at is not null")).toEqual([single, ...ids]);
    expect(await db()("mass_generations").where({ is_deleted: true }).pluck("id")).toEqual([id]);
    expect((await audited())!.subject_ids).toEqual([single, ...ids]);

    const restored = await apply("restore", [ids[0]!, single]);
    expect(restored).toMatchObject({ codes: 6, generations: 1 });
    expect(await where("is_deleted")).toEqual([]);
    expect(await db()("mass_generations").where({ is_deleted: true })).toEqual([]);
  });

  test("restore is for admins", async () => {
    const id = await insertPromotion({ is_deleted: true });
    actor.role = "user";
    await expect(apply("restore", [id])).rejects.toMatchObject({ reason: "forbidden" });
    expect(await where("is_deleted")).toEqual([id]);
  });
});

describe("machines", () => {
  const machinesOf = async (id: string) => {
    const { rows } = await db().raw<{ rows: { serial_number: string }[] }>(
      `select m.serial_number from promotions p join assignments a using (set_id)
         join machines m on m.id = a.machine_id where p.id = :id order by 1`,
      { id },
    );
    return rows.map((row) => row.serial_number);
  };
  beforeEach(async () => {
    for (const serial of ["A", "B"]) await insertMachine({ serial_number: serial });
    await insertMachine({ serial_number: "GONE", is_deleted: true });
  });

  test("are added once and removed again", async () => {
    const ids = [await insertPromotion(), await insertPromotion()];
    expect(await apply("add-machines", [ids[0]!], { machines: ["A"] })).toMatchObject({ codes: 1 });
    const both = await apply("add-machines", ids, { machines: ["A", "B"] });
    expect(both.codes).toBe(2);
    expect((await apply("add-machines", ids, { machines: ["A"] })).refusals.reasons).toEqual([
      { reason: "It has these machines already.", count: 2 },
    ]);
    for (const id of ids) expect(await machinesOf(id)).toEqual(["A", "B"]);
    expect(await where(assigned)).toEqual(ids);

    await apply("remove-machines", [ids[0]!], { machines: ["B", "A"] });
    const again = await apply("remove-machines", ids, { machines: ["A"] });
    expect(again.codes).toBe(1);
    expect(await machinesOf(ids[0]!)).toEqual([]);
    expect(await machinesOf(ids[1]!)).toEqual(["B"]);
    expect(await where(assigned)).toEqual([ids[1]]);
  });

  test("of a whole generation stay the generation's; of a part become the codes' own", async () => {
    const { id, ids } = await generation(4);
    await apply("add-machines", `mass_generation_id=${id}`, { machines: ["A"] });
    expect(await where(edited)).toEqual([]);
    expect(await where(assigned)).toEqual(ids);
    expect(await db()("assignments")).toHaveLength(1);

    await apply("add-machines", ids.slice(0, 2), { machines: ["B"] });
    expect(await where(edited)).toEqual(ids.slice(0, 2));
    expect(await machinesOf(ids[0]!)).toEqual(["A", "B"]);
    expect(await machinesOf(ids[3]!)).toEqual(["A"]);

    await apply("remove-machines", ids, { machines: ["A"] });
    expect(await machinesOf(ids[0]!)).toEqual(["B"]);
    expect(await machinesOf(ids[3]!)).toEqual([]);
    expect(await where(assigned)).toEqual(ids.slice(0, 2));
    expect(await assignmentsOf("mass_generations", id)).toEqual([]);
    expect(await findWrongSets()).toEqual([]);
  });

  test("that are unknown or deleted are refused with nothing changed", async () => {
    const id = await insertPromotion();
    for (const serial of ["NOWHERE", "GONE"])
      await expect(apply("add-machines", [id], { machines: ["A", serial] })).rejects.toMatchObject({
        reason: "invalid",
        message: `Not available: ${serial}. Nothing was changed.`,
      });
    expect(await machinesOf(id)).toEqual([]);
  });
});

describe("as one request", () => {
  test("'all that match' is what matches when it is done", async () => {
    const first = await insertPromotion({ name: "Autumn" });
    expect((await previewBulk("delete", selection("text=autumn"))).codes).toBe(1);
    const second = await insertPromotion({ name: "Late autumn" });
    await insertPromotion();
    const result = await applyBulk(
      "delete",
      selection("text=autumn"),
      { expirationDate: null, machines: [] },
      { actor, idempotencyKey: "all", expected: 1 },
    );
    expect(result).toMatchObject({ codes: 2, expected: 1 });
    expect(await where("is_deleted")).toEqual([first, second]);
    expect(await findBulkResult(actor.id, "all")).toEqual(result);
    expect(await findBulkResult((await insertUser()).id, "all")).toBeNull();
  });

  test("sent twice at once it is done once; with other values it is refused", async () => {
    const ids = [await insertPromotion(), await insertPromotion()];
    const twice = () => apply("deactivate", ids, {}, "once");
    const [one, two] = await Promise.all([twice(), twice()]);
    expect(one).toEqual(two);
    expect(one.codes).toBe(2);
    expect(await db()("audit_log").where({ actor_id: actor.id })).toHaveLength(1);
    await expect(apply("delete", ids, {}, "once")).rejects.toMatchObject({ reason: "conflict" });
  });

  test("actions that cross each other neither wait for ever nor lose a code", async () => {
    const { ids } = await generation(20);
    const singles = await Promise.all(Array.from({ length: 20 }, () => insertPromotion()));
    const all = [...singles, ...ids];
    const outcomes = await Promise.allSettled([
      apply("delete", all.slice(0, 30)),
      apply("deactivate", [...all].reverse()),
      apply("delete", [...all].reverse().slice(0, 25)),
      apply("deactivate", all.slice(5)),
    ]);
    for (const outcome of outcomes) expect(outcome.status).toBe("fulfilled");
    expect(await where("is_deleted")).toEqual([...all].sort((a, b) => Number(a) - Number(b)));
  });
});
