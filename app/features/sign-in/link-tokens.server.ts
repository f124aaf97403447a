/** The single-use links in mails: which user a link is for, and that it works once (RULES H13). */
import { randomUUID } from "node:crypto";
import { one, query, type Database } from "../../db/connection.server";
import { hashSecret, isWellFormedSecret, lockUserOf, newSecret } from "./tokens.server";
import type { CheckedUser, User } from "./user";
import { selectCheckedUserSql, selectUserSql } from "./users.server";

export const linkMinutes = {
  password_reset: 10,
  email_verification: 24 * 60,
  invitation: 72 * 60,
  /** Between the password and the second factor. */
  second_factor: 10,
};

export type LinkKind = keyof typeof linkMinutes;

/**
 * Makes the secret of a link; earlier links of the kind end.
 * @param userId null makes a secret that opens nothing, with the same work
 * @param credentialsVersion the secret opens nothing if the credentials were changed since
 */
export async function createLinkToken(
  database: Database,
  kind: LinkKind,
  userId: string | null,
  credentialsVersion: number | null = null,
): Promise<string> {
  const secret = newSecret("vql_");
  await query(
    database,
    `with earlier as (delete from tokens where user_id = :userId and kind = :kind)
     insert into tokens (hash, kind, user_id, family_id, expires_at)
     select :hash, :kind, id, :familyId, now() + interval '1 minute' * :minutes
     from users where id = :userId
       and credentials_version = coalesce(:credentialsVersion, credentials_version)
     ${credentialsVersion === null ? "" : "for share"}`,
    {
      hash: hashSecret(secret),
      kind,
      userId,
      credentialsVersion,
      familyId: randomUUID(),
      minutes: linkMinutes[kind],
    },
  );
  return secret;
}

/** Returns the user of a link that still works, or null. Reading it doesn't use it up. */
export async function findLinkUser(
  database: Database,
  kind: LinkKind,
  secret: string,
): Promise<CheckedUser | null> {
  if (!isWellFormedSecret(secret)) return null;
  return one<CheckedUser>(
    database,
    `select ${selectCheckedUserSql} from tokens join users on users.id = tokens.user_id
     where tokens.hash = :hash and tokens.kind = :kind and tokens.expires_at > now()
       and tokens.spent_at is null and tokens.revoked_at is null and not users.is_disabled`,
    { hash: hashSecret(secret), kind },
  );
}

/** Uses a link up and returns its user, with the time when it was made; null if it was used, has ended or never existed. */
export async function spendLinkToken(
  database: Database,
  kind: LinkKind,
  secret: string,
): Promise<(User & { linkCreatedAt: Date }) | null> {
  if (!isWellFormedSecret(secret)) return null;
  await lockUserOf(database, secret);
  return one<User & { linkCreatedAt: Date }>(
    database,
    `with spent as (
       update tokens set spent_at = now()
       where hash = :hash and kind = :kind and expires_at > now() and spent_at is null and revoked_at is null
       returning user_id, created_at
     )
     select spent.created_at as link_created_at, ${selectUserSql} from spent join users on users.id = spent.user_id
     where not users.is_disabled`,
    { hash: hashSecret(secret), kind },
  );
}
