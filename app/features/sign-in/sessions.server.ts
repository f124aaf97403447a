/** Sessions of browsers. The database's clock ends them: 8 hours unused, or 7 days old. */
import type { Knex } from "knex";
import { db, one, query } from "../../db/connection.server";
import { hasSampleDataSql } from "../../db/sample-data.server";
import type { Leftovers } from "../../db/sweep.server";
import { recordAction, type Actor, type Origin } from "../activity/audit-log.server";
import { rememberDevice } from "./known-devices.server";
import { signIn, SignInRejected } from "./sign-in.server";
import type { CheckedUser, User } from "./user";
import {
  hasSecondFactorSql,
  selectCheckedUserSql,
  stillCheckedSql,
  userColumnsSql,
} from "./users.server";

export type Session = {
  user: User;
  idHash: Buffer;
  /** The version of the user's credentials when it was found. */
  credentialsVersion: number;
  /** Whether its password was checked at most 10 minutes ago. */
  isPasswordRecent: boolean;
  hasSecondFactor: boolean;
  /** Whether the site has sample data, which every screen says. A statement of its own costs a page 0.4 ms. */
  hasSampleData: boolean;
};

/** When the password was checked for a session; null if it was not. */
export type PasswordCheck = Date | "now" | null;

const idleSql = "interval '8 hours'";
const lifetimeSql = "interval '7 days'";

export const isOpenSessionSql = `sessions.expires_at > now()
  and sessions.last_seen_at > now() - ${idleSql}`;

/** How many sessions a user has at once: a new one ends the one that was unused for longest. */
const maxSessions = 20;

export const endedSessions: Leftovers[] = [
  {
    table: "sessions",
    conditionSql: `expires_at < now() or last_seen_at < now() - ${idleSql}`,
  },
  { table: "tokens", conditionSql: "expires_at < now()" },
];

/**
 * Returns a session with its user in one query, or null if it has ended or the user is disabled.
 * The time of its last use is written at most once a minute.
 */
export async function findSession(idHash: Buffer): Promise<Session | null> {
  const row = await one<
    CheckedUser & Pick<Session, "isPasswordRecent" | "hasSecondFactor" | "hasSampleData">
  >(
    db(),
    `with found as (
       select sessions.id_hash, sessions.last_seen_at, sessions.password_checked_at, ${selectCheckedUserSql}
       from sessions join users on users.id = sessions.user_id
       where sessions.id_hash = :idHash and ${isOpenSessionSql} and not users.is_disabled
     ), touched as (
       update sessions set last_seen_at = now() from found
       where sessions.id_hash = found.id_hash
         and found.last_seen_at < now() - interval '1 minute'
     )
     select password_checked_at > now() - interval '10 minutes' as is_password_recent,
       ${hasSecondFactorSql("found.id")} as has_second_factor,
       ${hasSampleDataSql} as has_sample_data, ${userColumnsSql}, credentials_version
     from found`,
    { idHash },
    // Each request runs it.
    { isPrepared: true },
  );
  if (!row) return null;
  const { isPasswordRecent, hasSecondFactor, hasSampleData, credentialsVersion, ...user } = row;
  return { user, idHash, isPasswordRecent, hasSecondFactor, hasSampleData, credentialsVersion };
}

/**
 * @param user as the check of the credentials returned it
 * @param options.replaced the session that the browser had before; an id never survives a sign-in
 * @param options.passwordCheckedAt null after a passkey alone: what needs the password asks for it
 * @throws SignInRejected: the credentials were changed or the user disabled since they were checked
 */
export async function openSession(
  { id: userId, credentialsVersion }: Pick<CheckedUser, "id" | "credentialsVersion">,
  idHash: Buffer,
  {
    replaced,
    actor,
    passwordCheckedAt = "now",
  }: { replaced: Buffer | null; actor: Actor; passwordCheckedAt?: PasswordCheck },
): Promise<void> {
  await db().transaction(async (trx) => {
    const opened = await one(
      trx,
      `insert into sessions (id_hash, user_id, expires_at, user_agent, password_checked_at)
       select :idHash, id, now() + ${lifetimeSql}, :userAgent,
         coalesce(cast(:passwordCheckedAt as timestamptz), '-infinity') from users
       where ${stillCheckedSql} for share returning user_id`,
      {
        idHash,
        userId,
        credentialsVersion,
        passwordCheckedAt,
        userAgent: (actor.userAgent ?? "").slice(0, 500),
      },
    );
    if (!opened) throw new SignInRejected(0);
    // Disabling a user locks the user before the sessions, too.
    await query(
      trx,
      `delete from sessions where id_hash = :replaced or id_hash in (
         select id_hash from sessions where user_id = :userId and id_hash <> :idHash
         order by last_seen_at desc offset ${maxSessions - 1})`,
      { replaced, userId, idHash },
    );
    await recordAction(trx, actor, "user.signed_in", userId);
    await rememberDevice(trx, actor);
  });
}

/** Gives a session a new id. @returns its public id; null if it has ended meanwhile */
export async function renewSession(
  trx: Knex,
  { idHash }: Pick<Session, "idHash">,
  newIdHash: Buffer,
): Promise<string | null> {
  const renewed = await one<{ publicId: string }>(
    trx,
    "update sessions set id_hash = :newIdHash where id_hash = :idHash returning public_id",
    { newIdHash, idHash },
  );
  return renewed?.publicId ?? null;
}

/** Opens a session beside another one of the user, for the second answer to one form. */
export async function copySession(
  trx: Knex,
  user: User,
  publicId: string | null,
  newIdHash: Buffer,
): Promise<void> {
  await query(
    trx,
    `insert into sessions (id_hash, user_id, password_checked_at, expires_at, user_agent)
     select :newIdHash, user_id, password_checked_at, expires_at, user_agent
     from sessions join users on users.id = sessions.user_id
     where public_id = :publicId and user_id = :userId and not users.is_disabled for share of users`,
    { newIdHash, publicId, userId: user.id },
  );
}

/** Ends a session. Its end is recorded unless it had ended by itself before. */
export async function closeSession(idHash: Buffer, origin: Origin) {
  await db().transaction(async (trx) => {
    const closed = await one<Pick<User, "id" | "email"> & { wasOpen: boolean }>(
      trx,
      `delete from sessions using users where sessions.id_hash = :idHash
         and users.id = sessions.user_id
       returning users.id, users.email, ${isOpenSessionSql} as was_open`,
      { idHash },
    );
    if (closed?.wasOpen)
      await recordAction(trx, { ...closed, ...origin }, "user.signed_out", closed.id);
  });
}

/**
 * Checks the password of the signed-in user again and records that for this session only. A wrong
 * password counts as a failed sign-in.
 * @returns the user as checked
 * @throws SignInRejected; DomainError unavailable
 */
export async function checkPasswordAgain(
  session: Session,
  password: string,
  clientAddress: string,
): Promise<CheckedUser> {
  const user = await signIn({ email: session.user.email, password, clientAddress });
  await db()("sessions")
    .where({ id_hash: session.idHash })
    .update({ password_checked_at: db().fn.now() });
  session.isPasswordRecent = true;
  return user;
}
