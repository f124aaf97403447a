import type { Knex } from "knex";
import { EnvironmentError } from "../env.server";
import { readValue } from "./connection.server";

/**
 * Leaves the product's role the rights that it uses and nothing else: it owns no table, so it can't drop
 * one or disable a trigger, and can only read the audit log and add to it (RULES H7). The owner is the
 * role of the connection; it takes over what the product's role owned in earlier releases.
 */
export async function restrictRole(database: Knex, role: string): Promise<void> {
  await database.raw(
    `reassign owned by ?? to current_user;
     grant select, insert, update, delete, maintain on all tables in schema public to ??;
     grant usage, select on all sequences in schema public to ??;
     grant usage on schema test_mode to ??;
     grant select, insert, update, delete, maintain on all tables in schema test_mode to ??;
     grant usage, select on all sequences in schema test_mode to ??;
     revoke update, delete, maintain on audit_log from ??;
     revoke insert, update, delete, maintain on schema_migrations, schema_migrations_lock from ??`,
    Array.from({ length: 8 }, () => role),
  );
}

/** @throws EnvironmentError if the role of the product, which has its rights from elsewhere, can't use test mode */
export async function requireTestMode(database: Knex): Promise<void> {
  if (!(await readValue<boolean>(database, "select has_schema_privilege('test_mode', 'usage')")))
    throw new EnvironmentError(
      "The role of DATABASE_URL may not use the schema test_mode: run the grants that README.md has under 'Rights' as the owner of the tables.",
    );
}
