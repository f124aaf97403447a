/** The browsers in which a user is signed in, as the user sees and ends them. */
import { db, one, query } from "../../db/connection.server";
import { notFound } from "../../errors";
import { parseUuid } from "../../forms/record-id";
import { recordAction } from "../activity/audit-log.server";
import { type ActionOptions, runOnce } from "../activity/idempotency.server";
import { revokeApiKey } from "../sign-in/api-key.server";
import { describeBrowser } from "../sign-in/browser-name";
import { removeAllPasskeys } from "../second-factor/remove-passkeys.server";
import { isOpenSessionSql, type Session } from "../sign-in/sessions.server";
import { endApiSignIns } from "../sign-in/tokens.server";
import { lockUser } from "../sign-in/users.server";

type OwnSession = {
  /** Names it in forms; it opens nothing. */
  publicId: string;
  browser: string;
  createdAt: Date;
  lastSeenAt: Date;
  isCurrent: boolean;
};

/** @param currentHash the session that asks, which comes first */
export async function listSessions(userId: string, currentHash: Buffer): Promise<OwnSession[]> {
  const rows = await query<Omit<OwnSession, "browser"> & { userAgent: string }>(
    db(),
    `select public_id, user_agent, created_at, last_seen_at, id_hash = :currentHash as is_current
     from sessions where user_id = :userId and ${isOpenSessionSql}
     order by is_current desc, last_seen_at desc, public_id`,
    { userId, currentHash },
  );
  return rows.map(({ userAgent, ...row }) => ({ ...row, browser: describeBrowser(userAgent) }));
}

/**
 * Ends a session of the actor.
 * @param publicId as it came from a form
 * @throws DomainError not_found: it has ended already, or is somebody else's
 */
export async function endSession(publicId: string, options: ActionOptions): Promise<void> {
  const { actor } = options;
  await runOnce(options, { session: publicId }, async (trx) => {
    const ended = await one<{ userAgent: string }>(
      trx,
      `delete from sessions where public_id = :publicId and user_id = :userId
       returning user_agent`,
      { publicId: parseUuid(publicId), userId: actor.id },
    );
    if (!ended) throw notFound("This session has ended already.");
    await recordAction(trx, actor, "user.session_ended", actor.id, {
      details: { browser: describeBrowser(ended.userAgent) },
    });
  });
}

export type EndedAccess = {
  sessions: number;
  apiSignIns: number;
  hasRevokedKey: boolean;
  passkeys: number;
};

/**
 * Ends the sessions of a user but the one that asks, all sign-ins by the API and, where the user wishes, the own API key and all passkeys.
 * @throws DomainError forbidden: the passkeys are the only second factor, and the site requires one
 */
export async function endOtherSessions(
  { user, idHash }: Pick<Session, "user" | "idHash">,
  { revokeKey, removePasskeys }: { revokeKey: boolean; removePasskeys: boolean },
  options: ActionOptions,
): Promise<EndedAccess> {
  const { actor } = options;
  const input = { session: "others", revokeKey, removePasskeys };
  return runOnce(options, input, async (trx) => {
    // Disabling a user locks the user before the sessions, too.
    await lockUser(trx, actor.id);
    const ended = await query(
      trx,
      "delete from sessions where user_id = :userId and id_hash <> :currentHash returning 1",
      { userId: actor.id, currentHash: idHash },
    );
    const [sessions, apiSignIns] = [ended.length, await endApiSignIns(trx, actor.id)];
    if (sessions + apiSignIns > 0)
      await recordAction(trx, actor, "user.other_sessions_ended", actor.id, {
        details: { sessions, ...(apiSignIns > 0 && { apiSignIns }) },
      });
    return {
      sessions,
      apiSignIns,
      hasRevokedKey: revokeKey && (await revokeApiKey(trx, actor.id, { actor })),
      passkeys: removePasskeys ? await removeAllPasskeys(trx, user, actor) : 0,
    };
  });
}
