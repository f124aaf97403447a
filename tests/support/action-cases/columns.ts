import { expect } from "vitest";
import { db } from "../../../app/db/connection.server";

const ofSpecification =
  "password disabled avatar emailVerified emailVerificationToken emailVerificationTokenExpiresAt passwordResetToken passwordResetTokenExpiresAt provider user_id";
const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Every column of every table, as it is called there and in JavaScript, with a value that would change it. */
export async function columnsAsFields(): Promise<Record<string, string>> {
  const { rows } = await db().raw<{ rows: { name: string; type: string }[] }>(
    `select distinct column_name as name, min(data_type) as type
     from information_schema.columns where table_schema = 'public' group by 1 order by 1`,
  );
  const values: Record<string, string> = { boolean: "true", bigint: "1", integer: "1" };
  const named = rows.map(({ name, type }): [string, string] => [
    name,
    name === "role" ? "admin" : (values[type] ?? `canary-${name}`),
  ]);
  expect(named.length).toBeGreaterThan(150);
  return Object.fromEntries([
    ...ofSpecification.split(" ").map((name) => [name, "canary-specified"]),
    ...named.map(([name, value]) => [camel(name), value]),
    ...named,
  ]) as Record<string, string>;
}

/** Asserts that no table holds a value of a column that was sent as a field. */
export async function expectNoCanary(): Promise<void> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const { name } of rows) {
    const found = await db().raw<{ rows: object[] }>(
      "select from ?? t where position('canary-' in t::text) > 0 limit 1",
      [name],
    );
    expect(found.rows, name).toHaveLength(0);
  }
}

/** Tables that nothing but an action changes. */
const tables =
  "users promotions mass_generations assignment_sets machine_groups integrations api_keys webhooks report_schedules saved_views";

/**
 * Sums up all flags and whole numbers of the tables, and counts admins: two runs of one action add the same. Waits
 * until changes of many codes are complete.
 */
export async function sumsOfColumns(): Promise<Record<string, number>> {
  await expect
    .poll(() => db()("lifecycle_operations").whereNotNull("started_at").whereNull("done_at"))
    .toEqual([]);
  const { rows } = await db().raw<{ rows: { sums: Record<string, number> }[] }>(
    await (sumsSql ??= writeSumsSql()),
  );
  return Object.assign({}, ...rows.map(({ sums }) => sums)) as Record<string, number>;
}

let sumsSql: Promise<string> | undefined;

async function writeSumsSql(): Promise<string> {
  const { rows: columns } = await db().raw<{ rows: { table: string; name: string }[] }>(
    `select table_name as table, column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = any(?) and data_type in ('boolean', 'integer')`,
    [tables.split(" ")],
  );
  const parts = tables.split(" ").map((table) => {
    const sums = columns
      .filter((column) => column.table === table)
      .map(({ name }) => `coalesce(sum(${name}::integer), 0)::float as "${table}.${name}"`);
    return `select to_json(sums) as sums from (select ${sums.join()} from ${table}) sums`;
  });
  const admins =
    "select json_build_object('admins', count(*)::float) from users where role = 'admin'";
  return [...parts, admins].join(" union all ");
}
