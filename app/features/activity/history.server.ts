import { db } from "../../db/connection.server";
import { formatDateTime } from "../../format/date";
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";

/** One action, in words: who did what when, and what it changed. */
export type HistoryEntry = {
  id: string;
  at: string;
  who: string;
  what: string;
  /** Field from → to. */
  changes: { field: string; from: string; to: string }[];
};

type AuditRow = {
  id: string;
  created_at: Date;
  actor_name: string;
  action: string;
  subject_type: string;
  subject_id: string | null;
  covered: number;
  details: Record<string, unknown>;
};

/** Longer histories show their newest part. */
export const maxHistoryEntries = 50;

/**
 * What happened to a promotion, newest first: to itself, to its mass generation, and in actions on
 * several that covered it. Each part reads its own index.
 */
export function promotionHistory(
  promotion: { id: string; massGenerationId: string | null },
  timeZone: string,
): Promise<HistoryEntry[]> {
  const bindings = { id: promotion.id, generationId: promotion.massGenerationId };
  return readHistory([ofPromotion, ofGeneration, ofSeveral], bindings, timeZone, (row) =>
    row.subject_type === "mass_generation"
      ? `${describeAction(row)} with its mass generation (${formatCodes(row.covered)})`
      : describeAction(row),
  );
}

/** What happened to a mass generation as a whole, newest first. */
export function generationHistory(generationId: string, timeZone: string): Promise<HistoryEntry[]> {
  return readHistory(
    [ofGeneration],
    { generationId },
    timeZone,
    (row) => `${describeAction(row)} (${formatCodes(row.covered)})`,
  );
}

/** What happened to a group of machines, newest first. */
export function groupHistory(groupId: string, timeZone: string): Promise<HistoryEntry[]> {
  return readHistory([ofGroup], { groupId }, timeZone, describeAction);
}

const ofGroup = "subject_type = 'machine_group' and subject_id = :groupId";
const ofPromotion = "subject_type = 'promotion' and subject_id = :id";
const ofGeneration = "subject_type = 'mass_generation' and subject_id = :generationId";
const ofSeveral = "subject_type = 'promotion' and subject_ids @> array[cast(:id as bigint)]";

async function readHistory(
  conditions: string[],
  bindings: Record<string, string | null>,
  timeZone: string,
  describe: (row: AuditRow) => string,
): Promise<HistoryEntry[]> {
  const parts = conditions.map(
    (condition) =>
      `(select id, created_at, actor_name, action, subject_type, subject_id, covered, details
        from audit_log where ${condition} order by id desc limit ${maxHistoryEntries})`,
  );
  const { rows } = await db().raw<{ rows: AuditRow[] }>(
    `select * from (${parts.join(" union ")}) parts order by id desc limit ${maxHistoryEntries}`,
    bindings,
  );
  return rows.map((row) => ({
    id: row.id,
    at: formatDateTime(row.created_at, timeZone),
    who: row.actor_name,
    what: describe(row),
    changes: describeChanges(row.details),
  }));
}

/** 'promotion.machines_added' → 'Machines added'. */
function describeAction({ action, subject_id, covered }: AuditRow): string {
  const words = (action.split(".").at(-1) ?? action).replaceAll("_", " ");
  const what = words.charAt(0).toUpperCase() + words.slice(1);
  return subject_id === null ? `${what} together with ${others(covered - 1)}` : what;
}

function others(count: number): string {
  if (count < 1) return "no other";
  return count === 1 ? "1 other" : `${formatNumber(count)} others`;
}

const fieldLabels: Record<string, string> = {
  is_active: "Active",
  is_deleted: "Deleted",
  expiration_date: "Expiration date",
};

function describeChanges(details: Record<string, unknown>): HistoryEntry["changes"] {
  return Object.entries(details).flatMap(([name, change]) =>
    isChange(change) ? [{ field: fieldName(name), ...toSentence(change) }] : [],
  );
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}

/** Of long lists their lengths and what came and went. */
function toSentence({ from, to }: { from: unknown; to: unknown }): { from: string; to: string } {
  const isLong = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > 10;
  if (!Array.isArray(from) || !Array.isArray(to) || !(isLong(from) || isLong(to)))
    return { from: toText(from), to: toText(to) };
  const added = to.filter((item) => !from.includes(item));
  const removed = from.filter((item) => !to.includes(item));
  const parts = [
    formatNumber(to.length),
    ...(added.length > 0 ? [`added ${toText(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${toText(removed)}`] : []),
  ];
  return { from: formatNumber(from.length), to: parts.join(", ") };
}

function fieldName(name: string): string {
  const words = name.replaceAll("_", " ");
  return fieldLabels[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Never longer than a screen can take; a day as people read it. */
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
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(value));
  return day ? `${day[3]}.${day[2]}.${day[1]}` : String(value);
}
