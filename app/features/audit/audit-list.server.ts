/** Reads the audit log as a list and as CSV. */
import { db, one, query } from "../../db/connection.server";
import { allOf, containsPattern, maxMeant, type PageQuery, queryPage } from "../../db/pages.server";
import { invalidFields } from "../../errors";
import { isSinceDaySql, isUntilDaySql, siteTimeZone } from "../../db/site.server";
import { csvFile, type CsvColumn } from "../../codec/csv.server";
import { formatDateTime } from "../../format/date";
import { createdIntervals } from "../../lists/list";
import { paths } from "../../paths";
import { canEdit, isAmong, type Audience, type Reader, type User } from "../sign-in/user";
import { userNames } from "../sign-in/users.server";
import {
  describeAction,
  describeChanges,
  toActionName,
  type AuditRow,
} from "../activity/audit-log.server";
import { subjectLabels, type SubjectType } from "../activity/subject";
import type { AuditFilters } from "./audit-list";
import {
  findSubjects,
  maxNamed,
  namedIds,
  readSubjectNames,
  type SubjectNames,
} from "./subject-names.server";

type ListedRow = AuditRow & {
  actorId: string | null;
  subjectIds: string[] | null;
  address: string | null;
  requestId: string | null;
};

const columnsSql = `id, created_at, actor_id, actor_name, action, subject_type, subject_id,
  cast(subject_ids[1:20] as text[]) as subject_ids, covered, details, address, request_id`;

const maxCounted = 10_000;

export async function listAudit(filters: AuditFilters, pageQuery: PageQuery) {
  const { sql, bindings } = await conditionOf(filters);
  const { rows, total, page } = await queryPage<ListedRow>(
    {
      from: `(select from audit_log where ${sql} limit ${maxCounted + 1}) counted`,
      rows: `select ${columnsSql} from audit_log where ${sql}
        order by created_at desc, id desc limit :perPage offset :offset`,
    },
    bindings,
    pageQuery,
  );
  const count = Math.min(total, maxCounted);
  return {
    rows: await toAuditViews(rows, { role: "admin" }),
    total: { count, isCapped: total > maxCounted },
    page,
  };
}

/** Reads the newest actions of a user, newest first; those about the own account name no subject. */
export async function latestActionsOf({ id: userId, role }: Pick<User, "id" | "role">) {
  const rows = await query<ListedRow>(
    db(),
    `select ${columnsSql} from audit_log where actor_id = :userId order by id desc limit 50`,
    { userId },
  );
  const views = await toAuditViews(rows, { role });
  return views.map((view, index) => {
    const { subjectType, subjectId } = rows[index]!;
    return subjectType === "user" && subjectId === userId ? { ...view, subject: null } : view;
  });
}

/** Keys of `details` that hold the name that a subject had. */
const namesInDetails = ["name", "email", "url"];

/** Whether a name matches, or either side of its change. As JSON it would have its quotes escaped. */
const hasNameSql = (key: string) => `
  jsonb_typeof(details -> '${key}') = 'string' and details ->> '${key}' ilike :subject
  or details -> '${key}' ->> 'from' ilike :subject
  or details -> '${key}' ->> 'to' ilike :subject`;

/** Subjects that exist are found by their present names, others by those that their entries hold. */
async function subjectCondition({ subject, subjectType }: AuditFilters) {
  if (subject === "") return { sql: null, bindings: {} };
  const found = await findSubjects(subject, subjectType);
  const conditions = [
    ...found.map(
      ([type]) => `subject_type = '${type}' and (subject_id = any(cast(:ids_${type} as bigint[]))
        or subject_ids && cast(:ids_${type} as bigint[]))`,
    ),
    ...namesInDetails.map(hasNameSql),
  ];
  return {
    sql: conditions.join(" or "),
    bindings: {
      subject: containsPattern(subject),
      ...Object.fromEntries(found.map(([type, ids]) => [`ids_${type}`, `{${ids.join()}}`])),
    },
  };
}

/** @throws DomainError invalid, `fields.actor`: too many users have such a name */
async function findActorIds({ actor }: AuditFilters): Promise<string[]> {
  const ids = actor === "" ? [] : await userNames.find(actor);
  if (ids.length > maxMeant)
    throw invalidFields({ actor: "Too many users match this name: type more of it" });
  return ids;
}

/** @throws DomainError invalid, with the name of the filter: too many subjects or users have such a name */
async function conditionOf(filters: AuditFilters) {
  const [subject, actorIds] = await Promise.all([subjectCondition(filters), findActorIds(filters)]);
  const { created, createdAfter, createdBefore, actor, action, subjectType, subjectId } = filters;
  const conditions = [
    created && "created_at > now() - cast(:within as interval)",
    createdAfter && isSinceDaySql("created_at", "createdAfter"),
    createdBefore && isUntilDaySql("created_at", "createdBefore"),
    actor && "actor_name ilike :actor or actor_id = any(:actorIds)",
    filters.signIns === false && "action not in ('user.signed_in', 'user.signed_out')",
    subject.sql,
    action && "action ilike :action",
    subjectType && "subject_type = :subjectType",
    subjectId && "(subject_id = :subjectId or subject_ids @> array[cast(:subjectId as bigint)])",
  ];
  const bindings = {
    createdAfter,
    createdBefore,
    subjectType,
    subjectId,
    timeZone: siteTimeZone(),
    ...subject.bindings,
    within: created && createdIntervals[created],
    actorIds,
    actor: containsPattern(actor.trim()),
    action: containsPattern(toActionName(action)),
  };
  return { sql: allOf(conditions), bindings };
}

export type AuditView = Awaited<ReturnType<typeof toAuditViews>>[number];

async function toAuditViews(rows: ListedRow[], reader: Reader) {
  const readable = rows.filter(({ subjectType }) => mayOpen(subjectType, reader));
  const names = await readSubjectNames(readable, reader);
  const hasCodes = canEdit(reader);
  return rows.map((row) => ({
    id: row.id,
    occurredAt: formatDateTime(row.createdAt, siteTimeZone()),
    actor: row.actorName,
    action: describeAction(row),
    subject: subjectOf(row, names, reader),
    changes: describeChanges(row, { hasCodes }),
    address: row.address ?? "",
  }));
}

/** The pages of subjects, and whose role opens one that others can't. */
const pagesOfSubjects: Partial<
  Record<SubjectType, [page: (id: string) => string, isFor?: Audience]>
> = {
  promotion: [paths.promotion],
  mass_generation: [paths.generation],
  machine_group: [paths.machineGroup],
  import: [paths.import, "editors"],
  approval: [paths.approval, "editors"],
  integration: [paths.integration, "admins"],
  user: [paths.user, "admins"],
  webhook: [paths.webhook, "admins"],
  report_schedule: [() => paths.reportSchedules, "admins"],
  mail: [() => paths.outgoingMail, "admins"],
};

/** Whether a reader may open the page of a subject, if it has one. People may have done more in an earlier role. */
function mayOpen(subjectType: SubjectType, reader: Reader): boolean {
  const [, isFor] = pagesOfSubjects[subjectType] ?? [];
  return isAmong(isFor, reader);
}

/** The value that names a subject in the details of an action; of others it is 'name'. */
const namingDetails: Partial<Record<SubjectType, string>> = { user: "email", webhook: "url" };

/** Names the subject, by its number where nothing else is known, and links its page unless that is gone. */
function subjectOf(row: ListedRow, names: SubjectNames, reader: Reader) {
  const { subjectType } = row;
  const label = subjectLabels[subjectType] ?? subjectType;
  const [id, ...others] = namedIds(row);
  const name = nameOf(row, names);
  if (id === undefined || others.length > 0) return { label: `${label}s ${name}`.trim(), to: null };
  // There is one site.
  if (subjectType === "site") return { label, to: null };
  const [page] = pagesOfSubjects[subjectType] ?? [];
  const isGone = names[subjectType]?.has(id) === false;
  const to = page && mayOpen(subjectType, reader) && !isGone ? page(id) : null;
  return { label: `${label} ${name || id}`, to };
}

/** Returns what the subjects are called now, or what the action calls its subject; '' if nothing does. */
function nameOf(row: ListedRow, names: SubjectNames): string {
  const known = namedIds(row).flatMap((id) => names[row.subjectType]?.get(id) ?? []);
  const isCut = known.length > 0 && (row.subjectIds?.length ?? 0) > maxNamed;
  return known.join(", ") + (isCut ? ", …" : "") || (nameIn(row) ?? "");
}

function nameIn({ subjectType, details }: ListedRow): string | undefined {
  const value = details[namingDetails[subjectType] ?? "name"] as
    string | { from?: unknown; to?: unknown } | null | undefined;
  const name = typeof value === "object" ? (value?.to ?? value?.from) : value;
  return typeof name === "string" ? name : undefined;
}

/** Bounds the memory of a page, and the time that other requests wait for it. */
const pageRows = 1_000;

/** Writes the matching entries as CSV, newest first; those made after the first page are left out. */
export function exportAudit(filters: AuditFilters): AsyncGenerator<string> {
  return csvFile(csvColumns(), exportedPages(filters));
}

async function* exportedPages(filters: AuditFilters): AsyncGenerator<ExportedEntry[]> {
  const { sql, bindings } = await conditionOf(filters);
  const end = await one<{ id: string | null }>(db(), "select max(id) + 1 as id from audit_log");
  for (let before = end!.id; before !== null;) {
    const rows: ListedRow[] = await query(
      db(),
      `select ${columnsSql} from audit_log where ${sql} and id < :before
       order by id desc limit ${pageRows}`,
      { ...bindings, before },
    );
    const names = await readSubjectNames(rows, { role: "admin" });
    yield rows.map((row) => ({ ...row, names }));
    before = rows.length === pageRows ? rows.at(-1)!.id : null;
  }
}

type ExportedEntry = ListedRow & { names: SubjectNames };

function csvColumns(): CsvColumn<ExportedEntry>[] {
  const timeZone = siteTimeZone();
  return [
    ["ID", ({ id }) => id],
    ["Time (ISO, UTC)", ({ createdAt }) => createdAt.toISOString()],
    [`Time (${timeZone})`, ({ createdAt }) => formatDateTime(createdAt, timeZone)],
    ["By", ({ actorName }) => actorName],
    ["User ID", ({ actorId }) => actorId],
    ["Action", ({ action }) => action],
    ["Subject", ({ subjectType }) => subjectType],
    ["Subject ID", ({ subjectId }) => subjectId],
    ["Subject name", (entry) => nameOf(entry, entry.names)],
    ["Covered", ({ covered }) => covered],
    ["Details (JSON)", ({ details }) => JSON.stringify(details)],
    ["Address", ({ address }) => address],
    ["Request ID", ({ requestId }) => requestId],
  ];
}
