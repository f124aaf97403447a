/** The single-use links in mails: which user a link is for, and that it works once (RULES P3). */
import { randomUUID } from "node:crypto";
import { one, query, type Database } from "../../db/connection.server";
import { hashSecret, isWellFormedSecret, newSecret } from "./tokens.server";
import type { User } from "./user";
import { selectUserSql } from "./users.server";

/** Kinds of links, each with the time that it is valid, as a PostgreSQL interval. */
const lifetimes = {
  password_reset: "10 minutes",
  email_verification: "24 hours",
  invitation: "72 hours",
};

export type LinkKind = keyof typeof lifetimes;

/** Makes the secret of a link; earlier links of the kind end. */
export async function createLinkToken(
  database: Database,
  kind: LinkKind,
  userId: string,
): Promise<string> {
  const secret = newSecret("vql_");
  await query(
    database,
    `with earlier as (delete from tokens where user_id = :userId and kind = :kind)
     insert into tokens (hash, kind, user_id, family_id, expires_at)
     values (:hash, :kind, :userId, :familyId, now() + cast(:lifetime as interval))`,
    { hash: hashSecret(secret), kind, userId, familyId: randomUUID(), lifetime: lifetimes[kind] },
  );
  return secret;
}

/** Returns the user of a link that still works, or null. Reading it doesn't use it up. */
export async function findLinkUser(
  database: Database,
  kind: LinkKind,
  secret: string,
): Promise<User | null> {
  if (!isWellFormedSecret(secret)) return null;
  return one<User>(
    database,
    `select ${selectUserSql} from tokens join users on users.id = tokens.user_id
     where tokens.hash = :hash and tokens.kind = :kind and tokens.expires_at > now()
       and tokens.spent_at is null and tokens.revoked_at is null and not users.is_disabled`,
    { hash: hashSecret(secret), kind },
  );
}

/** Uses a link up and returns its user; null if it was used, has ended or never existed. */
export async function spendLinkToken(
  database: Database,
  kind: LinkKind,
  secret: string,
): Promise<User | null> {
  if (!isWellFormedSecret(secret)) return null;
  return one<User>(
    database,
    `with spent as (
       update tokens set spent_at = now()
       where hash = :hash and kind = :kind and expires_at > now() and spent_at is null and revoked_at is null
       returning user_id
     )
     select ${selectUserSql} from spent join users on users.id = spent.user_id
     where not users.is_disabled`,
    { hash: hashSecret(secret), kind },
  );
}
