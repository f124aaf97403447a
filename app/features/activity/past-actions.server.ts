/** Questions about what the audit log has, where a rule depends on it. */
import type { Knex } from "knex";
import { one, query } from "../../db/connection.server";
import type { Actor } from "./audit-log.server";
import type { SubjectType } from "./subject";

/**
 * Tells whether the last such action on a subject was this person's, and recent. A bulk action on all codes of a mass
 * generation counts as one on the generation.
 */
export async function isLatestActionBy(
  trx: Knex,
  actor: Actor,
  action: `${SubjectType}.${string}`,
  subjectId: string,
  { minutes }: { minutes: number },
): Promise<boolean> {
  const row = await one<{ isTheirs: boolean }>(
    trx,
    `select actor_id = :actorId
       and created_at > now() - interval '1 minute' * :minutes as is_theirs
     from audit_log
     where action = :action and subject_type = :subjectType
         and (subject_id = :subjectId or subject_ids @> array[cast(:subjectId as bigint)])
       or :subjectType = 'mass_generation' and action = replace(:action, :subjectType, 'promotion')
         and details -> 'generations' @>
           jsonb_build_array(jsonb_build_object('id', cast(:subjectId as text), 'is_whole', true))
     order by id desc limit 1`,
    { action, subjectType: action.split(".")[0], subjectId, minutes, actorId: actor.id },
  );
  return row?.isTheirs ?? false;
}

/** Condition that an action was done to a subject. @param subjectId expression of its id */
export const wasDoneSql = (action: `${SubjectType}.${string}`, subjectId: string) =>
  `exists (select from audit_log where subject_type = '${action.split(".")[0]}'
    and subject_id = ${subjectId} and action = '${action}')`;

/** Tells whether one of these actions was done to a user after a time. */
export async function wasDoneToUserSince(
  trx: Knex,
  userId: string,
  actions: `user.${string}`[],
  since: Date,
): Promise<boolean> {
  const row = await one(
    trx,
    `select id from audit_log
     where subject_type = 'user' and subject_id = :userId and action = any(:actions)
       and created_at > :since limit 1`,
    { userId, actions, since },
  );
  return row !== null;
}

/** Returns the subjects of such actions after a time. @param since as PostgreSQL writes it */
export async function readSubjectsSince(
  trx: Knex,
  action: `${SubjectType}.${string}`,
  since: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    trx,
    `select distinct unnest(coalesce(subject_ids, array[subject_id])) as id from audit_log
     where created_at > cast(:since as timestamptz) and action = :action`,
    { since, action },
  );
  return rows.map(({ id }) => id);
}

/** Returns the mass generations that an action changed after a time, also as a whole in a bulk action. */
export async function readGenerationsSince(
  trx: Knex,
  verb: string,
  since: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    trx,
    `select subject_id::text as id from audit_log
     where created_at > cast(:since as timestamptz) and action = 'mass_generation.' || :verb
     union
     select generation ->> 'id' from audit_log, jsonb_array_elements(details -> 'generations') generation
     where created_at > cast(:since as timestamptz) and action = 'promotion.' || :verb
       and generation ->> 'is_whole' = 'true'`,
    { since, verb },
  );
  return rows.map(({ id }) => id);
}

export async function hasSignedInAs(trx: Knex, userId: string, email: string): Promise<boolean> {
  const row = await one(
    trx,
    `select id from audit_log
     where actor_id = :userId and action = 'user.signed_in' and actor_name = :email limit 1`,
    { userId, email },
  );
  return row !== null;
}
