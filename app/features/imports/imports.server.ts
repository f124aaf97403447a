/** Imports of files: listed, confirmed and undone. Users see their own, admins all (RULES I1). */
import type { Knex } from "knex";
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { addJob } from "../../db/jobs.server";
import { wakeJobs } from "../../db/job-runner.server";
import { namesIn, queryPage, readPages, type PageQuery } from "../../db/pages.server";
import type { Leftovers } from "../../db/sweep.server";
import { conflict, forbidden, notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import { paths } from "../../paths";
import { recordAction, type Actor } from "../activity/audit-log.server";
import {
  requestedImportsSql,
  requireApproval,
  storeApprovalResult,
  type Decision,
} from "../approvals/approvals.server";
import { runOnce, type ActionOptions } from "../activity/idempotency.server";
import type { Role } from "../sign-in/user";
import { csvFile } from "../../codec/csv.server";
import type { Import, Imported, ImportState } from "./import";
import { importKinds, type ImportKind } from "./import-kinds";
import { maxImportedShown } from "./import-steps.server";
import { importSteps } from "./kinds/steps.server";

/** The person who reads imports; the role decides which ones. */
type ImportReader = { id: string; role: Role };

const undoInterval = "interval '1 day'";

const columnsSql = `i.id, i.kind, i.state, i.file_name, i.rows, i.wrong_rows, i.position, i.outcome, i.created_at,
  (select u.email from users u where u.id = i.created_by) as created_by, i.imported_at,
  i.state = 'imported' and i.imported_at > now() - ${undoInterval} as can_undo`;

const visibleSql = "i.state <> 'reading' and (i.created_by = :userId or :isAdmin)";

function readerBindings({ id, role }: ImportReader) {
  return { userId: id, isAdmin: role === "admin" };
}

export function listImports(reader: ImportReader, pageQuery: PageQuery) {
  const from = `imports i where ${visibleSql}`;
  return queryPage<Import>(
    {
      from,
      rows: `select ${columnsSql} from ${from} order by i.id desc limit :perPage offset :offset`,
    },
    readerBindings(reader),
    pageQuery,
  );
}

/** @throws DomainError not_found */
export async function getImport(id: string, reader: ImportReader): Promise<Import> {
  const item = await one<Import>(
    db(),
    `select ${columnsSql} from imports i where i.id = :id and ${visibleSql}`,
    { id: parseRecordId(id), ...readerBindings(reader) },
  );
  if (!item) throw notFound("Import not found");
  return item;
}

/** @throws DomainError forbidden */
function requireRole(kind: ImportKind, { role }: { role: Role }): void {
  if (importKinds[kind].isForAdmins && role !== "admin")
    throw forbidden("You are not allowed to do this.");
}

/** @throws DomainError forbidden; conflict: the site can't import such files */
export async function requireKind(kind: ImportKind, user: { role: Role }): Promise<void> {
  requireRole(kind, user);
  await requireAvailable(kind);
}

async function requireAvailable(kind: ImportKind, database?: Database): Promise<void> {
  const reason = await whyUnavailable(kind, database);
  if (reason !== null) throw conflict(reason);
}

/** Says why the site can't import such files; null where it can. */
export async function whyUnavailable(
  kind: ImportKind,
  database: Database = db(),
): Promise<string | null> {
  return (await importSteps[kind].whyUnavailable?.(database)) ?? null;
}

/** Reasons why an import is not confirmed, by its state. */
const confirmRejections: Record<ImportState, string> = {
  checking: "it is still being checked",
  checked: "it has wrong rows",
  importing: "it is being imported already",
  imported: "it was imported already",
  undoing: "its import is being undone",
  undone: "its import was undone. Upload it again",
};

const notImported = "This file was not imported, so there is nothing to undo.";
/** Reasons why an import is not undone, by its state. */
export const undoRejections: Record<ImportState, string> = {
  checking: notImported,
  checked: notImported,
  importing: "This file is still being imported. Undo it when that is done.",
  imported: "This import can't be undone any more.",
  undoing: "This import is already being undone.",
  undone: "This import is already undone.",
};

export type ImportActor = Actor & { role: Role };

type ImportOptions = Omit<ActionOptions, "actor"> & {
  actor: ImportActor;
  /** The approval of a second admin that is being carried out. */
  decision?: Decision;
};

/**
 * Starts the import of all rows; a repetition changes nothing.
 * @throws DomainError not_found, forbidden; conflict: it is not checked, rows are wrong, or its rows may be deleted
 * @throws HeldForApproval: its codes wait for a second admin
 */
export function confirmImport(id: string, options: ImportOptions): Promise<void> {
  return changeState(id, options, {
    from: "checked",
    to: "importing",
    job: "import_run",
    condition: "wrong_rows = 0",
    reject: (state) => `This file can't be imported now: ${confirmRejections[state]}.`,
    async before(trx, { id, kind, fileName, rows, outcome }) {
      await requireAvailable(kind, trx);
      // The sweep may have begun to delete the rows.
      if (await one(trx, `select from imports where id = :id and ${isOldSql}`, { id }))
        throw conflict("This file was uploaded more than a day ago. Upload it again.");
      const { actor, idempotencyKey = null, decision } = options;
      // Codes that come back were counted when they were made.
      if (kind !== "codes" || (outcome?.revives && !decision)) return;
      const wanted = { kind: "import", name: fileName, codes: rows } as const;
      const input = { id, to: "importing" };
      await requireApproval(trx, { ...wanted, input }, { actor, idempotencyKey, decision });
      await storeApprovalResult(trx, decision, paths.import(id));
    },
  });
}

/**
 * Starts to undo an import: at once no code of a mass generation is accepted any more.
 * @throws DomainError not_found, forbidden; conflict: a day has passed, or something was redeemed
 */
export function undoImport(id: string, options: ImportOptions): Promise<void> {
  return changeState(id, options, {
    from: "imported",
    to: "undoing",
    job: "import_undo",
    condition: `imported_at > now() - ${undoInterval}`,
    reject: (state) => undoRejections[state],
  });
}

/** Says what undoing an import would remove now. */
export async function describeUndo({ id, kind }: Pick<Import, "id" | "kind">): Promise<string> {
  return importKinds[kind].undoing(await importSteps[kind].countUndoable(id));
}

type StateChange = {
  from: "checked" | "imported";
  to: "importing" | "undoing";
  job: "import_run" | "import_undo";
  condition: string;
  /** Returns the message about an import that it doesn't change. */
  reject: (state: ImportState) => string;
  /** Runs before the change, in the same transaction, where its condition holds. */
  before?: (trx: Knex, item: Import) => Promise<void>;
};

async function changeState(
  importId: string,
  { actor, idempotencyKey }: ImportOptions,
  { from, to, job, condition, reject, before }: StateChange,
): Promise<void> {
  const item = await getImport(importId, actor);
  const { id, rows, fileName, kind, outcome } = item;
  requireRole(kind, actor);
  await runOnce({ actor, idempotencyKey }, { id, to }, async (trx) => {
    const canChange = await one(
      trx,
      `select from imports where id = :id and state = :from and ${condition} for no key update`,
      { id, from },
    );
    if (!canChange) throw conflict(reject((await getImport(id, actor)).state));
    await before?.(trx, item);
    await query(
      trx,
      "update imports set state = :to, position = 0, confirmed_by = :userId where id = :id",
      { id, to, userId: actor.id },
    );
    if (to === "undoing") await importSteps[kind].startUndo(trx, id);
    await recordAction(trx, actor, to === "undoing" ? "import.undone" : "import.confirmed", id, {
      covered: rows,
      details: { file: fileName, kind, ...outcome?.counts },
    });
    await addJob(trx, { kind: job, subject: id });
  });
  wakeJobs();
}

const maxWrongShown = 100;

export type WrongRow = { line: number; entry: string; reason: string };

export function readWrongRows(importId: string): Promise<WrongRow[]> {
  return query<WrongRow>(
    db(),
    `select r.line, r.entry, r.problem as reason from import_rows r
     where r.import_id = :importId and r.problem is not null order by r.line limit ${maxWrongShown}`,
    { importId },
  );
}

/** Reads the first entries that an import brought, and whether there are more. */
export async function readImported({
  id,
  kind,
}: Pick<Import, "id" | "kind">): Promise<{ entries: Imported[]; hasMore: boolean }> {
  const entries = await importSteps[kind].readImported(id);
  const hasMore = entries.length > maxImportedShown;
  return { entries: entries.slice(0, maxImportedShown), hasMore };
}

type Verdict = Omit<WrongRow, "reason"> & { reason: string | null };

const pageRows = 1_000;

/** Whether the rows of a file have verdicts: they were checked, and are not deleted yet. */
export function hasVerdicts({ id, state }: Pick<Import, "id" | "state">): Promise<boolean> {
  return readValue(
    db(),
    "select :isChecked and exists (select from import_rows where import_id = :id) as exist",
    { id, isChecked: ["checked", "importing", "imported"].includes(state) },
  );
}

/** Writes a line for each row of the file. */
export function exportVerdicts(importId: string): AsyncGenerator<string> {
  return csvFile<Verdict>(
    [
      ["Line", ({ line }) => line],
      ["Entry", ({ entry }) => entry],
      ["Verdict", ({ reason }) => (reason === null ? "OK" : "Wrong")],
      ["Reason", ({ reason }) => reason],
    ],
    readPages(pageRows, (last) =>
      query(
        db(),
        `select r.line, r.entry, r.problem as reason from import_rows r
         where r.import_id = :importId and r.line > :after order by r.line limit ${pageRows}`,
        { importId, after: last?.line ?? 0 },
      ),
    ),
  );
}

export const importNames = namesIn("imports", "file_name");

const isOldSql = `created_at < now() - interval '1 day' and id <> all(${requestedImportsSql})`;

/** Rows of files, and imports that were not confirmed, a day after the file arrived or a second admin decided. */
export const oldImports: Leftovers[] = [
  {
    table: "import_rows",
    conditionSql: `import_id in (select id from imports
      where ${isOldSql} and state in ('reading', 'checking', 'checked', 'imported', 'undone'))`,
  },
  { table: "imports", conditionSql: `${isOldSql} and state in ('reading', 'checking', 'checked')` },
];
