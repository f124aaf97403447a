import type { Knex } from "knex";
/** A signed-in person who acts on a screen or through the API. */
export type Actor = {
  id: string;
  email: string;
  /** Identifies the request in the log; absent where no request stands behind the action. */
  requestId?: string;
};

export type AuditEntry = {
  actor: Actor;
  /** A noun and what happened to it: 'promotion.created'. */
  action: string;
  subjectType:
    "promotion" | "mass_generation" | "user" | "machine" | "machine_group" | "integration";
  /** null where the action covers several; then `subjectIds` lists them. */
  subjectId: string | null;
  subjectIds?: readonly string[];
  /** How many codes it covered. */
  covered?: number;
  /** What changed: `{field: {from, to}}`, or what was made. */
  details?: object;
};

/** One row for one action, in the transaction that does it (security T30). */
export async function recordAction(trx: Knex, entry: AuditEntry): Promise<void> {
  await trx("audit_log").insert({
    actor_id: entry.actor.id,
    actor_name: entry.actor.email,
    action: entry.action,
    subject_type: entry.subjectType,
    subject_id: entry.subjectId,
    subject_ids: entry.subjectIds ? [...entry.subjectIds] : null,
    covered: entry.covered ?? 1,
    details: JSON.stringify(entry.details ?? {}),
    request_id: entry.actor.requestId ?? null,
  });
}
