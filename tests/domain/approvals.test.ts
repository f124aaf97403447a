import type { Knex } from "knex";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { sweep } from "../../app/db/sweep.server";
import { HeldForApproval } from "../../app/errors";
import type { Actor } from "../../app/features/activity/audit-log.server";
import {
  askForApproval,
  askForLimit,
  refuseApproval,
  requireApproval,
} from "../../app/features/approvals/approvals.server";
import { confirmImport, oldImports } from "../../app/features/imports/imports.server";
import { addCodes } from "../../app/features/mass-generations/add-codes.server";
import { createMassGeneration } from "../../app/features/mass-generations/create-mass-generation.server";
import { createPromotion } from "../../app/features/promotions/form/create-promotion.server";
import { replacePromotion } from "../../app/features/promotions/form/replace-promotion.server";
import { deleteUser } from "../../app/features/people/user-admin.server";
import { lockUsers } from "../../app/features/sign-in/users.server";
import { approve } from "../../app/http/approved-requests.server";
import { insertApproval } from "../factories/approvals";
import { deleteMassGeneration, deletePromotion } from "../factories/lifecycle";
import { insertMachine, insertUser } from "../factories/people-and-machines";
import { insertPromotion, newPromotion } from "../factories/promotions";
import { useActor } from "../support/actor";
import { countSessions } from "../support/database-sessions";
import { useImports } from "../support/import-files";
import { useDatabase } from "../support/postgres";
import { ago, rowById } from "../factories/rows";
import { changeSettings } from "../factories/settings";

useDatabase();
const { actor: user } = useActor(beforeEach);
const codesFile = {
  kind: "codes",
  heading: "code,name,discount,uses,expiration,machines,groups",
} as const;
const { options, runJobs, read, dryRun, importAll, undo } = useImports(user, codesFile);

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

async function askForImport(id: string, by = options()): Promise<string> {
  const held = await heldOf(confirmImport(id, by));
  return askForApproval(held!, by.actor);
}

const newAdmin = async () => ({ ...(await insertUser()), role: "admin" as const });

const makeWithin = (trx: Knex.Transaction, actor: Actor) =>
  requireApproval(
    trx,
    { kind: "single", name: "Fair", codes: 1, input: {} },
    { actor, idempotencyKey: null },
  );

async function waitsForLongerThan(time: string): Promise<boolean> {
  const rows = await db()("pg_locks")
    .where({ locktype: "advisory", granted: false })
    .whereRaw("waitstart < clock_timestamp() - cast(? as interval)", [time]);
  return rows.length > 0;
}

async function approveImport(id: string, by = options()): Promise<void> {
  await approve(await askForImport(id, by), await newAdmin());
  await runJobs();
}

beforeEach(() => changeSettings({ approval_codes: 10 }));

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

  it("doesn't count codes of an approved import that somebody else brought back", async () => {
    const lines = linesOf(11);
    const { id } = await dryRun(lines);
    await approveImport(id);
    await undo(id);
    const other = useImports(await insertUser(), codesFile);
    const again = await other.importAll(lines);
    expect(await other.read(again)).toMatchObject({ state: "imported" });
    expect(await heldOf(makeCodes(10))).toBeNull();
  });

  it("doesn't count codes of an approved import that were deleted before it was undone", async () => {
    const [alone] = linesOf(1);
    const { id } = await dryRun([...linesOf(11), alone!.replace("5%", "6%")]);
    await approveImport(id);
    const asAdmin = { actor: await newAdmin() };
    const [generation] = await db()("mass_generations")
      .where({ import_id: id })
      .pluck<string[]>("id");
    await deleteMassGeneration(generation!, asAdmin);
    const single = db()("promotions").where({ import_id: id, mass_generation_id: null });
    await deletePromotion((await single.first<{ id: string }>()).id, asAdmin);
    await undo(id);
    expect(await heldOf(makeCodes(10))).toBeNull();
  });

  it("counts codes once that an undone import brings back", async () => {
    const lines = linesOf(6);
    await undo(await importAll(lines));
    const { id } = await dryRun(lines);
    expect(await heldOf(confirmImport(id, options()))).toBeNull();
    expect(await heldOf(makeCodes(4))).toBeNull();
    await runJobs();
    expect(await read(id)).toMatchObject({ state: "imported" });
    expect(await heldOf(makeCodes(1))).toMatchObject({ codes: 1 });
  });

  it("is not raised by an approved import that came to nothing", async () => {
    const machine = await insertMachine();
    const { id } = await dryRun(linesOf(11, machine.serial_number));
    await rowById("machines", machine.id).update({ is_deleted: true, deleted_at: new Date() });
    await approveImport(id);
    expect(await read(id)).toMatchObject({ state: "checked" });
    expect(await heldOf(makeCodes(11))).toMatchObject({ codes: 11 });
  });

  it("lets a code wait longer than for other locks while a mass generation of the same person is made", async () => {
    const { actor } = options();
    const makeWithShortTimeout = async (trx: Knex.Transaction) => {
      await trx.raw("set local lock_timeout = '50ms'");
      await makeWithin(trx, actor);
      return (await trx.raw<{ rows: object[] }>("show lock_timeout")).rows;
    };
    const waiting = await db().transaction(async (making) => {
      await makeWithin(making, actor);
      const rows = db().transaction(makeWithShortTimeout);
      rows.catch(() => {});
      await expect.poll(() => waitsForLongerThan("200 milliseconds")).toBe(true);
      return { rows };
    });
    expect(await waiting.rows).toEqual([{ lock_timeout: "50ms" }]);
  });
});

describe("codes that wait for other codes of the same person", () => {
  /** Makes codes while others of the person are being made, and locks a row as a deactivation or a rollback does. */
  async function makeAndLock(make: () => Promise<unknown>, table: string, id: string) {
    const { waiting } = await db().transaction(async (making) => {
      await makeWithin(making, options().actor);
      const waiting = make();
      waiting.catch(() => {});
      await expect.poll(() => countSessions("waiting for a lock")).toBe(1);
      await db()(table).where({ id }).forUpdate().noWait().first();
      return { waiting };
    });
    await waiting;
  }

  it("leave the campaign that they are added to unlocked", async () => {
    const { id } = await makeCodes(2);
    await makeAndLock(() => addCodes(id, 2, options()), "mass_generations", id);
  });

  it("leave the code that they replace unlocked", async () => {
    const used = { is_single_use: true, period_uses: 1, activation_count: 1 };
    const id = await insertPromotion(used);
    await makeAndLock(() => replacePromotion(id, options()), "promotions", id);
  });
});

describe("what can't be made", () => {
  const refused = "can't be imported now";

  it("asks no second admin to confirm an import again", async () => {
    const { id } = await dryRun(linesOf(9));
    await confirmImport(id, options());
    await expect(confirmImport(id, options())).rejects.toThrow(refused);
    await runJobs();
    await expect(confirmImport(id, options())).rejects.toThrow(refused);
  });

  it("asks no second admin for an import with a wrong row", async () => {
    const { id } = await dryRun([...linesOf(11), "SHORT,Fair,5%,single,,,"]);
    await expect(confirmImport(id, options())).rejects.toThrow(refused);
  });

  it("asks no second admin to replace a code that has expired", async () => {
    await makeCodes(10);
    const used = { is_single_use: true, period_uses: 1, activation_count: 1 };
    const id = await insertPromotion({ ...used, expires_at: new Date("2020-01-01T00:00:00Z") });
    await expect(replacePromotion(id, options())).rejects.toThrow("Date cannot be in the past");
  });

  it.each([
    ["a machine that is unknown", { machines: ["nowhere"] }, "Not available: nowhere"],
    ["a date that has passed", { expirationDate: "2020-01-01" }, "Date cannot be in the past"],
  ])("asks no second admin for codes with %s", async (_, wrong, message) => {
    await makeCodes(10);
    const input = { ...newPromotion(), ...wrong };
    await expect(createPromotion(input, options())).rejects.toThrow(message);
    await expect(createMassGeneration({ ...input, numCodes: 2 }, options())).rejects.toThrow(
      message,
    );
  });
});

describe("a request for an import", () => {
  it("is there once, however often the file is to be imported", async () => {
    const { id } = await dryRun(linesOf(11));
    const first = await askForImport(id);
    expect(await askForImport(id)).toBe(first);
    await refuseApproval(first, await newAdmin());
    expect(await askForImport(id)).not.toBe(first);
  });

  it("is there once, also if several tabs confirm the file at once", async () => {
    const { id } = await dryRun(linesOf(11));
    const asked = await Promise.all(Array.from({ length: 4 }, () => askForImport(id)));
    expect(new Set(asked).size).toBe(1);
  });

  const sweepAfterADay = async (id: string) => {
    await rowById("imports", id).update({ created_at: ago("25 hours") });
    await sweep(oldImports);
  };

  it("can be approved more than a day after the upload", async () => {
    const { id } = await dryRun(linesOf(11));
    const request = await askForImport(id);
    await sweepAfterADay(id);
    await approve(request, await newAdmin());
    await runJobs();
    expect(await read(id)).toMatchObject({ state: "imported", rows: 11 });
  });

  it("keeps the file until a day after it was refused", async () => {
    const { id } = await dryRun(linesOf(11));
    const request = await askForImport(id);
    await refuseApproval(request, await newAdmin());
    await sweepAfterADay(id);
    expect(await read(id)).toMatchObject({ state: "checked" });
    await rowById("approvals", request).update({ decided_at: ago("25 hours") });
    await sweepAfterADay(id);
    await expect(read(id)).rejects.toMatchObject({ reason: "not_found" });
  });
});

describe("an approval", () => {
  const mass = () => ({ kind: "mass", input: { ...newPromotion(), numCodes: 2 }, codes: 2 });

  it.each([
    ["a code", "promotions", () => ({})],
    ["codes", "mass_generations", mass],
  ])("leads to %s from the moment that they are made", async (_what, table, wanted) => {
    const request = await insertApproval(user.id, wanted());
    const made = await approve(request, await newAdmin());
    const writtenBy = (name: string, id: string) =>
      db()(name).where({ id }).first<{ xid: string; result: string }>(db().raw("*, xmin as xid"));
    const decided = await writtenBy("approvals", request);
    expect(decided.result).toBe(made);
    // One transaction wrote both.
    expect(decided.xid).toBe((await writtenBy(table, made.split("/").at(-1)!)).xid);
  });
});

it("can't be approved once what it is about was removed, as sample data is", async () => {
  const removed = { kind: "added", input: { id: "999999", numCodes: 1 } };
  const request = await insertApproval(user.id, removed);
  await expect(approve(request, await newAdmin())).rejects.toMatchObject({
    reason: "conflict",
    message: "What this request is about no longer exists. Refuse it.",
  });
});

describe("a repeated decision", () => {
  it("leads the admin who approved to what was made, and makes nothing more", async () => {
    const request = await insertApproval(user.id);
    const admin = await newAdmin();
    const made = await approve(request, admin);
    expect(await approve(request, admin)).toBe(made);
    expect(await db()("promotions").where({ created_by: user.id }).pluck("id")).toEqual([
      made.split("/").at(-1),
    ]);
    await expect(approve(request, await newAdmin())).rejects.toThrow("decided before");
  });

  it("is accepted from the admin who refused, and from no other", async () => {
    const request = await insertApproval(user.id);
    const admin = await newAdmin();
    await refuseApproval(request, admin);
    await refuseApproval(request, admin);
    await expect(refuseApproval(request, await newAdmin())).rejects.toThrow("decided before");
    await expect(approve(request, admin)).rejects.toThrow("decided before");
  });
});

describe("a change of the limit", () => {
  const admin = { role: "admin", password_hash: "set", email_verified_at: new Date() };
  const demote = (id: string, database = db()) =>
    database("users").where({ id }).update({ role: "user" });
  const limit = async () => (await db()("site_settings").first("approval_codes")).approval_codes;

  /** @returns the only two admins, of whom the first asked for a limit of 100 codes */
  async function arrange() {
    await db()("users").update({ role: "user" });
    const [asker, other] = [await insertUser(admin), await insertUser(admin)];
    const wanted = {
      kind: "limit",
      name: "Limit of 100 codes",
      codes: null,
      input: { limit: 100 },
    };
    const request = await insertApproval(asker.id, wanted);
    return { asker, approved: () => approve(request, { ...other, role: "admin" }) };
  }

  it("is asked for once, also if several admins ask for the same limit at once", async () => {
    await db()("users").update({ role: "user" });
    const admins = await Promise.all(Array.from({ length: 4 }, () => insertUser(admin)));
    const asked = await Promise.all(
      admins.map(({ id, email }) => askForLimit(70, { actor: { id, email } })),
    );
    expect(new Set(asked).size).toBe(1);
    await db()("approvals").delete();
  });

  it("is carried out with the approval of a second admin", async () => {
    const { approved } = await arrange();
    await approved();
    expect(await limit()).toBe(100);
  });

  it("is refused once who asked is no admin any more", async () => {
    const { asker, approved } = await arrange();
    await demote(asker.id);
    await expect(approved()).rejects.toThrow("Who asked for this may no longer make it");
    expect(await limit()).toBe(10);
  });

  it("is refused while the second admin is being removed", async () => {
    const { asker, approved } = await arrange();
    const trx = await db().transaction();
    await lockUsers(trx);
    await demote(asker.id, trx);
    const outcome = approved().catch((cause: unknown) => cause);
    await expect.poll(() => countSessions("waiting for a lock"), { interval: 5 }).toBe(1);
    await trx.commit();
    expect(await outcome).toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("two admins"),
    });
    expect(await limit()).toBe(10);
  });

  it("keeps the last two admins at once, whichever instance approved it", async () => {
    const { asker } = await arrange();
    await changeSettings({ approval_codes: null });
    await db()("site_settings").update({ approval_codes: 100 });
    await expect(deleteUser(asker.id, options())).rejects.toThrow("this is one of two");
  });
});
