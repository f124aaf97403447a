/** The password once more, for what a stolen session must not do (rulings 2.5, security T33). */
import { db } from "../../db/connection.server";
import { signIn } from "./sign-in.server";
import type { User } from "./user";

const validFor = "10 minutes";

/** Whether this session's password was checked at most 10 minutes ago, by the database's clock. */
export async function wasPasswordChecked(idHash: Buffer): Promise<boolean> {
  const { rows } = await db().raw<{ rows: object[] }>(
    `select from sessions where id_hash = :idHash
       and password_checked_at > now() - interval '${validFor}'`,
    { idHash },
  );
  return rows.length > 0;
}

/**
 * Checks the password of whoever is signed in, and notes it for this session alone. A wrong one
 * counts like one at sign-in.
 * @throws SignInRefused; DomainError unavailable
 */
export async function checkPasswordAgain(
  { user, idHash }: { user: Pick<User, "email">; idHash: Buffer },
  password: string,
  clientAddress: string,
): Promise<void> {
  await signIn({ email: user.email, password, clientAddress });
  await db()("sessions").where({ id_hash: idHash }).update({ password_checked_at: db().fn.now() });
}
