import type { Knex } from "knex";
import { one } from "../../db/connection.server";

/** A signed-in user who acts on a screen or through the API. */
export type Actor = {
  id: string;
  email: string;
  /** Identifies the request in the log; absent for actions outside of requests. */
  requestId?: string;
};

type AuditEntry = {
  actor: Actor;
  /** A noun and what happened to it: 'promotion.created'. */
  action: string;
  subjectType:
    "promotion" | "mass_generation" | "user" | "machine" | "machine_group" | "integration";
  /** null if the action covers several subjects, which `subjectIds` lists. */
  subjectId: string | null;
  subjectIds?: readonly string[];
  /** The number of codes that the action covers. */
  covered?: number;
  /** The changes as `{field: {from, to}}`, or the values of what was created. */
  details?: object;
};

/** Writes one row for one action, in the transaction that performs it. */
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

/** Tells whether the last such action on a promotion or a mass generation was this person's, and recent. */
export async function isLatestActionBy(
  trx: Knex,
  actor: Actor,
  {
    minutes,
    ...latest
  }: Required<Pick<AuditEntry, "action" | "subjectType" | "subjectId">> & { minutes: number },
): Promise<boolean> {
  const row = await one<{ isTheirs: boolean }>(
    trx,
    `select actor_id = :actorId
       and created_at > now() - interval '1 minute' * :minutes as is_theirs
     from audit_log
     where action = :action and subject_type = :subjectType
       and (subject_id = :subjectId or subject_ids @> array[cast(:subjectId as bigint)])
     order by id desc limit 1`,
    { ...latest, minutes, actorId: actor.id },
  );
  return row?.isTheirs ?? false;
}
