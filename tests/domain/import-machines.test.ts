import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { confirmImport, describeUndo } from "../../app/features/imports/imports.server";
import { markMachineDeleted } from "../../app/features/machines/manual-machines.server";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertRedeemable, redeemWithNewKey } from "../factories/redemptions";
import {
  auditedActions,
  findMachine,
  useImportDatabase,
  useImports,
} from "../support/import-files";

const user = useImportDatabase();

describe("a file of machines", () => {
  const machines = useImports(user, {
    kind: "machines",
    heading: "serial number,name",
    role: "admin",
  });

  it("leaves a machine that exists with its name where a row has none", async () => {
    await insertMachine({ serial_number: "NAMED-1", human_name: "Station" });
    await machines.importAll(["NAMED-1,", "NAMED-2,"]);
    expect(await findMachine("NAMED-1")).toMatchObject({ human_name: "Station", import_id: null });
    expect(await findMachine("NAMED-2")).toMatchObject({ human_name: "NAMED-2" });
  });

  it("is refused in part before anything is written", async () => {
    await insertMachine({ serial_number: "OLD-1", human_name: "Lobby" });
    await insertMachine({ serial_number: "GONE-1", is_deleted: true });
    const lines = [
      "NEW-1,Gate",
      "NEW-1,Door",
      ",Nowhere",
      `${"X".repeat(101)},Long`,
      "OLD-1,Lobby",
      "OLD-1x,",
      "GONE-1,",
      "OLD-1\u200b,Lobby",
    ];
    expect(await machines.wrongRowsOf(lines)).toEqual([
      "3: The same serial number stands in line 2",
      "4: Serial number is required",
      "5: A serial number has at most 100 printable characters",
      "8: This machine is marked as deleted. Bring it back on its page",
      "9: A serial number has at most 100 printable characters",
    ]);
    expect(await machines.wrongRowsOf(["OLD-1,Hall"])).toEqual([
      "2: This machine exists already, with the name Lobby",
    ]);
    expect(await findMachine("NEW-1")).toBeUndefined();
  });

  it("has the serial numbers and names of an export, without its apostrophes", async () => {
    await machines.importAll([`'-NEW-2,'=Gate`]);
    expect(await findMachine("-NEW-2")).toMatchObject({ human_name: "=Gate" });
  });

  it("adds machines in one action, and is undone but for those in use by then", async () => {
    const lines = ["A-1,Gate", "A-2,\u200b", "A-3,Hall", "A-4,Pool"];
    const before = await auditedActions();
    const id = await machines.importAll(lines);
    expect((await auditedActions()).slice(before.length)).toEqual(["import.confirmed"]);
    expect(await findMachine("A-2")).toMatchObject({ human_name: "A-2", is_manual: true });
    expect((await machines.read(id)).outcome!.counts).toEqual({ machines: 4, existing: 0 });

    await insertGroup([(await findMachine("A-3")).id as string]);
    const { code } = await insertRedeemable({}, await findMachine("A-4"));
    expect(await redeemWithNewKey(code, "A-4")).toBe("applied");
    expect(await describeUndo({ id, kind: "machines" })).toContain("marks 2 machines as deleted");
    const { outcome } = await machines.undo(id);
    expect(outcome!.stayed).toEqual({
      count: 2,
      named: [
        { name: "A-3", reason: "It is in a machine group" },
        { name: "A-4", reason: "Codes were redeemed there" },
      ],
    });
    const deleted = await db()("machines").where({ is_deleted: true, import_id: id });
    expect(deleted).toHaveLength(2);

    expect(await machines.wrongRowsOf([lines[0]!, "A-5,"])).toEqual([
      "2: This machine belongs to an undone import. Only the same file restores it",
    ]);
    const secondId = await machines.importAll(lines);
    expect((await machines.read(secondId)).outcome!.counts).toEqual({ machines: 2, existing: 2 });
    expect(await findMachine("A-1")).toMatchObject({ is_deleted: false, import_id: secondId });
  });

  it("does not bring back what an admin marked as deleted before the undo", async () => {
    const lines = ["SCRAP-1,", "KEPT-1,"];
    const id = await machines.importAll(lines);
    await markMachineDeleted("SCRAP-1", true, { actor: user });
    await machines.undo(id);
    expect(await machines.wrongRowsOf(lines)).toEqual([
      "2: This machine is marked as deleted. Bring it back on its page",
    ]);
  });

  it("can't be undone once all its machines are in use", async () => {
    const id = await machines.importAll(["USED-1,"]);
    await insertGroup([(await findMachine("USED-1")).id as string]);
    await expect(machines.undo(id)).rejects.toThrow("Everything from this import is in use");
    expect(await findMachine("USED-1")).toMatchObject({ is_deleted: false });
  });

  it("is no user's to import", async () => {
    const { item } = await machines.dryRun(["MINE-1,"]);
    const actor = { ...user, role: "user" as const };
    await expect(confirmImport(item.id, { actor, idempotencyKey: null })).rejects.toMatchObject({
      reason: "forbidden",
    });
  });
});
