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

/**
 * Checks the rights of the product's role, which may have them from elsewhere and lack those on what a release has added.
 * Partitions are reached by their parents.
 * @throws EnvironmentError
 */
export async function requireRights(database: Knex): Promise<void> {
  const name = await readValue<string | null>(
    database,
    `select case when not has_schema_privilege('test_mode', 'usage') then 'schema test_mode' else (
       select 'table ' || min(cast(c.oid as regclass)::text) from pg_class c
       where c.relnamespace in (cast('public' as regnamespace), cast('test_mode' as regnamespace))
         and c.relkind in ('r', 'p') and not c.relispartition
         and c.relowner = (select m.relowner from pg_class m where m.oid = cast('schema_migrations' as regclass))
         and not has_table_privilege(c.oid, 'select')) end`,
  );
  if (name !== null)
    throw new EnvironmentError(
      `The role of DATABASE_URL may not use the ${name}: run the grants that README.md has under 'Rights' as the owner of the tables.`,
    );
}
