import { db, query } from "../../app/db/connection.server";

/** Without the tables of migrations, which have had other names. */
const relationsSql = `
  select c.oid, c.relname, c.relkind, c.reloptions from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relname !~ '^(schema|knex)_migrations'`;

/** NOT NULL is read from columns, because before version 18 it is no constraint; nor does it matter when a check is validated. */
const definitionsSql = `
  select 'extension ' || extname as definition from pg_extension
  union all
  select concat_ws(' ', 'relation', relname, relkind, reloptions::text) from relations where relkind in ('r', 'v')
  union all
  select concat_ws(' ', 'column', relname, row_number() over (partition by r.oid order by attnum), attname,
    format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, nullif(attidentity, ''),
    nullif(attgenerated, ''), collname, pg_get_expr(adbin, adrelid))
  from relations r join pg_attribute a on a.attrelid = r.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = r.oid and adnum = attnum
    left join pg_collation l on l.oid = attcollation and collname <> 'default'
  where relkind = 'r'
  union all
  select concat_ws(' ', 'constraint', relname, conname, replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''))
  from relations r join pg_constraint c on c.conrelid = r.oid where contype <> 'n'
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) from relations r join pg_index i on i.indrelid = r.oid
  union all
  select concat_ws(' ', 'view', relname, pg_get_viewdef(oid)) from relations where relkind = 'v'
  union all
  select concat_ws(' ', 'sequence', relname, format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax, seqcycle)
  from relations r join pg_sequence s on s.seqrelid = r.oid
  union all
  select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid)) from relations r
    join pg_trigger t on t.tgrelid = r.oid and not tgisinternal
  union all
  select concat_ws(' ', 'function', pg_get_functiondef(p.oid)) from pg_proc p
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

/** Lists every object of the connected database with its definition, sorted; white space doesn't count. */
export async function readSchema(): Promise<string[]> {
  const rows = await query<{ definition: string }>(
    db(),
    `with relations as (${relationsSql}) ${definitionsSql}`,
  );
  return rows.map(({ definition }) => definition.replace(/\s+/g, " ")).sort();
}
