import { describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { deleteMachineGroup } from "../../app/features/assignments/group-assignments.server";
import { confirmImport, undoImport } from "../../app/features/imports/imports.server";
import {
  prepareBulk,
  startBulk,
} from "../../app/features/promotions/lifecycle/bulk-actions.server";
import { runChunks } from "../../app/features/promotions/lifecycle/lifecycle-operations.server";
import {
  assign,
  assignMachines,
  assignmentsOf,
  ofGeneration,
  type OwnerTable,
} from "../factories/assignments";
import { applyBulk } from "../factories/bulk";
import { codesOf, insertMassGeneration } from "../factories/mass-generations";
import { insertGroup } from "../factories/machine-groups";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { inChunksOf } from "../support/between-chunks";
import { countSessions, openTransaction } from "../support/database-sessions";
import { useImports } from "../support/import-files";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";

useDatabase();
const { actor } = useActor();
const user = () => ({ ...actor, role: "user" as const });

/** Runs two changes, of which the first waits for a row until the second waits, too, and expects that neither fails. */
async function meet(
  [table, id]: [OwnerTable | "machines" | "machine_groups", string],
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
) {
  const holder = await openTransaction();
  await holder(table).where({ id }).forUpdate();
  const changes = [first()];
  await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
  changes.push(second());
  await expect.poll(() => countSessions("waiting for a lock")).toBe(2);
  await holder.commit();
  await Promise.all(changes);
  await assertInvariants();
}

describe("a code that gets a set of its own", () => {
  const assignments = useImports(actor, {
    kind: "assignments",
    heading: "campaign,code,machines,groups",
  });

  it("waits while its whole mass generation is assigned in a bulk action", async () => {
    const ids = await codesOf(await insertMassGeneration());
    const [all, own] = [await insertMachine(), await insertMachine()];
    const last = ids.at(-1)!;
    await meet(
      ["promotions", ids[0]!],
      () => applyBulk("assign", ids, { machines: [all.serial_number] }, { actor: user() }),
      () => assignMachines(last, [own.serial_number], { actor }),
    );
    expect(await assignmentsOf("promotions", last)).toHaveLength(2);
  });

  it("waits with the other codes of its bulk action while an import is undone", async () => {
    const generationId = await insertMassGeneration();
    const [shared] = (await codesOf(generationId)) as [string];
    const held = await insertPromotion({ name: "Held" });
    const single = await insertPromotion({ name: "Selected" });
    const [imported, added] = [await insertMachine(), await insertMachine()];
    const serial = imported.serial_number;
    const file = await assignments.importAll(
      [`#${generationId}`, "Held", "Selected"].map((name) => `${name},,${serial},`),
    );
    const bulk = await prepareBulk("assign", { kind: "ticked", ids: [single, shared] }, user());
    const values = { expirationDate: null, machines: [added.serial_number], groups: [] };
    await inChunksOf(1, () => startBulk(bulk, values, { actor: user() }));
    await undoImport(file, assignments.options());
    await meet(["promotions", held], assignments.runJobs, () => runChunks(bulk));
    for (const id of [single, shared])
      expect(await assignmentsOf("promotions", id)).toMatchObject([{ machine_id: added.id }]);
  });

  it("is imported with its mass generation while a person changes the machines of that", async () => {
    const generationId = await insertMassGeneration();
    const [id] = (await codesOf(generationId)) as [string];
    const { code } = (await db()("promotions").where({ id }).first<{ code: string }>())!;
    const [whole, own, added] = [
      await insertMachine(),
      await insertMachine(),
      await insertMachine(),
    ];
    const file = await assignments.dryRun([
      `#${generationId},,${whole.serial_number},`,
      `,${code},${own.serial_number},`,
    ]);
    await confirmImport(file.id, assignments.options());
    await meet(["machines", own.id], assignments.runJobs, () =>
      ofGeneration.add(generationId, { machines: [added.serial_number] }, { actor }),
    );
    expect(await assignments.read(file.id)).toMatchObject({ state: "imported" });
    expect(await assignmentsOf("mass_generations", generationId)).toHaveLength(2);
    expect(await assignmentsOf("promotions", id)).toHaveLength(2);
  });

  it("is imported with others while these are deactivated in a bulk action", async () => {
    const ids = (await codesOf(await insertMassGeneration({ num_codes: 12 }))).slice(1);
    const codes = await db()("promotions").whereIn("id", ids).orderBy("id").pluck<string[]>("code");
    const { serial_number: serial } = await insertMachine();
    const file = await assignments.dryRun(codes.map((code) => `,${code},${serial},`));
    await confirmImport(file.id, assignments.options());
    await meet(["promotions", ids.at(-1)!], assignments.runJobs, () =>
      applyBulk("deactivate", ids, {}, { actor: user() }),
    );
    expect(await assignments.read(file.id)).toMatchObject({ state: "imported" });
  });

  it("is imported while a group of its mass generation is deleted", async () => {
    const generationId = await insertMassGeneration();
    const [id] = (await codesOf(generationId)) as [string];
    const { code } = (await db()("promotions").where({ id }).first<{ code: string }>())!;
    const single = await insertPromotion();
    const group = { group_id: await insertGroup() };
    await assign("mass_generations", generationId, group);
    await assign("promotions", single, group);
    const { id: machineId, serial_number: serial } = await insertMachine();
    const file = await assignments.dryRun([`#${generationId},,${serial},`, `,${code},${serial},`]);
    await confirmImport(file.id, assignments.options());
    await meet(
      ["promotions", single],
      () => deleteMachineGroup(group.group_id, { actor }),
      assignments.runJobs,
    );
    expect(await assignments.read(file.id)).toMatchObject({ state: "imported" });
    expect(await assignmentsOf("promotions", id)).toMatchObject([{ machine_id: machineId }]);
  });
});

describe("an import of codes for two groups", () => {
  const groups = useImports(actor, { kind: "groups", heading: "group,machines" });
  const codes = useImports(actor, {
    kind: "codes",
    heading: "code,name,discount,uses,groups",
  });

  it("waits for no undo of the import of these groups that waits for it", async () => {
    const { serial_number: serial } = await insertMachine();
    const brought = await groups.importAll([`Ground floor,${serial}`, `Basement,${serial}`]);
    const lines = ["FLOOR0000001,A,5%,single,Basement", "FLOOR0000002,B,5%,single,Ground floor"];
    const file = await codes.dryRun(lines);
    await confirmImport(file.id, codes.options());
    const [last] = await db()("machine_groups")
      .where({ import_id: brought })
      .max<{ max: string }[]>("id");
    await meet(["machine_groups", last!.max], codes.runJobs, async () => {
      await undoImport(brought, groups.options());
      await groups.runJobs();
    });
    expect(await codes.read(file.id)).toMatchObject({ state: "imported" });
    expect((await groups.read(brought)).outcome!.stayed).toMatchObject({ count: 2 });
  });
});
