/** Browsers that sign in without a code (RULES H15). */
import { db, query, readValue } from "../../db/connection.server";
import type { Leftovers } from "../../db/sweep.server";
import { hashSecret } from "../sign-in/tokens.server";
import type { CheckedUser } from "../sign-in/user";
import { stillCheckedSql } from "../sign-in/users.server";

export const trustedDays = 30;

export const endedTrust: Leftovers = {
  table: "trusted_browsers",
  conditionSql: "expires_at < now()",
};

/**
 * Lets a browser sign in without a code for 30 days, unless the credentials were changed since they were checked.
 * @param id the value of its cookie
 */
export async function trustBrowser(
  { id: userId, credentialsVersion }: CheckedUser,
  id: string,
): Promise<void> {
  await query(
    db(),
    `insert into trusted_browsers (id_hash, user_id, expires_at)
     select :idHash, id, now() + interval '1 day' * ${trustedDays} from users
     where ${stillCheckedSql} for share`,
    { idHash: hashSecret(id), userId, credentialsVersion },
  );
}

export async function isBrowserTrusted(userId: string, id: string | undefined): Promise<boolean> {
  if (!id || !/^[\w-]{43}$/.test(id)) return false;
  return readValue(
    db(),
    `select exists (select from trusted_browsers
       where id_hash = :idHash and user_id = :userId and expires_at > now())`,
    { idHash: hashSecret(id), userId },
  );
}
