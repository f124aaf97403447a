import { beforeEach, expect } from "vitest";
import { db } from "../../app/db/connection.server";
import { runDueJobs } from "../../app/db/job-runner.server";
import { jobsTable } from "../../app/db/jobs.server";
import { importJobs } from "../../app/features/imports/import-jobs.server";
import type { ImportKind } from "../../app/features/imports/import-kinds";
import {
  confirmImport,
  getImport,
  readWrongRows,
  undoImport,
} from "../../app/features/imports/imports.server";
import { stageImport } from "../../app/features/imports/stage-import.server";
import type { Role } from "../../app/features/sign-in/user";
import { useActor } from "./actor";
import { useDatabase } from "./postgres";

/** Gives a test file a database without members of groups and assignments before each test. @returns who imports */
export function useImportDatabase() {
  useDatabase();
  const { actor } = useActor();
  beforeEach(async () => {
    await db().transaction(async (trx) => {
      await trx("machine_group_members").delete();
      await trx("assignments").delete();
      await trx("assignment_sets").update({ is_assigned: false });
    });
  });
  return actor;
}

export const auditedActions = () => db()("audit_log").orderBy("id").pluck<string[]>("action");

export const findMachine = (serial_number: string) =>
  db()("machines").where({ serial_number }).first();

async function* pieces(file: string) {
  for (let at = 0; at < file.length; at += 100)
    yield await Promise.resolve(Buffer.from(file.slice(at, at + 100)));
}

/**
 * Takes files through the steps of an import, as the user who acts.
 * @param options.heading the columns of files that name none
 */
export function useImports(
  user: { id: string; email: string },
  { kind, heading, role = "user" }: { kind: ImportKind; heading: string; role?: Role },
) {
  const actor = () => ({ ...user, role });
  const options = () => ({ actor: actor(), idempotencyKey: null });
  const runJobs = () => runDueJobs(jobsTable(importJobs));
  const read = (id: string) => getImport(id, actor());

  /** @param lines without the heading */
  async function stage(lines: string[], first = heading, idempotencyKey: string | null = null) {
    const file = [first, ...lines].join("\n");
    const upload = { kind, fileName: `${kind}.csv`, bytes: pieces(file) };
    const { id } = await stageImport(upload, { ...options(), idempotencyKey });
    return id;
  }

  async function dryRun(lines: string[], first?: string) {
    const id = await stage(lines, first);
    await runJobs();
    return { id, item: await read(id), wrong: await readWrongRows(id) };
  }

  async function importAll(lines: string[], first?: string) {
    const { id, wrong } = await dryRun(lines, first);
    expect(wrong).toEqual([]);
    await confirmImport(id, options());
    await runJobs();
    return id;
  }

  async function undo(id: string) {
    await undoImport(id, options());
    await runJobs();
    return read(id);
  }

  /** Lists the wrong rows of a file, as 'line: reason'. */
  async function wrongRowsOf(lines: string[]) {
    const { wrong } = await dryRun(lines);
    return wrong.map(({ line, reason }) => `${line}: ${reason}`);
  }

  return { actor, options, runJobs, read, stage, dryRun, importAll, undo, wrongRowsOf };
}
