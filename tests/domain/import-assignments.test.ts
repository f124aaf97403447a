import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { confirmImport, describeUndo, undoImport } from "../../app/features/imports/imports.server";
import {
  assignMachines,
  assignmentsOf,
  ofPromotion,
  type OwnerTable,
  setFactsOf,
  setIdOf,
} from "../factories/assignments";
import { applyBulk } from "../factories/bulk";
import { insertGroup } from "../factories/machine-groups";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { insertRedeemable, redeemWithNewKey } from "../factories/redemptions";
import { countSessions, openTransaction } from "../support/database-sessions";
import {
  auditedActions,
  findMachine,
  useImportDatabase,
  useImports,
} from "../support/import-files";
import { assertInvariants } from "../support/invariants";
import { inSoak } from "../support/repetitions";
import { rowById } from "../factories/rows";

const user = useImportDatabase();

describe("a file of assignments", () => {
  const assignments = useImports(user, {
    kind: "assignments",
    heading: "campaign,code,machines,groups",
  });

  beforeAll(async () => {
    for (const serial_number of ["T-1", "T-2"]) await insertMachine({ serial_number });
    await insertGroup([(await findMachine("T-2")).id as string], { name: "Towers" });
  });

  it("names what is wrong with each row", async () => {
    for (const name of ["Twice", "Twice", "Once"]) await insertPromotion({ name });
    await insertPromotion({ code: "DELETED12345", is_deleted: true });
    const lines = [
      "Nowhere,,T-1,",
      "Twice,,T-1,",
      ",NOSUCHCODE99,T-1,",
      ",DELETED12345,T-1,",
      "Once,,,",
      "Once,,T-9,Nobody",
      "Once,NOSUCHCODE99,T-1,",
      "Once,,T-1,",
      "Once,,T-1|T-2,",
    ];
    expect(await assignments.wrongRowsOf(lines)).toEqual([
      "2: There is no campaign with this name or number",
      "3: Several campaigns have this name. Write the number of one, such as #12, or its code",
      "4: There is no such code",
      "5: This code is deleted",
      "6: Name a machine or a group",
      "7: Not available: machine T-9. Not available: machine group Nobody",
      "8: Name a campaign or a code",
      "10: The same stands in line 9",
    ]);
  });

  it("finds a campaign whose name has several lines in the file", async () => {
    await insertPromotion({ name: "Summer evening" });
    expect(await assignments.wrongRowsOf(['"Summer\nevening",,T-1,'])).toEqual([]);
  });

  it("names machines in either case, unless several differ in case alone", async () => {
    for (const serial_number of ["Case-1", "Both-1", "BOTH-1"])
      await insertMachine({ serial_number });
    const promotionId = await insertPromotion({ name: "Spelled" });
    expect(await assignments.wrongRowsOf(["Spelled,,both-1,"])).toEqual([
      "2: Not available: machine both-1",
    ]);
    await assignments.importAll(["Spelled,,CASE-1|case-1|BOTH-1,"]);
    const assigned = await assignmentsOf("promotions", promotionId);
    const ids = assigned.map(({ machine_id }) => machine_id!);
    const serials = await db()("machines").whereIn("id", ids).pluck<string[]>("serial_number");
    expect(serials.sort()).toEqual(["BOTH-1", "Case-1"]);
  });

  it("names the machine that came back in another case, not the one that was deleted", async () => {
    await insertMachine({ serial_number: "BACK-1", is_deleted: true });
    const { id } = await insertMachine({ serial_number: "back-1" });
    const promotionId = await insertPromotion({ name: "Returned" });
    await assignments.importAll(["Returned,,Back-1,"]);
    expect(await assignmentsOf("promotions", promotionId)).toMatchObject([{ machine_id: id }]);
  });

  it("counts a group once that a row names in either case", async () => {
    await insertPromotion({ name: "Doubled" });
    const { item } = await assignments.dryRun(["Doubled,,,Towers|towers"]);
    expect(item.outcome!.counts).toMatchObject({ assignments: 1, campaigns: 1 });
  });

  it("names groups that have commas in their names in quotes", async () => {
    const promotionId = await insertPromotion({ name: "Quoted" });
    const names = ["Berlin, Mitte", '"Best" hall', "Plain"];
    const ids = await Promise.all(names.map((name) => insertGroup([], { name })));
    await assignments.importAll([`Quoted,,,"""Berlin, Mitte"" , ""Best"" hall|""plain"""`]);
    const assigned = await assignmentsOf("promotions", promotionId);
    expect(assigned.map(({ group_id }) => group_id).sort()).toEqual(ids.sort());
  });

  it("assigns campaigns and single codes of them, and is undone but for those redeemed by then", async () => {
    const generationId = await insertMassGeneration({ name: "Fair", num_codes: 3 });
    const [own, shared] = await codesOf(generationId);
    const single = await insertPromotion({ name: "Solo", code: "SOLOCODE2345" });
    const other = await insertPromotion({ name: "Quiet" });
    const { code } = (await rowById("promotions", own).first<{ code: string }>("code"))!;
    const lines = [
      `#${generationId},,T-1,`,
      `,${code},T-2,`,
      ",SOLO-CODE-2345,T-1,towers",
      "Quiet,,T-2,",
    ];
    const before = await auditedActions();
    const id = await assignments.importAll(lines);
    expect((await auditedActions()).slice(before.length)).toEqual(["import.confirmed"]);
    expect((await assignments.read(id)).outcome!.counts).toEqual({
      assignments: 5,
      campaigns: 4,
      existing: 0,
    });
    expect(await setFactsOf([own!, shared!, single])).toMatchObject([
      { is_assigned: true, has_own_set: true, version: 2 },
      { is_assigned: true, has_own_set: false, version: 1 },
      { is_assigned: true, version: 1 },
    ]);
    await assertInvariants();
    const second = await assignments.dryRun(lines);
    expect(second.item.outcome!.counts).toMatchObject({ assignments: 0, existing: 5 });

    expect(await redeemWithNewKey("SOLOCODE2345", "T-1")).toBe("applied");
    expect(await describeUndo({ id, kind: "assignments" })).toContain(
      // One of them came with the set that a code got of its own (RULES M2).
      "removes 4 assignments of 3 campaigns",
    );
    const { outcome } = await assignments.undo(id);
    expect(outcome!.stayed).toEqual({
      count: 1,
      named: [{ name: "Solo", reason: "Codes were redeemed since" }],
    });
    expect(await setFactsOf([own!, shared!, single, other])).toMatchObject([
      { is_assigned: false },
      { is_assigned: false },
      { is_assigned: true },
      { is_assigned: false, version: 1 },
    ]);
    await assertInvariants();
  });

  /** Locks a row and runs the jobs of imports, which wait for it. @returns ends the lock, and waits for the jobs */
  async function holdJobs(table: OwnerTable | "imports" | "assignment_sets", id: string) {
    const holder = await openTransaction();
    await holder(table).where({ id }).forNoKeyUpdate();
    const running = assignments.runJobs();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    return async () => {
      await holder.commit();
      await running;
      await assertInvariants();
    };
  }

  /** Runs the jobs of imports, and a change while they wait for the mass generation. */
  async function changeDuringJobs(generationId: string, change: () => Promise<unknown>) {
    const finish = await holdJobs("mass_generations", generationId);
    await change().then(finish);
  }

  it("assigns a code whose other machines a person removes at the same time", async () => {
    const generationId = await insertMassGeneration();
    const id = await insertPromotion({ name: "Cleared" });
    await assignMachines(id, ["T-1"], { actor: user });
    const file = await assignments.dryRun([`#${generationId},,T-1,`, "Cleared,,T-2,"]);
    await confirmImport(file.id, assignments.options());
    const finish = await holdJobs("mass_generations", generationId);
    const removing = ofPromotion.removeMachine(id, "T-1", { actor: user });
    await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
    await finish();
    await removing;
    expect(await assignments.read(file.id)).toMatchObject({ state: "imported" });
    expect(await setFactsOf([id])).toMatchObject([{ is_assigned: true }]);
  });

  it("keeps no redemption of its codes waiting, unless they leave the machines of their campaign", async () => {
    const target = await insertRedeemable({ name: "Sold" });
    const file = await assignments.dryRun(["Sold,,T-1,"]);
    await confirmImport(file.id, assignments.options());
    const finish = await holdJobs("imports", file.id);
    expect(await redeemWithNewKey(target.code, target.serialNumber)).toBe("applied");
    await finish();
    expect(await redeemWithNewKey(target.code, "T-1")).toBe("applied");
  });

  it("keeps no redemption of its codes waiting while it is undone", async () => {
    const target = await insertRedeemable({ name: "Undone" });
    const file = await assignments.importAll(["Undone,,T-1,"]);
    await undoImport(file, assignments.options());
    const holder = await openTransaction();
    await holder("assignments").where({ import_id: file }).forUpdate();
    const undoing = assignments.runJobs();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    expect(await redeemWithNewKey(target.code, target.serialNumber)).toBe("applied");
    await holder.commit();
    await undoing;
    expect(await redeemWithNewKey(target.code, "T-1")).toBe("not_assigned");
    await assertInvariants();
  });

  it("leaves what a person assigns while it is undone", async () => {
    const generationId = await insertMassGeneration();
    const id = await insertPromotion({ name: "Kept" });
    const file = await assignments.importAll([`#${generationId},,T-1,`, "Kept,,T-2,"]);
    await undoImport(file, assignments.options());
    await changeDuringJobs(generationId, () => assignMachines(id, ["T-1"], { actor: user }));
    expect(await setFactsOf([id])).toMatchObject([{ is_assigned: true }]);
  });

  it("keeps nobody waiting who removes a machine while the undo waits for a campaign", async () => {
    const generationId = await insertMassGeneration();
    const id = await insertPromotion({ name: "Removed" });
    const file = await assignments.importAll([`#${generationId},,T-1,`, "Removed,,T-1|T-2,"]);
    await undoImport(file, assignments.options());
    const remove = () => ofPromotion.removeMachine(id, "T-1", { actor: user });
    await changeDuringJobs(generationId, remove);
    expect(await setFactsOf([id])).toMatchObject([{ is_assigned: false }]);
  });

  it("is undone for a code that gets a set of its own while the undo begins", async () => {
    const generationId = await insertMassGeneration();
    const [id] = (await codesOf(generationId)) as [string];
    const file = await assignments.importAll([`#${generationId},,T-1,`]);
    await undoImport(file, assignments.options());
    await changeDuringJobs(generationId, () => assignMachines(id, ["T-2"], { actor: user }));
    expect(await assignmentsOf("promotions", id)).toHaveLength(1);
  });

  it("is undone before a code gets a set of its own, once the undo reads what to remove", async () => {
    const generationId = await insertMassGeneration();
    const [id] = (await codesOf(generationId)) as [string];
    const single = await insertPromotion({ name: "Slow" });
    const file = await assignments.importAll([`#${generationId},,T-1,`, "Slow,,T-1,"]);
    await undoImport(file, assignments.options());
    const finish = await holdJobs("assignment_sets", await setIdOf("promotions", single));
    const assigning = assignMachines(id, ["T-2"], { actor: user });
    await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
    await finish();
    await assigning;
    expect(await assignmentsOf("promotions", id)).toHaveLength(1);
  });

  it("is undone for codes too that have got sets of their own since", async () => {
    const generationId = await insertMassGeneration();
    const [edited, selected] = (await codesOf(generationId)) as [string, string];
    const { serial_number } = await insertMachine();
    const machines = [serial_number];
    const file = await assignments.importAll([`#${generationId},,T-1,`]);
    await assignMachines(edited, machines, { actor: user });
    await applyBulk("assign", [selected], { machines }, { actor: { ...user, role: "user" } });
    await assignments.undo(file);
    for (const id of [edited, selected])
      expect(await assignmentsOf("promotions", id)).toHaveLength(1);
    await assertInvariants();
  });

  it("writes nothing if a machine goes away after the dry run", async () => {
    await insertPromotion({ name: "Late" });
    await insertMachine({ serial_number: "T-3" });
    const { id } = await assignments.dryRun(["Late,,T-3,", "Late,,T-1,"]);
    await db()("machines")
      .where({ serial_number: "T-3" })
      .update({ is_deleted: true, deleted_at: db().fn.now() });
    await confirmImport(id, assignments.options());
    await assignments.runJobs();
    expect(await assignments.read(id)).toMatchObject({ state: "checked", wrongRows: 1 });
    expect(await db()("assignments").where({ import_id: id })).toEqual([]);
  });

  // Comparing each row with all that they assign takes minutes.
  inSoak(it)(
    "assigns 20,000 machines in rows of their own within a minute",
    { timeout: 60_000 },
    async () => {
      const id = await insertPromotion({ name: "Everywhere" });
      await db().raw(
        `insert into machines (serial_number, human_name)
       select 'ALL-' || number, 'All' from generate_series(1, 20000) as number`,
      );
      const lines = Array.from({ length: 20_000 }, (_, row) => `Everywhere,,ALL-${row + 1},`);
      await assignments.importAll(lines);
      expect(await assignmentsOf("promotions", id)).toHaveLength(20_000);
    },
  );
});
