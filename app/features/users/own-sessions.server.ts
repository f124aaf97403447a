/** The browsers in which a user is signed in, as the user sees and ends them. */
import { db, one, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { recordAction, type Actor } from "../activity/audit-log.server";
import { withIdempotency } from "../activity/idempotency.server";
import { describeBrowser } from "./browser-name";
import { isOpenSessionSql } from "./sessions.server";

export type OwnSession = {
  /** Names it in forms; it opens nothing. */
  publicId: string;
  browser: string;
  createdAt: Date;
  lastSeenAt: Date;
  isCurrent: boolean;
};

type SessionRow = Omit<OwnSession, "browser"> & { userAgent: string };

/** @param currentHash the session that asks, which comes first */
export async function listSessions(userId: string, currentHash: Buffer): Promise<OwnSession[]> {
  const rows = await query<SessionRow>(
    db(),
    `select public_id, user_agent, created_at, last_seen_at, id_hash = :currentHash as is_current
     from sessions where user_id = :userId and ${isOpenSessionSql}
     order by is_current desc, last_seen_at desc, public_id`,
    { userId, currentHash },
  );
  return rows.map(({ userAgent, ...row }) => ({ ...row, browser: describeBrowser(userAgent) }));
}

type Ending = { actor: Actor; idempotencyKey?: string | null };

/**
 * Ends a session of the actor.
 * @param publicId as it came from a form
 * @throws DomainError not_found: it has ended already, or is somebody else's
 */
export async function endSession(
  publicId: string,
  { actor, idempotencyKey = null }: Ending,
): Promise<void> {
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(publicId);
  const request = { userId: actor.id, key: idempotencyKey, input: { session: publicId } };
  await withIdempotency(db(), request, async (trx) => {
    const ended = await one<{ userAgent: string }>(
      trx,
      `delete from sessions where public_id = :publicId and user_id = :userId
       returning user_agent`,
      { publicId: isUuid ? publicId : null, userId: actor.id },
    );
    if (!ended) throw new DomainError("not_found", "This session has ended already.");
    await recordAction(trx, actor, "user.session_ended", actor.id, {
      details: { browser: describeBrowser(ended.userAgent) },
    });
    return {};
  });
}

/** Ends the sessions of the actor but one. @returns how many */
export async function endOtherSessions(
  keptHash: Buffer,
  { actor, idempotencyKey = null }: Ending,
): Promise<number> {
  const request = { userId: actor.id, key: idempotencyKey, input: { session: "others" } };
  const { result } = await withIdempotency(db(), request, async (trx) => {
    const ended = await query(
      trx,
      "delete from sessions where user_id = :userId and id_hash <> :keptHash returning 1",
      { userId: actor.id, keptHash },
    );
    if (ended.length > 0)
      await recordAction(trx, actor, "user.other_sessions_ended", actor.id, {
        details: { sessions: ended.length },
      });
    return { ended: ended.length };
  });
  return result.ended;
}
