import { beforeEach, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { generationHistory } from "../../app/features/activity/audit-log.server";
import { insertCodes as addGeneratedCodes } from "../../app/features/mass-generations/insert-codes.server";
import type { BulkValues } from "../../app/features/promotions/lifecycle/bulk-form";
import {
  type LifecycleAction,
  parseSelection,
} from "../../app/features/promotions/lifecycle/bulk-actions";
import { findBulk, prepareBulk } from "../../app/features/promotions/lifecycle/bulk-actions.server";
import { mayReactivate } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { assignmentsOf, findWrongSets } from "../factories/assignments";
import { confirmBulk, previewBulk } from "../factories/bulk";
import { insertGroup } from "../factories/machine-groups";
import { insertActor, insertMachine, insertUser } from "../factories/people-and-machines";
import { insertCodes, insertGeneration, insertPromotion } from "../factories/promotions";
import { countSessions } from "../support/database-sessions";
import { useDatabase } from "../support/postgres";
import { ago, rowById } from "../factories/rows";

useDatabase({ isOwner: true });

let actor: { id: string; email: string; role: "admin" | "user" };

beforeEach(async () => {
  await db().raw("truncate promotions, mass_generations, assignment_sets, machines cascade");
  actor = await insertActor("admin");
});

const selection = (query: string | string[]) =>
  parseSelection(
    new URLSearchParams(
      typeof query === "string"
        ? `all=true&${query}`
        : query.map((id) => ["ids", id] as [string, string]),
    ),
    actor,
  )!.selection;

const prepare = (action: LifecycleAction, query: string | string[]) =>
  prepareBulk(action, selection(query), actor);
const confirm = (id: string, values: Partial<BulkValues> = {}) =>
  confirmBulk(id, values, { actor });

async function apply(
  action: LifecycleAction,
  query: string | string[],
  values?: Partial<BulkValues>,
) {
  return confirm(await prepare(action, query), values);
}

const preview = (action: LifecycleAction, query: string | string[]) =>
  previewBulk(action, selection(query));

async function generation(codes: number, row: Record<string, unknown> = {}) {
  const id = await insertGeneration({ num_codes: codes });
  return { id, ids: await insertCodes(id, codes, row) };
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
    const before = await preview("deactivate", [live, off, gone]);
    const result = await apply("deactivate", [live, off, gone, "999999"]);
    expect(result).toMatchObject({ codes: 1, singles: 1, generations: 0 });
    expect(result).toMatchObject(before);
    expect(result.refusals.reasons).toEqual([
      { reason: "It is already inactive.", count: 1 },
      { reason: "It is deleted.", count: 1 },
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
      "It has no expiration date.",
      "It already expires on that day or later.",
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
    const before = await preview("delete", [single, ids[2]!]);
    expect(before).toMatchObject({ codes: 6, singles: 1, generations: 1, generationCodes: 5 });
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

  test("reactivate, though not codes of an inactive generation", async () => {
    const single = await insertPromotion({ is_active: false });
    const { id, ids } = await generation(2);
    await rowById("mass_generations", id).update({ is_active: false });
    const result = await apply("reactivate", [single, ids[0]!]);
    expect(result.codes).toBe(1);
    expect(result.refusals.reasons).toEqual([{ reason: "Its campaign is inactive.", count: 1 }]);
    expect(await where("not is_active")).toEqual([]);
  });

  test("reactivate all codes of an inactive generation with the generation", async () => {
    const { id, ids } = await generation(2, { is_active: false });
    await rowById("mass_generations", id).update({ is_active: false });
    const result = await apply("reactivate", ids);
    expect(result).toMatchObject({ codes: 2, generations: 1, refusals: { reasons: [] } });
    expect(await where("not is_active")).toEqual([]);
    expect(await db()("mass_generations").where({ id, is_active: true })).toHaveLength(1);
  });

  test("restore and reactivate are for admins", async () => {
    const id = await insertPromotion({ is_deleted: true });
    const prepared = await prepare("restore", [id]);
    actor.role = "user";
    for (const action of ["restore", "reactivate"] as const)
      await expect(apply(action, [id])).rejects.toMatchObject({ reason: "forbidden" });
    await expect(confirm(prepared)).rejects.toMatchObject({ reason: "forbidden" });
    expect(await where("is_deleted")).toEqual([id]);
  });

  test("appears in the history of each mass generation, with one audit row", async () => {
    const [one, other, third] = [await generation(3), await generation(2), await generation(1)];
    await apply("deactivate", [...one.ids.slice(0, 2), ...other.ids, await insertPromotion()]);
    const historyOf = async ({ id }: { id: string }) =>
      (await generationHistory(id)).map(({ action }) => action);
    expect(await historyOf(one)).toEqual(["Deactivated (2 codes in a bulk action)"]);
    expect(await historyOf(other)).toEqual(["Deactivated (2 codes in a bulk action)"]);
    expect(await historyOf(third)).toEqual([]);
    expect(await db()("audit_log").where({ actor_id: actor.id })).toHaveLength(1);
  });
});

describe("all codes of a mass generation", () => {
  const rowOf = async (id: string) =>
    (await rowById("mass_generations", id).first<Record<string, unknown>>())!;
  const endOf = (day: string) => new Date(`${day}T23:00:00Z`);
  const ending = async (day: string, row: Record<string, unknown> = {}) => {
    const expires_at = endOf(day);
    const made = await generation(2, { expires_at, has_own_expiration: false, ...row });
    await rowById("mass_generations", made.id).update({ expires_at });
    return made;
  };

  test("are deactivated with the generation, which whoever did it may undo", async () => {
    const { id, ids } = await generation(3);
    await rowById("promotions", ids[0]).update({ is_active: false });
    actor.role = "user";
    expect(await apply("deactivate", ids)).toMatchObject({ codes: 2, generations: 1 });
    expect(await rowOf(id)).toMatchObject({ is_active: false });
    const events = db()("recorded_events").where({ subject: `mass_generation:${id}` });
    expect(await events.pluck("type")).toContain("campaign.deactivated");
    expect(await mayReactivate({ type: "mass_generation", id }, actor)).toBe(true);
    const other = { ...(await insertUser()), role: "user" as const };
    expect(await mayReactivate({ type: "mass_generation", id }, other)).toBe(false);
  });

  test("are extended with the generation, and keep none of their own dates", async () => {
    const { id, ids } = await ending("2098-12-31");
    const result = await apply("extend", ids, { expirationDate: "2099-12-31" });
    expect(result).toMatchObject({ codes: 2, generations: 1 });
    expect(await rowOf(id)).toMatchObject({ expires_at: endOf("2099-12-31") });
    expect(await where("not has_own_expiration and expires_at = '2099-12-31T23:00Z'")).toEqual(ids);
  });

  test("never make the generation end earlier", async () => {
    const { id, ids } = await ending("2099-12-31");
    expect(await apply("extend", ids, { expirationDate: "2098-12-31" })).toMatchObject({
      codes: 0,
    });
    expect(await rowOf(id)).toMatchObject({ expires_at: endOf("2099-12-31"), version: 1 });
  });

  test("can be extended though each has a date of its own", async () => {
    const { ids } = await ending("2098-12-31", { has_own_expiration: true });
    const result = await apply("extend", ids, { expirationDate: "2099-12-31" });
    expect(result).toMatchObject({ codes: 2, refusals: { reasons: [] } });
  });

  test("leave the generation as it is if only a part is selected, or codes are added before the confirmation", async () => {
    const [part, added] = [await generation(3), await generation(2)];
    const prepared = await prepare("deactivate", [...part.ids.slice(1), ...added.ids]);
    await rowById("mass_generations", added.id).update({ num_codes: 3 });
    const [late] = await insertCodes(added.id, 1);
    expect(await confirm(prepared)).toMatchObject({ codes: 4 });
    expect(await where("is_active")).toEqual([part.ids[0], late]);
    expect(await rowOf(part.id)).toMatchObject({ is_active: true });
    expect(await rowOf(added.id)).toMatchObject({ is_active: true });
  });

  test("are deleted with those that are being added meanwhile", async () => {
    const { id, ids } = await generation(2);
    const adding = await db().transaction();
    await adding("mass_generations").where({ id }).update({ num_codes: 3 });
    await addGeneratedCodes(adding, id, { count: 1 }, {});
    const deleting = apply("delete", [ids[0]!]);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await adding.commit();
    expect(await deleting).toMatchObject({ codes: 3 });
    expect(await where("not is_deleted")).toEqual([]);
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
    expect(await apply("assign", [ids[0]!], { machines: ["A"] })).toMatchObject({ codes: 1 });
    const both = await apply("assign", ids, { machines: ["A", "B"] });
    expect(both.codes).toBe(2);
    expect((await apply("assign", ids, { machines: ["A"] })).refusals.reasons).toEqual([
      { reason: "It is already assigned to these.", count: 2 },
    ]);
    for (const id of ids) expect(await machinesOf(id)).toEqual(["A", "B"]);
    expect(await where(assigned)).toEqual(ids);

    await apply("unassign", [ids[0]!], { machines: ["B", "A"] });
    const again = await apply("unassign", ids, { machines: ["A"] });
    expect(again.codes).toBe(1);
    expect(await machinesOf(ids[0]!)).toEqual([]);
    expect(await machinesOf(ids[1]!)).toEqual(["B"]);
    expect(await where(assigned)).toEqual([ids[1]]);
  });

  test("and groups are added and removed together", async () => {
    const ids = [await insertPromotion(), await insertPromotion()];
    const group = await insertGroup();
    const both = { machines: ["A"], groups: [group] };
    expect(await apply("assign", ids, both)).toMatchObject({ codes: 2 });
    expect(await audited()).toMatchObject({ action: "promotion.machines_and_groups_added" });
    expect((await apply("assign", ids, { groups: [group] })).codes).toBe(0);
    expect(await apply("unassign", ids, { groups: [group] })).toMatchObject({ codes: 2 });
    expect(await apply("unassign", ids, both)).toMatchObject({ codes: 2 });
    expect(await where(assigned)).toEqual([]);
    await expect(apply("assign", ids, { groups: ["999999"] })).rejects.toMatchObject({
      fields: { groups: "A chosen group no longer exists. Nothing was changed." },
    });
  });

  test("stay the generation's if all its codes are selected, and become the codes' own otherwise", async () => {
    const { id, ids } = await generation(4);
    await apply("assign", `mass_generation_id=${id}`, { machines: ["A"] });
    expect(await where(edited)).toEqual([]);
    expect(await where(assigned)).toEqual(ids);
    expect(await db()("assignments")).toHaveLength(1);

    await apply("assign", ids.slice(0, 2), { machines: ["B"] });
    expect(await where(edited)).toEqual(ids.slice(0, 2));
    expect(await machinesOf(ids[0]!)).toEqual(["A", "B"]);
    expect(await machinesOf(ids[3]!)).toEqual(["A"]);

    await apply("unassign", ids, { machines: ["A"] });
    expect(await machinesOf(ids[0]!)).toEqual(["B"]);
    expect(await machinesOf(ids[3]!)).toEqual([]);
    expect(await where(assigned)).toEqual(ids.slice(0, 2));
    expect(await assignmentsOf("mass_generations", id)).toEqual([]);
    expect(await findWrongSets()).toEqual([]);
  });

  test("are added to a whole generation of any size, but not to codes that would get 2,500,000 assignments of their own", async () => {
    const id = await insertGeneration({ num_codes: 2_502 });
    await db().raw(
      `insert into promotions (code, mass_generation_id, name, discount_type, discount_value, is_single_use,
         is_renewable, is_active, set_id)
       select 'MANY2345' || n, g.id, g.name, g.discount_type, g.discount_value, false, false, n > 10000, g.set_id
       from mass_generations g, generate_series(10000, 12501) n where g.id = :id`,
      { id },
    );
    await db().raw(
      "insert into machines (serial_number, human_name) select n, 'Lobby' from generate_series(1, 1000) n",
    );
    const machines = Array.from({ length: 1_000 }, (_, index) => `${index + 1}`);

    await expect(apply("assign", "status=not_assigned", { machines })).rejects.toMatchObject({
      fields: { machines: expect.stringContaining("This is too much for one action") as string },
    });
    expect(await where(edited)).toEqual([]);
    const whole = `mass_generation_id=${id}`;
    expect(await apply("assign", whole, { machines })).toMatchObject({ codes: 2_502 });
    expect(await assignmentsOf("mass_generations", id)).toHaveLength(1_000);
    expect(await apply("unassign", whole, { machines })).toMatchObject({ codes: 2_502 });
    expect(await where(assigned)).toEqual([]);
  });

  test("that are unknown or deleted are refused with nothing changed", async () => {
    const id = await insertPromotion();
    for (const serial of ["NOWHERE", "GONE"])
      await expect(apply("assign", [id], { machines: ["A", serial] })).rejects.toMatchObject({
        reason: "invalid",
        message: `Not available: ${serial}. Nothing was changed.`,
      });
    expect(await machinesOf(id)).toEqual([]);
  });
});

describe("a bulk action", () => {
  test("changes exactly the codes that its confirmation counted", async () => {
    const first = await insertPromotion({ name: "Autumn" });
    const off = await insertPromotion({ name: "Autumn off" });
    const id = await prepare("delete", "text=autumn");
    expect((await findBulk(actor.id, id)).outcome).toMatchObject({ codes: 2 });
    const late = await insertPromotion({ name: "Late autumn" });
    await apply("delete", [off]);
    const result = await confirm(id);
    expect(result).toMatchObject({ codes: 1, singles: 1 });
    expect(result.refusals.shown).toMatchObject([{ id: off, reason: "It is already deleted." }]);
    expect(await where("is_deleted")).toEqual([first, off]);
    expect(await where("not is_deleted")).toEqual([late]);
  });

  test("names the first ten codes", async () => {
    const ids = [];
    for (let made = 1; made <= 12; made++) ids.push(await insertPromotion({ name: `No. ${made}` }));
    const { named } = await preview("deactivate", ids);
    expect(named.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(named[0]).toMatchObject({ name: "No. 1" });
  });

  test("names a mass generation of more than ten codes once, before single codes", async () => {
    const generation = await insertGeneration({ name: "Fair", num_codes: 11 });
    const single = await insertPromotion({ name: "Single" });
    const ids = await insertCodes(generation, 11);
    const { named } = await preview("deactivate", [single, ...ids]);
    expect(named).toEqual([
      { id: generation, name: "Fair", code: null, codes: 11 },
      { id: single, name: "Single", code: expect.any(String) as string, codes: null },
    ]);
    expect((await preview("deactivate", ids.slice(0, 2))).named.map(({ id }) => id)).toEqual(
      ids.slice(0, 2),
    );
  });

  test("is done once, however often it is confirmed", async () => {
    const ids = [await insertPromotion(), await insertPromotion()];
    const id = await prepare("deactivate", ids);
    const [one, two] = await Promise.all([confirm(id), confirm(id)]);
    expect(one).toEqual(two);
    expect(one.codes).toBe(2);
    expect(await db()("audit_log").where({ actor_id: actor.id })).toHaveLength(1);
  });

  test("is found and confirmed by its user alone", async () => {
    const code = await insertPromotion();
    const id = await prepare("delete", [code]);
    const other = { ...(await insertUser()), role: "admin" as const };
    await expect(findBulk(other.id, id)).rejects.toMatchObject({ reason: "not_found" });
    await expect(confirmBulk(id, {}, { actor: other })).rejects.toMatchObject({
      reason: "not_found",
    });
    expect(await where("is_deleted")).toEqual([]);
  });

  test("is kept for a day, and ten of a user", async () => {
    const code = await insertPromotion();
    const old = await prepare("delete", [code]);
    await rowById("lifecycle_operations", old).update({ created_at: ago("25 hours") });
    await expect(confirmBulk(old, {}, { actor })).rejects.toMatchObject({ reason: "not_found" });
    const ids = [];
    for (let made = 0; made < 11; made++) ids.push(await prepare("delete", [code]));
    const kept = await db()("lifecycle_operations").where({ actor_id: actor.id }).pluck("id");
    expect(kept.sort()).toEqual(ids.slice(1).sort());
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
