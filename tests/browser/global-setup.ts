import { randomBytes } from "node:crypto";
import { hashSecret, newSecret } from "../../app/features/sign-in/tokens.server";
import { createFirstAdmin } from "../../app/features/sign-in/users.server";
import { createTemplate, ownerUrl, startTestCluster } from "../support/test-cluster";
import { admin, type AdminSecrets } from "./arrange";
import { appSecret, seededTemplate } from "./fixtures";
import { runSql } from "../support/run-sql";

/**
 * Starts one PostgreSQL for the whole run, with one database of sample data that each worker clones.
 * Workers learn its addresses from `TEST_CLUSTER`, and what signs the admin in from `ADMIN_SECRETS`.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // The hashes of the secrets depend on it; it is read once.
  process.env.APP_SECRET = appSecret;
  const { stop, ...addresses } = await startTestCluster();
  try {
    await createTemplate(addresses, seededTemplate, {
      hasSampleData: true,
      createAdmin: async (database) => void (await createFirstAdmin(admin, database)),
    });
    process.env.ADMIN_SECRETS = JSON.stringify(
      await signAdminIn(ownerUrl(addresses, seededTemplate)),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  process.env.TEST_CLUSTER = JSON.stringify(addresses);
  return stop;
}

/**
 * Adds a session and an access token of the admin for the whole run. Signing in would cost each worker a password hash,
 * which a busy machine may answer with 503; and a session asks for the password again after ten minutes.
 */
async function signAdminIn(connectionString: string): Promise<AdminSecrets> {
  const secrets = { session: randomBytes(32).toString("base64url"), token: newSecret("vqa_") };
  await runSql(
    connectionString,
    `insert into sessions (id_hash, user_id, expires_at, password_checked_at)
       select $1, id, now() + interval '1 day', now() + interval '1 day' from users where email = $2`,
    [hashSecret(secrets.session), admin.email],
  );
  await runSql(
    connectionString,
    `insert into tokens (hash, user_id, family_id, kind, expires_at, password_checked_at)
       select $1, id, gen_random_uuid(), 'access', now() + interval '1 day', now() from users where email = $2`,
    [hashSecret(secrets.token), admin.email],
  );
  return secrets;
}
