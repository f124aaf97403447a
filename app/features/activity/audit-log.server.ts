import { isDeepStrictEqual } from "node:util";
import type { Knex } from "knex";
import { db, query } from "../../db/connection.server";
import { siteTimeZone } from "../../db/site.server";
import { formatDateTime, formatDay } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import type { SubjectType } from "./subject";

/** A request, for limits, the audit log and notices. */
export type Origin = {
  requestId: string;
  /** The IP address. */
  address: string;
  /** The header that names the browser. */
  userAgent: string;
};

/** A signed-in user who acts on a screen or through the API; outside of requests there is no origin. */
export type Actor = Partial<Origin> & {
  id: string;
  email: string;
  /** The version of the credentials when the session was found (RULES H18); absent for tokens and keys. */
  credentialsVersion?: number;
  /** The token or key of a call; absent on screens, whose forms ask for the password themselves. */
  bearer?: { isKey: boolean; isPasswordRecent: boolean };
};

/** The product itself, which acts without being asked. */
export const systemActor = { id: null, email: "System" };

/**
 * Writes one row for one action, in the transaction that performs it.
 * @param action the type of its subject and what happened to it: 'promotion.created'
 * @param subject the id of what the action is about, or the ids of all that one action covers
 * @param options.covered the number of codes that the action covers; by default the number of ids
 * @param options.details the changes as `{field: {from, to}}`, or the values of what was created
 */
export async function recordAction(
  trx: Knex,
  actor: Actor | (typeof systemActor & Partial<Origin>),
  action: `${SubjectType}.${string}`,
  subject: string | readonly string[],
  options: { covered?: number; details?: object } = {},
): Promise<void> {
  const isOne = typeof subject === "string";
  const { covered = isOne ? 1 : subject.length, details = {} } = options;
  await trx("audit_log").insert({
    actor_id: actor.id,
    actor_name: actor.email,
    action,
    subject_type: action.split(".")[0],
    subject_id: isOne ? subject : null,
    subject_ids: isOne ? null : [...subject],
    covered,
    details: JSON.stringify(details),
    request_id: actor.requestId ?? null,
    address: actor.address ?? null,
  });
}

export type HistoryEntry = Awaited<ReturnType<typeof readHistory>>[number];

export type AuditRow = {
  id: string;
  createdAt: Date;
  actorName: string;
  action: string;
  subjectType: SubjectType;
  subjectId: string | null;
  covered: number;
  details: Record<string, unknown>;
};

/** Longer histories show their newest part. */
const maxHistoryEntries = 50;

/**
 * Reads what happened to a promotion, newest first: to itself, to its mass generation, and in bulk
 * actions that covered it. Each of these conditions reads an index of its own.
 */
export function promotionHistory(
  promotion: { id: string; massGenerationId: string | null },
  options: DescribeOptions,
) {
  const bindings = { id: promotion.id, generationId: promotion.massGenerationId };
  const conditions = [
    "subject_type = 'promotion' and subject_id = :id",
    isGenerationSql,
    "subject_type = 'promotion' and subject_ids @> array[cast(:id as bigint)]",
  ];
  const describe = (row: AuditRow) =>
    row.subjectType === "mass_generation"
      ? `${describeAction(row)} with its campaign (${formatCodes(row.covered)})`
      : describeAction(row);
  return readHistory(conditions, bindings, describe, options);
}

/** Reads what happened to a mass generation, and bulk actions that covered codes of it. */
export function generationHistory(generationId: string) {
  const conditions = [
    isGenerationSql,
    "details -> 'generations' @> jsonb_build_array(jsonb_build_object('id', cast(:generationId as text)))",
  ];
  return readHistory(conditions, { generationId }, (row) => {
    if (row.subjectType === "mass_generation")
      return `${describeAction(row)} (${formatCodes(row.covered)})`;
    const counts = row.details.generations as { id: string; codes: number }[];
    const { codes } = counts.find(({ id }) => id === generationId)!;
    return `${labelOf(row.action)} (${formatCodes(codes)} in a bulk action)`;
  });
}

export function historyOf(type: "machine_group" | "user", id: string) {
  const condition = `subject_type = '${type}' and subject_id = :id`;
  return readHistory([condition], { id });
}

export function settingsHistory() {
  const condition = "subject_type = 'site' and subject_id = 1 and action = 'site.settings_changed'";
  return readHistory([condition], {});
}

const isGenerationSql = "subject_type = 'mass_generation' and subject_id = :generationId";

async function readHistory(
  conditions: string[],
  bindings: Record<string, string | null>,
  describe: (row: AuditRow) => string = describeAction,
  options: DescribeOptions = { hasCodes: false },
) {
  const parts = conditions.map(
    (condition) =>
      `(select id, created_at, actor_name, action, subject_type, subject_id, covered, details
        from audit_log where ${condition} order by id desc limit ${maxHistoryEntries})`,
  );
  const rows = await query<AuditRow>(
    db(),
    `select * from (${parts.join(" union ")}) parts order by id desc limit ${maxHistoryEntries}`,
    bindings,
  );
  return rows.map((row) => ({
    id: row.id,
    occurredAt: formatDateTime(row.createdAt, siteTimeZone()),
    actor: row.actorName,
    action: describe(row),
    changes: describeChanges(row, options),
  }));
}

/** Writes 'promotion.machines_added' as 'Machines added'. */
export function describeAction({
  action,
  subjectId,
  covered,
}: Pick<AuditRow, "action" | "subjectId" | "covered">): string {
  const label = labelOf(action);
  return subjectId === null ? `${label} together with ${others(covered - 1)}` : label;
}

function labelOf(action: string): string {
  return toLabel(action.split(".").at(-1)!);
}

/** Terms of the log that screens have others for. */
const screenTerms = [
  ["second factor", "two-step verification"],
  ["asked", "approval requested"],
] as const;

/** Returns the name, or a part of it, that the log has for an action as it was typed. */
export function toActionName(text: string): string {
  const words = screenTerms.reduce(
    (name, [logged, screenTerm]) => name.replace(screenTerm, logged),
    // A part of 'Approval requested' is found, too.
    text
      .trim()
      .toLowerCase()
      .replace(/^(approval )?request(ed)?$/, "approval requested"),
  );
  return words.replaceAll(" ", "_");
}

function toLabel(name: string): string {
  const words = screenTerms.reduce(
    (text, [logged, screenTerm]) => text.replace(logged, screenTerm),
    // Users are edited by names such as 'firstName'.
    name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
  return words.replace(/^(api|.)/, (start) => start.toUpperCase());
}

function others(count: number): string {
  return count < 1 ? "no other" : countOf(count, "other");
}

const fieldLabels: Record<string, string> = {
  is_active: "Active",
  is_deleted: "Deleted",
  url: "Address",
  num_codes: "Codes",
};

/** Details whose values are codes or hold some, and who got one. */
const codeDetails = ["replaces", "recipient", "alert"];

/** @property hasCodes false leaves these details out, for viewers (RULES H23) */
type DescribeOptions = { hasCodes: boolean };

type Change<Value> = Record<"from" | "to", Value>;

/** Returns the values that differ, as the details of an action have them. */
export function changesBetween<Values extends object>(existing: Values, values: Partial<Values>) {
  const names = Object.keys(values) as (keyof Values & string)[];
  const changed = names.filter((name) => !isDeepStrictEqual(values[name], existing[name]));
  return Object.fromEntries(
    changed.map((name) => [name, { from: existing[name], to: values[name] }]),
  );
}

/**
 * Writes the changes of an action as lines: 'Name: Old → New'. What had no value before is its new value alone,
 * without its name where the action names it ('Machines added').
 */
export function describeChanges(
  { action, details }: Pick<AuditRow, "action" | "details">,
  { hasCodes }: DescribeOptions,
): string[] {
  return Object.entries(details).flatMap(([name, change]) => {
    if (!isChange(change) || (!hasCodes && codeDetails.includes(name))) return [];
    const { from, to } = describeChange(change);
    const field = fieldLabels[name] ?? toLabel(name);
    if (from !== "none") return `${field}: ${from} → ${to}`;
    return field === labelOf(action) ? to : `${field}: ${to}`;
  });
}

function isChange(value: unknown): value is Change<unknown> {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}

/** Describes long lists by their lengths and what was added and removed. */
function describeChange({ from, to }: Change<unknown>): Change<string> {
  const isLong = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > 10;
  if (!Array.isArray(from) || !Array.isArray(to) || !(isLong(from) || isLong(to)))
    return { from: toText(from), to: toText(to) };
  const [earlier, later] = [new Set(from), new Set(to)];
  const added = to.filter((item) => !earlier.has(item));
  const removed = from.filter((item) => !later.has(item));
  const parts = [
    formatNumber(to.length),
    added.length > 0 && `added ${toText(added)}`,
    removed.length > 0 && `removed ${toText(removed)}`,
  ];
  return { from: formatNumber(from.length), to: parts.filter(Boolean).join(", ") };
}

/** Shortens values to what fits a screen; days read as DD.MM.YYYY. */
function toText(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatNumber(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, 10).map(toText).join(", ");
    return value.length > 10
      ? `${shown} and ${formatNumber(value.length - 10)} more`
      : shown || "none";
  }
  if (typeof value === "object") return JSON.stringify(value).slice(0, 200);
  const text = String(value);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? formatDay(text) : text;
}
