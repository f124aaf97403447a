import { describe, expect, inject, it } from "vitest";
import { connect, db, disconnect } from "../../app/db/connection.server";
import { sweep } from "../../app/db/sweep.server";
import { checkImport } from "../../app/features/imports/import-jobs.server";
import {
  confirmImport,
  oldImports,
  readWrongRows,
} from "../../app/features/imports/imports.server";
import { countSessions } from "../support/database-sessions";
import { findMachine, useImportDatabase, useImports } from "../support/import-files";
import { ago, rowById } from "../factories/rows";
import { startRelay } from "../support/relay";
import { databaseUrl } from "../support/test-cluster";

const user = useImportDatabase();

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
    expect(await findMachine("DAY-3")).toBeUndefined();
  });
});

describe("a file whose upload got no answer of the database", () => {
  const groups = useImports(user, { kind: "groups", heading: "group,machines,kind" });

  it("is found by the same upload again", async () => {
    const name = (await db().raw("select current_database() as name")).rows[0].name;
    const url = databaseUrl(inject("postgres"), name);
    const relay = await startRelay(url);
    await disconnect();
    connect(relay.url);
    const lost = relay.cutAt("COMMIT").then(relay.mend);
    const upload = () => groups.stage(["Lost,,"], undefined, "lost-upload");
    await Promise.all([expect(upload()).rejects.toThrow(), lost]);
    await disconnect();
    connect(url);
    const repeated = await upload();
    await groups.runJobs();
    expect(await groups.read(repeated)).toMatchObject({ state: "checked", rows: 1 });
  });
});
