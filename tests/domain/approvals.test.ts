import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { HeldForApproval } from "../../app/errors";
import { askForApproval } from "../../app/features/approvals/approvals.server";
import { confirmImport } from "../../app/features/imports/imports.server";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { loadSettings } from "../../app/features/settings/settings.server";
import { approve } from "../../app/http/approved-requests.server";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { newPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { useImports } from "../support/import-files";
import { useDatabase } from "../support/postgres";

useDatabase();
const { actor: user } = useActor(beforeEach);
const { options, runJobs, read, dryRun } = useImports(user, {
  kind: "codes",
  heading: "code,name,discount,uses,expiration,machines,groups",
});

let serial = 0;
const linesOf = (count: number, machine = "") =>
  Array.from(
    { length: count },
    () => `HELD${String(++serial).padStart(5, "0")},Fair,5%,single,,${machine},`,
  );

/** @returns the request that waits for a second admin, or null */
async function heldOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error === null || error instanceof HeldForApproval) return error?.held ?? null;
  throw error;
}

const makeCodes = (numCodes: number) =>
  createMassGeneration({ ...newPromotion(), numCodes }, options());

async function approveImport(id: string): Promise<void> {
  const held = await heldOf(confirmImport(id, options()));
  const request = await askForApproval(held!, options().actor);
  await approve(request, { ...(await insertUser()), role: "admin" });
  await runJobs();
}

beforeEach(async () => {
  await db()("site_settings").update({ approval_codes: 10 });
  await loadSettings();
});

describe("the limit of codes", () => {
  it("counts a confirmed import before its codes are written", async () => {
    const [first, second] = [await dryRun(linesOf(8)), await dryRun(linesOf(8))];
    await confirmImport(first.id, options());
    expect(await heldOf(confirmImport(second.id, options()))).toMatchObject({ codes: 8 });
    await runJobs();
    expect(await heldOf(makeCodes(2))).toBeNull();
  });

  it("doesn't count codes of an approved import", async () => {
    const { id } = await dryRun(linesOf(11));
    await approveImport(id);
    expect(await read(id)).toMatchObject({ state: "imported" });
    expect(await heldOf(makeCodes(10))).toBeNull();
    expect(await heldOf(makeCodes(1))).not.toBeNull();
  });

  it("is not raised by an approved import that came to nothing", async () => {
    const machine = await insertMachine();
    const { id } = await dryRun(linesOf(11, machine.serial_number));
    await db()("machines")
      .where({ id: machine.id })
      .update({ is_deleted: true, deleted_at: new Date() });
    await approveImport(id);
    expect(await read(id)).toMatchObject({ state: "checked" });
    expect(await heldOf(makeCodes(11))).toMatchObject({ codes: 11 });
  });
});
