import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { sweep } from "../../app/db/sweep.server";
import { checkImport } from "../../app/features/imports/import-jobs.server";
import {
  confirmImport,
  describeUndo,
  oldImports,
  readWrongRows,
  undoImport,
} from "../../app/features/imports/imports.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import {
  assign,
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
import { insertRedeemable, makeKey, outcomeOf, request } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { countSessions, openTransaction } from "../support/database-sessions";
import { useImports } from "../support/import-files";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { inSoak } from "../support/repetitions";
import { ago, rowById } from "../factories/rows";

/** Imports of machines, groups and assignments; those of codes have a test of their own. */
useDatabase();
const { actor: user } = useActor();

const actions = () => db()("audit_log").orderBy("id").pluck<string[]>("action");
const machine = (serial_number: string) => db()("machines").where({ serial_number }).first();
const redeemAt = async (code: string, serialNumber: string) =>
  outcomeOf(await redeem(request({ code, serialNumber }), (await makeKey()).secret));

beforeEach(async () => {
  await db().transaction(async (trx) => {
    await trx("machine_group_members").delete();
    await trx("assignments").delete();
    await trx("assignment_sets").update({ is_assigned: false });
  });
});

describe("a file of machines", () => {
  const machines = useImports(user, {
    kind: "machines",
    heading: "serial number,name",
    role: "admin",
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
    ];
    expect(await machines.wrongRowsOf(lines)).toEqual([
      "3: The same serial number stands in line 2",
      "4: Serial number is required",
      "5: A serial number has at most 100 characters",
      "8: This machine is marked as deleted. Bring it back on its page",
    ]);
    expect(await machines.wrongRowsOf(["OLD-1,Hall"])).toEqual([
      "2: This machine exists already, with the name Lobby",
    ]);
    expect(await machine("NEW-1")).toBeUndefined();
  });

  it("adds machines in one action, and is undone but for those in use by then", async () => {
    const lines = ["A-1,Gate", "A-2,", "A-3,Hall", "A-4,Pool"];
    const before = await actions();
    const id = await machines.importAll(lines);
    expect((await actions()).slice(before.length)).toEqual(["import.confirmed"]);
    expect(await machine("A-2")).toMatchObject({ human_name: "A-2", is_manual: true });
    expect((await machines.read(id)).outcome!.counts).toEqual({ machines: 4, existing: 0 });

    await insertGroup([(await machine("A-3")).id as string]);
    const { code } = await insertRedeemable({}, await machine("A-4"));
    expect(await redeemAt(code, "A-4")).toBe("applied");
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
    expect(await machine("A-1")).toMatchObject({ is_deleted: false, import_id: secondId });
  });

  it("can't be undone once all its machines are in use", async () => {
    const id = await machines.importAll(["USED-1,"]);
    await insertGroup([(await machine("USED-1")).id as string]);
    await expect(machines.undo(id)).rejects.toThrow("Everything from this import is in use");
    expect(await machine("USED-1")).toMatchObject({ is_deleted: false });
  });

  it("is no user's to import", async () => {
    const { item } = await machines.dryRun(["MINE-1,"]);
    const actor = { ...user, role: "user" as const };
    await expect(confirmImport(item.id, { actor, idempotencyKey: null })).rejects.toMatchObject({
      reason: "forbidden",
    });
  });
});

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
    await insertGroup([(await machine("G-1")).id as string], { name: "Depot" });
    const lines = ["depot,G-1,", "Depot,G-2,", "East,G-1,route", "East,G-3,", "Lake,,customer"];
    const before = await actions();
    const id = await groups.importAll(lines);
    expect((await actions()).slice(before.length)).toEqual(["import.confirmed"]);
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

  inSoak(it)("checks thousands of groups in about the time that reading them takes", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `Many ${index},G-1,`);
    const started = performance.now();
    await groups.stage(lines);
    const isRead = performance.now();
    await groups.runJobs();
    expect(performance.now() - isRead).toBeLessThan(10 * (isRead - started));
  });
});

describe("a file of assignments", () => {
  const assignments = useImports(user, {
    kind: "assignments",
    heading: "campaign,code,machines,groups",
  });

  beforeAll(async () => {
    for (const serial_number of ["T-1", "T-2"]) await insertMachine({ serial_number });
    await insertGroup([(await machine("T-2")).id as string], { name: "Towers" });
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
    const before = await actions();
    const id = await assignments.importAll(lines);
    expect((await actions()).slice(before.length)).toEqual(["import.confirmed"]);
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

    expect(await redeemAt("SOLOCODE2345", "T-1")).toBe("applied");
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
    expect(await redeemAt(target.code, target.serialNumber)).toBe("applied");
    await finish();
    expect(await redeemAt(target.code, "T-1")).toBe("applied");
  });

  it("keeps no redemption of its codes waiting while it is undone", async () => {
    const target = await insertRedeemable({ name: "Undone" });
    const file = await assignments.importAll(["Undone,,T-1,"]);
    await undoImport(file, assignments.options());
    const holder = await openTransaction();
    await holder("assignments").where({ import_id: file }).forUpdate();
    const undoing = assignments.runJobs();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    expect(await redeemAt(target.code, target.serialNumber)).toBe("applied");
    await holder.commit();
    await undoing;
    expect(await redeemAt(target.code, "T-1")).toBe("not_assigned");
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
});

describe("a file that takes too long", () => {
  const groups = useImports(user, { kind: "groups", heading: "group,machines,kind" });

  /** Runs the job of the import while another transaction has it, and ends its statement as a timeout does. */
  async function timeOut(subject: string) {
    await db()("jobs").where({ subject }).update({ next_attempt_at: db().fn.now() });
    const holder = await db().transaction();
    await holder("imports").where({ id: subject }).forUpdate();
    const running = groups.runJobs();
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await db().raw(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    await holder.rollback();
    await running;
  }

  it("is checked three times, and then has a wrong row that says so", async () => {
    const id = await groups.stage(["Slow,,", "Slower,,"]);
    // Attempts that ended otherwise don't count.
    await db()("jobs").where({ subject: id }).update({ attempts: 5 });
    for (let time = 1; time < 3; time++) await timeOut(id);
    expect(await groups.read(id)).toMatchObject({ state: "checking" });
    await timeOut(id);
    expect(await groups.read(id)).toMatchObject({ state: "checked", wrongRows: 1 });
    const reason = "Checking this file takes too long. Divide it into several files";
    expect(await readWrongRows(id)).toEqual([{ line: 2, entry: "Slow", reason }]);
  });

  it("is imported three times, and then is not imported", async () => {
    const { id } = await groups.dryRun(["Never,,"]);
    await confirmImport(id, groups.options());
    for (let time = 1; time <= 3; time++) await timeOut(id);
    await groups.runJobs();
    expect(await groups.read(id)).toMatchObject({ state: "checked", wrongRows: 1, outcome: null });
    expect(await db()("machine_groups").where({ name: "Never" })).toEqual([]);
  });

  it("keeps no dry run of another instance waiting", async () => {
    const [slow, other] = [await groups.stage(["Slow,G-9,"]), await groups.stage(["Quick,,"])];
    const holder = await db().transaction();
    await holder("import_rows").where({ import_id: slow }).forUpdate();
    const running = checkImport(slow);
    await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
    await checkImport(other);
    expect(await groups.read(other)).toMatchObject({ state: "checked", wrongRows: 0 });
    await holder.rollback();
    await running;
  });
});

describe("a file that is deleted a day after its upload", () => {
  const machines = useImports(user, {
    kind: "machines",
    heading: "serial number,name",
    role: "admin",
  });

  it("can't be imported from then on", async () => {
    const { id } = await machines.dryRun(["DAY-1,"]);
    await rowById("imports", id).update({ created_at: ago("25 hours") });
    await expect(confirmImport(id, machines.options())).rejects.toMatchObject({
      reason: "conflict",
      message: "This file was uploaded more than a day ago. Upload it again.",
    });
    expect(await machines.read(id)).toMatchObject({ state: "checked" });
  });

  it("is deleted while it is checked, too", async () => {
    const id = await machines.stage(["DAY-4,"]);
    await rowById("imports", id).update({ created_at: ago("25 hours") });
    await sweep(oldImports);
    await machines.runJobs();
    expect(await rowById("imports", id)).toEqual([]);
  });

  it("writes nothing if some of its rows are gone", async () => {
    const { id } = await machines.dryRun(["DAY-2,", "DAY-3,"]);
    await confirmImport(id, machines.options());
    await db()("import_rows").where({ import_id: id, line: 2 }).delete();
    await machines.runJobs();
    expect(await machines.read(id)).toMatchObject({ state: "checked" });
    expect(await machine("DAY-3")).toBeUndefined();
  });
});
