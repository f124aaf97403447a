import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { describeUndo } from "../../app/features/imports/imports.server";
import { assign } from "../factories/assignments";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import {
  auditedActions,
  findMachine,
  useImportDatabase,
  useImports,
} from "../support/import-files";
import { inSoak } from "../support/repetitions";

const user = useImportDatabase();

describe("a file of machine groups", () => {
  const groups = useImports(user, { kind: "groups", heading: "group,machines,kind" });
  const group = (name: string) => db()("machine_groups").where({ name }).first();
  const membersOf = async (name: string) =>
    db()("machine_group_members as member")
      .join("machines as m", "m.id", "member.machine_id")
      .where({ group_id: (await group(name)).id })
      .orderBy("m.serial_number")
      .pluck("m.serial_number");

  beforeAll(async () => {
    for (const serial_number of ["G-1", "G-2", "G-3"]) await insertMachine({ serial_number });
  });

  it("names what is wrong with each row", async () => {
    await insertGroup([], { name: "Stations", kind: "site" });
    const lines = [
      ",G-1,",
      "North,G-9,",
      "North,G-1,villa",
      "stations,G-1,route",
      "South,G-1,",
      "SOUTH,G-1|G-2,",
      "West,G-1,site",
      "west,G-2,route",
    ];
    expect(await groups.wrongRowsOf(lines)).toEqual([
      "2: Name is required",
      "3: Not available: machine G-9",
      "4: Kind must be site, route, customer or other",
      "5: This group has another kind",
      "7: The same machine stands in line 6 for this group",
      "8: Other lines give this group another kind",
    ]);
  });

  it("creates groups and adds machines, and is undone but for groups in use by then", async () => {
    await insertGroup([(await findMachine("G-1")).id as string], { name: "Depot" });
    const lines = ["depot,G-1,", "Depot,G-2,", "East,G-1,route", "East,G-3,", "Lake,,customer"];
    const before = await auditedActions();
    const id = await groups.importAll(lines);
    expect((await auditedActions()).slice(before.length)).toEqual(["import.confirmed"]);
    expect((await groups.read(id)).outcome).toMatchObject({
      counts: { machine_groups: 2, members: 3, existing: 1 },
      named: [
        { name: "depot", note: "1 machine more" },
        { name: "East", note: "New, 2 machines" },
        { name: "Lake", note: "New, 0 machines" },
      ],
    });
    expect(await membersOf("Depot")).toEqual(["G-1", "G-2"]);
    expect(await group("East")).toMatchObject({ kind: "route" });

    const promotion = await insertPromotion();
    await assign("promotions", promotion, { group_id: (await group("East")).id as string });
    expect(await describeUndo({ id, kind: "groups" })).toContain(
      "deletes 1 group, and takes 1 machine out of groups",
    );
    const { outcome } = await groups.undo(id);
    expect(outcome!.stayed).toEqual({
      count: 1,
      named: [{ name: "East", reason: "Codes are assigned to it" }],
    });
    expect(await membersOf("Depot")).toEqual(["G-1"]);
    expect(await membersOf("East")).toEqual(["G-1", "G-3"]);
    expect(await group("Lake")).toBeUndefined();
  });

  it("leaves machines that redeemed since in the groups to which codes are assigned alone", async () => {
    for (const name of ["Assigned", "Spare"]) await insertGroup([], { name });
    const { id: group_id } = await group("Assigned");
    await assign("promotions", await insertPromotion(), { group_id: group_id as string });
    const id = await groups.importAll(["Assigned,G-2,", "Spare,G-2,"]);
    await db()("machines").where({ serial_number: "G-2" }).update({ last_qr_used_at: new Date() });
    const { outcome } = await groups.undo(id);
    const named = [{ name: "Assigned", reason: "Codes were redeemed at its new machines" }];
    expect(outcome!.stayed).toEqual({ count: 1, named });
    expect(await membersOf("Assigned")).toEqual(["G-2"]);
    expect(await membersOf("Spare")).toEqual([]);
  });

  inSoak(it)("checks thousands of groups in about the time that reading them takes", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `Many ${index},G-1,`);
    const started = performance.now();
    await groups.stage(lines);
    const isRead = performance.now();
    await groups.runJobs();
    expect(performance.now() - isRead).toBeLessThan(10 * (isRead - started));
  });

  // Comparing each row with each machine takes minutes.
  inSoak(it)("names 20,000 machines in another case within the time of a test", async () => {
    await db().raw(
      `insert into machines (serial_number, human_name)
       select 'MANY-' || number, 'Many' from generate_series(1, 20000) as number`,
    );
    const lines = Array.from({ length: 20_000 }, (_, row) => `Group ${row % 100},many-${row + 1},`);
    const { item } = await groups.dryRun(lines);
    expect(item.outcome!.counts).toMatchObject({ machine_groups: 100, members: 20_000 });
  });

  // Reading the whole group for each of its machines takes minutes.
  inSoak(it)(
    "adds 8,000 machines to a group in rows of their own within a minute",
    { timeout: 60_000 },
    async () => {
      await db().raw(
        `insert into machines (serial_number, human_name)
       select 'ROW-' || number, 'Row' from generate_series(1, 8000) as number`,
      );
      const lines = Array.from({ length: 8_000 }, (_, row) => `All of them,ROW-${row + 1},`);
      await groups.importAll(lines);
      expect(await membersOf("All of them")).toHaveLength(8_000);
    },
  );
});
