import { db } from "../../db/connection.server";
import { recordAction } from "../activity/audit-log.server";
import type { User } from "./user";
import { userColumns, userFromRow, type UserRow } from "./users.server";

/** A browser that is signed in. */
export type Session = { user: User; idHash: Buffer; passwordCheckedAt: Date };

const IDLE = "8 hours";
const ABSOLUTE = "7 days";

type SessionRow = UserRow & { password_checked_at: Date };

/**
 * Who is behind a session, by the clock of the database: unused for 8 hours or older than 7 days,
 * it has ended, as it has when its user was disabled. One query; the last use is noted at most
 * once a minute.
 */
export async function findSession(idHash: Buffer): Promise<Session | null> {
  const { rows } = await db().raw<{ rows: SessionRow[] }>(
    `with found as (
       select sessions.id_hash, sessions.last_seen_at, sessions.password_checked_at,
              ${userColumns.join(", ")}
       from sessions join users on users.id = sessions.user_id
       where sessions.id_hash = :idHash and sessions.expires_at > now()
         and sessions.last_seen_at > now() - interval '${IDLE}' and not users.is_disabled
     ), touched as (
       update sessions set last_seen_at = now() from found
       where sessions.id_hash = found.id_hash
         and found.last_seen_at < now() - interval '1 minute'
     )
     select * from found`,
    { idHash },
  );
  const row = rows[0];
  return row
    ? { user: userFromRow(row), idHash, passwordCheckedAt: row.password_checked_at }
    : null;
}

/**
 * Opens a session for a user whose password was just checked.
 * @param replaced the session that the browser had before; an id never survives a sign-in
 */
export async function openSession(
  user: User,
  idHash: Buffer,
  { replaced, requestId }: { replaced: Buffer | null; requestId: string },
): Promise<Session> {
  return db().transaction(async (transaction) => {
    await transaction("sessions")
      .whereRaw(`expires_at < now() or last_seen_at < now() - interval '${IDLE}'`)
      .modify((query) => replaced && query.orWhere({ id_hash: replaced }))
      .delete();
    await transaction("rate_limits").where("expire", "<", Date.now()).delete();
    const [row] = await transaction("sessions")
      .insert({
        id_hash: idHash,
        user_id: user.id,
        expires_at: transaction.raw(`now() + interval '${ABSOLUTE}'`),
      })
      .returning<{ password_checked_at: Date }[]>(["password_checked_at"]);
    await recordAction(transaction, {
      actor: { ...user, requestId },
      action: "user.signed_in",
      subjectType: "user",
      subjectId: user.id,
    });
    return { user, idHash, passwordCheckedAt: row!.password_checked_at };
  });
}

export async function closeSession(idHash: Buffer): Promise<void> {
  await db()("sessions").where({ id_hash: idHash }).delete();
}
