import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import {
  confirmImport,
  describeUndo,
  readWrongRows,
  undoImport,
} from "../../app/features/imports/imports.server";
import {
  hideImported,
  redeemedSql,
  reviveCodes,
} from "../../app/features/imports/kinds/undo-codes.server";
import { addCodes } from "../../app/features/mass-generations/add-codes.server";
import { changeLifecycle } from "../../app/features/promotions/lifecycle/promotion-lifecycle.server";
import { redeem } from "../../app/features/redemptions/redeem.server";
import { rollBack } from "../../app/features/redemptions/roll-back.server";
import { checkSummary } from "../../app/features/reports/check-summary.server";
import { formatCode } from "../../app/format/promotion";
import { deleteMassGeneration, deletePromotion, restorePromotion } from "../factories/lifecycle";
import { insertMachine } from "../factories/people-and-machines";
import { makeKey, outcomeOf, request } from "../factories/redemptions";
import { useActor } from "../support/actor";
import { countSessions } from "../support/database-sessions";
import { useImports } from "../support/import-files";
import { assertInvariants } from "../support/invariants";
import { useDatabase } from "../support/postgres";
import { ago, rowById } from "../factories/rows";

useDatabase();
const { actor: user } = useActor();

const { options, runJobs, read, stage, dryRun, importAll, undo } = useImports(user, {
  kind: "codes",
  heading: "code,name,discount,uses,expiration,machines,groups",
});

const codesOfImport = (id: string) =>
  db()("promotions").where({ import_id: id }).orderBy("id").pluck<string[]>("code");
const generationsOf = (id: string) =>
  db()("mass_generations").where({ import_id: id }).orderBy("id");
const actions = () => db()("audit_log").orderBy("id").pluck<string[]>("action");

const restore = (generationId: string) =>
  changeLifecycle({ type: "mass_generation", id: generationId }, "restore", {
    actor: { ...user, role: "admin" },
  });

let serial = 0;
/** @returns codes that no other test has */
const newCodes = (count: number) =>
  Array.from({ length: count }, () => `UNDONE${String(++serial).padStart(5, "0")}`);

beforeAll(async () => {
  await insertMachine({ serial_number: "VM-1" });
});

describe("an undone import", () => {
  const linesOf = (codes: string[]) => codes.map((code) => `${code},Back,20%,single,,VM-1,`);

  it("hides what came, and its codes come back with the same file only", async () => {
    const codes = newCodes(4);
    const lines = [...linesOf(codes.slice(0, 3)), `${codes[3]},Single,20%,single,,VM-1,`];
    const first = await importAll(lines);
    const before = await actions();
    const undone = await undo(first);
    expect((await actions()).slice(before.length)).toEqual(["import.undone"]);
    expect(undone).toMatchObject({ state: "undone", outcome: { stayed: { count: 0 } } });
    const deleted = await db()("promotions").where({ import_id: first }).pluck("is_deleted");
    expect(deleted).toEqual([true, true, true, true]);
    const { secret } = await makeKey("VM-1");
    const attempt = () => redeem(request({ code: codes[0]!, serialNumber: "VM-1" }), secret);
    expect(outcomeOf(await attempt())).toBe("deleted");

    const other = await dryRun([lines[0]!, `${newCodes(1)},Other,20%,single,,,`]);
    expect(other.wrong).toMatchObject([
      { line: 2, reason: expect.stringContaining("Only the same file restores it") as string },
    ]);

    const second = await importAll(lines);
    expect(await codesOfImport(second)).toEqual(expect.arrayContaining(codes));
    expect(await codesOfImport(first)).toEqual([]);
    expect(outcomeOf(await attempt())).toBe("applied");
    expect(await checkSummary()).toEqual([]);
    await assertInvariants();
  });

  it("is refused once something was redeemed, and after a day", async () => {
    const codes = newCodes(2);
    const id = await importAll(linesOf(codes));
    await rowById("imports", id).update({ imported_at: ago("25 hours") });
    await expect(undoImport(id, options())).rejects.toThrow("can't be undone any more");
    await rowById("imports", id).update({ imported_at: db().fn.now() });
    const { secret } = await makeKey("VM-1");
    await redeem(request({ code: codes[0]!, serialNumber: "VM-1" }), secret);
    await expect(undoImport(id, options())).rejects.toThrow("were redeemed");
    expect((await generationsOf(id))[0]).toMatchObject({ is_deleted: false });
  });

  it("looks for redeemed codes without reading those that were not", async () => {
    const importId = await importAll(linesOf(newCodes(500)));
    await db().raw("analyze promotions");
    const { rows } = await db().raw<{ rows: Record<"QUERY PLAN", string>[] }>(
      `explain ${redeemedSql}`,
      { importId },
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("promotions_use_rank_of_generation");
    expect(plan).toContain("promotions_single_use_rank");
    expect(plan).not.toContain("Seq Scan on promotions");
  });

  it("gets a minute for each pass over its codes, because they can be millions", async () => {
    const id = await importAll(linesOf(newCodes(2)));
    const trx = await db().transaction();
    await hideImported(trx, id);
    const { rows } = await trx.raw<{ rows: object[] }>("show statement_timeout");
    await trx.rollback();
    expect(rows).toEqual([{ statement_timeout: "1min" }]);
  });

  it("hides codes that were added to its campaign, and brings them back", async () => {
    const lines = [...linesOf(newCodes(2)), `${newCodes(1)},Single,20%,single,,VM-1,`];
    const first = await importAll(lines);
    const [generation] = await generationsOf(first);
    await addCodes(generation.id, 2, options());
    expect(await describeUndo({ id: first, kind: "codes" })).toBe(
      "This deletes 1 mass generation with 4 codes and 1 single code.",
    );
    await undo(first);
    await assertInvariants();
    await importAll(lines);
    const codes = db()("promotions").where({ mass_generation_id: generation.id });
    expect(await codes.pluck("is_deleted")).toEqual([false, false, false, false]);
    await assertInvariants();
  });

  it("hides added codes in chunks, of which a redemption keeps one waiting", async () => {
    const id = await importAll(linesOf(newCodes(2)));
    const [generation] = await generationsOf(id);
    await addCodes(generation.id, 501, options());
    const codes = () => db()("promotions").where({ mass_generation_id: generation.id });
    const [last] = await codes().orderBy("id", "desc").limit(1).pluck<string[]>("id");
    await undoImport(id, options());
    let undoing = Promise.resolve();
    await db().transaction(async (redemption) => {
      await redemption("promotions").where({ id: last }).forUpdate().first();
      undoing = runJobs();
      await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
      expect(await codes().where({ is_deleted: true }).count()).toEqual([{ count: "502" }]);
    });
    await undoing;
    await assertInvariants();
  });

  it("is refused once a code was redeemed that was added to its campaign", async () => {
    const id = await importAll(linesOf(newCodes(2)));
    const [generation] = await generationsOf(id);
    await addCodes(generation.id, 1, options());
    const codes = db()("promotions").where({ mass_generation_id: generation.id });
    const added = await codes.where({ import_id: null }).first<{ code: string }>();
    const { secret } = await makeKey("VM-1");
    const attempt = await redeem(request({ code: added!.code, serialNumber: "VM-1" }), secret);
    expect(outcomeOf(attempt)).toBe("applied");
    await expect(undoImport(id, options())).rejects.toThrow("were redeemed");
  });

  it("keeps a campaign that an admin restored, whose codes then exist", async () => {
    const lines = linesOf(newCodes(2));
    const id = await importAll(lines);
    await undo(id);
    const [generation] = await generationsOf(id);
    await restore(generation.id);
    const { wrong } = await dryRun(lines);
    expect(wrong).toMatchObject(
      [2, 3].map((line) => ({ line, reason: "This code exists already" })),
    );
  });

  it("leaves to admins what was deleted before it was undone", async () => {
    const [single, ...codes] = newCodes(5);
    const kept = codes.slice(2).map((code) => `${code},Kept,20%,single,,VM-1,`);
    const lines = [...linesOf(codes.slice(0, 2)), ...kept, `${single},Single,20%,single,,VM-1,`];
    const id = await importAll(lines);
    const asAdmin = { actor: { ...user, role: "admin" as const } };
    const deleted = (await generationsOf(id)).find(({ name }) => name === "Back");
    await deleteMassGeneration(deleted.id, asAdmin);
    const [singleId] = await db()("promotions").where({ code: single }).pluck<string[]>("id");
    await deletePromotion(singleId!, asAdmin);
    await undo(id);
    const { wrong } = await dryRun(lines);
    expect(wrong).toMatchObject(
      [2, 3, 6].map((line) => ({ line, reason: "This code exists already" })),
    );
    await restore(deleted.id);
    const isDeleted = db()("promotions").whereIn("code", codes).orderBy("code").pluck("is_deleted");
    expect(await isDeleted).toEqual([false, false, true, true]);
    await assertInvariants();
  });

  it("leaves to admins what was deleted again after one of them had restored it", async () => {
    const [single, ...codes] = newCodes(3);
    const lines = [...linesOf(codes), `${single},Single,20%,single,,VM-1,`];
    const id = await importAll(lines);
    const [generation] = await generationsOf(id);
    const [singleId] = await db()("promotions").where({ code: single }).pluck<string[]>("id");
    const asAdmin = { actor: { ...user, role: "admin" as const } };
    await undo(id);
    await restore(generation.id);
    await restorePromotion(singleId!, asAdmin);
    await deleteMassGeneration(generation.id, asAdmin);
    await deletePromotion(singleId!, asAdmin);
    const { wrong } = await dryRun(lines);
    expect(wrong).toMatchObject(
      [2, 3, 4].map((line) => ({ line, reason: "This code exists already" })),
    );
    await assertInvariants();
  });

  it("hides again what was deleted and restored before", async () => {
    const lines = [...linesOf(newCodes(2)), `${newCodes(1)},Single,20%,single,,VM-1,`];
    const id = await importAll(lines);
    const [generation] = await generationsOf(id);
    const asAdmin = { actor: { ...user, role: "admin" as const } };
    await deleteMassGeneration(generation.id, asAdmin);
    await restore(generation.id);
    await undo(id);
    expect((await dryRun(lines)).wrong).toEqual([]);
  });

  it("keeps a campaign that an admin restored after the dry run that would bring it back", async () => {
    const lines = linesOf(newCodes(2));
    const first = await importAll(lines);
    await undo(first);
    const { id: second } = await dryRun(lines);
    const [generation] = await generationsOf(first);
    await restore(generation.id);
    await confirmImport(second, options());
    await runJobs();
    expect(await read(second)).toMatchObject({ state: "checked" });
    expect(await readWrongRows(second)).toMatchObject([
      { reason: "This code exists already" },
      { reason: "This code exists already" },
    ]);
    expect(await generationsOf(second)).toEqual([]);
    expect(await codesOfImport(second)).toEqual([]);
  });

  it("comes back while a single code of it that stayed is redeemed", async () => {
    const [stayed, ...others] = newCodes(3);
    const lines = [`${stayed},Single,20%,unlimited,,VM-1,`, ...linesOf(others)];
    const first = await importAll(lines);
    await undoImport(first, options());
    const { secret } = await makeKey("VM-1");
    const attempt = () => redeem(request({ code: stayed!, serialNumber: "VM-1" }), secret);
    expect(outcomeOf(await attempt())).toBe("applied");
    await runJobs();
    const importId = await stage(lines);
    await runJobs();
    const outcomes: unknown[] = [];
    const onProgress = async () => {
      outcomes.push(outcomeOf(await attempt()));
    };
    const { signal } = new AbortController();
    const run = { importId, rows: 3, userId: user.id, revives: first, onProgress, signal };
    await db().transaction((trx) => reviveCodes(trx, run, first));
    expect(outcomes).toEqual(["applied"]);
    expect((await codesOfImport(importId)).sort()).toEqual([stayed, ...others].sort());
  });

  it("leaves a campaign that an admin restores before its codes have followed", async () => {
    const codes = newCodes(2);
    const id = await importAll(linesOf(codes));
    await undoImport(id, options());
    const [generation] = await generationsOf(id);
    expect(await restore(generation.id)).toMatchObject({ changed: true });
    await runJobs();
    const reason = "Its campaign was restored meanwhile";
    const named = codes.map((code) => ({ name: formatCode(code), reason }));
    expect(await read(id)).toMatchObject({
      state: "undone",
      outcome: { stayed: { count: 2, named } },
    });
    const { secret } = await makeKey("VM-1");
    const attempt = await redeem(request({ code: codes[0]!, serialNumber: "VM-1" }), secret);
    expect(outcomeOf(attempt)).toBe("applied");
    await assertInvariants();
  });

  it.each([
    ["redeemed", "used_up"],
    ["redeemed and rolled back", "applied"],
  ])("comes back whole though a single code was %s while it was undone", async (use, outcome) => {
    const [stayed, ...others] = newCodes(3);
    const lines = [`${stayed},Single,20%,single,,VM-1,`, ...linesOf(others)];
    const first = await importAll(lines);
    await undoImport(first, options());
    const { secret } = await makeKey("VM-1");
    const attempt = (code: string) => redeem(request({ code, serialNumber: "VM-1" }), secret);
    const used = request({ code: stayed!, serialNumber: "VM-1" });
    expect(outcomeOf(await redeem(used, secret))).toBe("applied");
    await runJobs();
    expect(await read(first)).toMatchObject({ outcome: { stayed: { count: 1 } } });
    if (use !== "redeemed") await rollBack(used.redemptionId, secret);

    const second = await importAll(lines);
    expect((await codesOfImport(second)).sort()).toEqual([stayed, ...others].sort());
    expect(outcomeOf(await attempt(others[0]!))).toBe("applied");
    expect(outcomeOf(await attempt(stayed!))).toBe(outcome);
    await assertInvariants();
  });
});
