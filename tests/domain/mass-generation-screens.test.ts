import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { toGenerationView } from "../../app/features/mass-generations/mass-generation-view";
import {
  getGenerationDetails,
  listGenerationCodes,
} from "../../app/features/mass-generations/generation-details.server";
import { generationHistory } from "../../app/features/activity/audit-log.server";
import { deleteMassGeneration } from "../factories/lifecycle";
import { assign } from "../factories/assignments";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertCodes, insertGeneration } from "../factories/promotions";
import { useDatabase } from "../support/postgres";

/** Queries of the screens of mass generations. */
useDatabase();

const past = new Date("2026-01-01T00:00:00Z");

describe("the outcome of a generation", () => {
  test("counts every code once, by its status now, and those that were used", async () => {
    const id = await insertGeneration({ num_codes: 10, is_single_use: true, is_assigned: true });
    const live = { is_single_use: true, is_assigned: true };
    await insertCodes(id, 3, live);
    await insertCodes(id, 2, { ...live, period_uses: 1, activation_count: 1 });
    await insertCodes(id, 1, { ...live, is_active: false });
    await insertCodes(id, 1, { ...live, expires_at: past, activation_count: 1 });
    await insertCodes(id, 1, { ...live, has_own_set: true, is_assigned: false });
    await insertCodes(id, 2, { ...live, is_deleted: true, activation_count: 1, period_uses: 1 });
    // Codes of others are not counted.
    await insertCodes(await insertGeneration({ num_codes: 4 }), 4, { activation_count: 7 });

    expect(await getGenerationDetails(id)).toMatchObject({
      status: "active",
      used: 5,
      uses: 5,
      ownExpirations: 1,
      byStatus: [
        { status: "active", codes: 3 },
        { status: "not_assigned", codes: 1 },
        { status: "used_up", codes: 2 },
        { status: "expired", codes: 1 },
        { status: "inactive", codes: 1 },
        { status: "deleted", codes: 2 },
      ],
    });
  });

  test("counts uses of codes that are used again and again", async () => {
    const id = await insertGeneration({ num_codes: 2 });
    await insertCodes(id, 1, { activation_count: 40 });
    await insertCodes(id, 1, { activation_count: 2 });
    expect(await getGenerationDetails(id)).toMatchObject({ used: 2, uses: 42 });
  });

  type Row = Record<string, unknown>;
  test.each<[string, Row, Row, string, string[]]>([
    [
      "an expired one has a code that is valid longer",
      { expires_at: past },
      {},
      "active",
      ["1 active", "2 expired"],
    ],
    ["all codes of a live one are inactive", {}, { is_active: false }, "inactive", ["3 inactive"]],
    ["it is inactive as a whole", { is_active: false }, {}, "inactive", ["3 inactive"]],
    ["its codes still wait for its deletion", { is_deleted: true }, {}, "deleted", ["3 deleted"]],
  ])("agrees with redemption when %s", async (_, generation, code, status, numbers) => {
    const id = await insertGeneration({ num_codes: 3, is_assigned: true, ...generation });
    const own = "expires_at" in generation && { expires_at: new Date("2099-01-01T00:00:00Z") };
    await insertCodes(id, 1, { ...code, ...own });
    await insertCodes(id, 2, code);
    const { generation: row, ...outcome } = await getGenerationDetails(id);
    const view = toGenerationView({ ...row, ...outcome }, "Europe/Berlin");
    expect(view.status).toBe(status);
    expect(view.byStatus.map(({ text }) => text)).toEqual(numbers);
  });
});

test("a generation is shown with who made it, its machines and what it says of itself", async () => {
  const { id: userId } = await insertUser({ email: "maker@example.com" });
  const kept = await insertMachine({ serial_number: "G-1", human_name: "Lobby" });
  const gone = await insertMachine({
    serial_number: "G-2",
    human_name: "Cellar",
    is_deleted: true,
  });
  const id = await insertGeneration({ created_by: userId, is_renewable: true, is_assigned: true });
  await insertCodes(id, 1, { is_renewable: true, is_assigned: true });
  await assign("mass_generations", id, { machine_id: gone.id }, { machine_id: kept.id });
  const { generation, status, machines, groups } = await getGenerationDetails(id);
  expect([generation.createdBy, status]).toEqual(["maker@example.com", "active"]);
  // The first of a month, 00:00 in Berlin.
  expect(generation.renewsAt!.toISOString()).toMatch(/^\d{4}-\d\d-(3[01]|2[89])T2[23]:00:00/);
  expect(machines).toEqual([
    { serialNumber: "G-1", humanName: "Lobby", isDeleted: false },
    { serialNumber: "G-2", humanName: "Cellar", isDeleted: true },
  ]);
  expect(groups).toEqual([]);
});

test.each(["x", "0", "999999", "1; drop table users", "9".repeat(30)])(
  "there is no generation %j",
  async (id) => {
    await expect(getGenerationDetails(id)).rejects.toMatchObject({
      reason: "not_found",
      message: "Error: Campaign not found",
    });
  },
);

describe("the codes of a generation", () => {
  let id = "";
  let made: string[] = [];
  beforeAll(async () => {
    id = await insertMassGeneration({ num_codes: 53 });
    made = await codesOf(id);
    const deleted = { is_deleted: true, deleted_at: new Date(), is_active: false };
    await db()("promotions").whereIn("id", made.slice(51)).update(deleted);
  });
  const read = (query: Partial<Parameters<typeof listGenerationCodes>[1]>) =>
    listGenerationCodes(
      { id, numCodes: 53 },
      { page: 1, perPage: 25, after: null, before: null, ...query },
    );
  const idsOf = (page: { rows: { id: string }[] }) => page.rows.map((code) => code.id);

  test("come in the order they were made in, each once, deleted ones too", async () => {
    const first = await read({});
    const second = await read({ page: 2, after: first.next });
    const third = await read({ page: 3, after: second.next });
    expect([first, second, third].flatMap(idsOf)).toEqual(made);
    expect([first.previous, third.next]).toEqual([null, null]);
    expect(third.rows.map((code) => code.status)).toEqual(["not_assigned", "deleted", "deleted"]);
    const back = await read({ page: 2, before: third.previous });
    expect(back).toEqual(second);
    expect(await read({ page: 1, before: back.previous })).toEqual(first);
  });

  test("are the same by page number", async () => {
    expect(idsOf(await read({ page: 2 }))).toEqual(made.slice(25, 50));
    expect(await read({ page: 400 })).toEqual(await read({ page: 3 }));
  });

  test("behind a cursor that has nothing behind it are the page's own", async () => {
    expect(idsOf(await read({ page: 2, after: "9223372036854775807" }))).toEqual(
      made.slice(25, 50),
    );
    expect(idsOf(await read({ page: 1, before: "1" }))).toEqual(made.slice(0, 25));
  });
});

test("its history is what was done to the generation as a whole", async () => {
  const { id: userId } = await insertUser({ email: "deleter@example.com" });
  const id = await insertGeneration({ num_codes: 2 });
  await insertCodes(id, 2);
  const actor = { id: userId, email: "deleter@example.com" };
  await deleteMassGeneration(id, { actor });
  expect(await generationHistory(id)).toMatchObject([
    {
      actor: "deleter@example.com",
      action: "Deleted (2 codes)",
      changes: ["Deleted: no → yes"],
    },
  ]);
});
