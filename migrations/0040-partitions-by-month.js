import { setTimeout as delay } from "node:timers/promises";

/**
 * Partitions transactions, attempts and events by month, in UTC. The tables of before become the first partition,
 * without a rewrite; months after it are made three ahead by the sweeper, and a default partition takes what has none,
 * so that no redemption fails for lack of one.
 *
 * An index of a partitioned table can't be unique but with the column of the partitions. Redemption ids are unique for
 * ever by a table of their own, which a trigger fills for this release and for the one before, and whose `created_at`
 * leads to one partition.
 *
 * The first partition ends at least a month after the migration. Until then only that one has rows: the release before
 * finds redemption ids by its indexes, and deletes refused attempts and events by their `ctid`, which is unique in one
 * partition.
 */
export const config = { transaction: false };

const autovacuum = `autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02`;

/** The column of the partitions, the primary key, and whether its first column has a sequence. */
const byCreation = { month: "created_at", key: "id, created_at", hasSequence: true };

/** The partitioned tables with their indexes, which the first partition has already. */
const tables = {
  transactions: {
    ...byCreation,
    foreignKeys: [
      "transactions_promotion_id_fkey foreign key (promotion_id) references promotions",
      "transactions_machine_id_fkey foreign key (machine_id) references machines",
    ],
    indexes: {
      created: "(created_at desc, id desc)",
      promotion: "(promotion_id, created_at desc, id desc)",
      machine: "(machine_id, created_at desc, id desc)",
    },
    triggers: {
      transactions_rollback_recorded: `create trigger transactions_rollback_recorded after update of status on transactions
        for each row when (new.status = 'rolled_back' and old.status <> 'rolled_back')
        execute function record_rollback()`,
      transactions_summary: `create trigger transactions_summary after update of status on transactions for each row
        when (new.status <> old.status) execute function correct_activity_summary()`,
      transactions_summary_years: `create trigger transactions_summary_years after update of status on transactions
        for each row when (new.status <> old.status) execute function correct_campaign_years()`,
      transactions_code_counts: `create constraint trigger transactions_code_counts after update of status on transactions
        deferrable initially deferred for each row
        when (new.status <> old.status) execute function correct_code_counts()`,
    },
  },
  redemption_attempts: {
    ...byCreation,
    foreignKeys: [],
    indexes: {
      machine: "(machine_id, created_at desc, id desc) where outcome <> 'accepted'",
      refused: "(created_at desc, id desc) where outcome <> 'accepted'",
      refused_promotion:
        "(promotion_id, created_at desc) where outcome <> 'accepted' and promotion_id is not null",
    },
    triggers: {
      redemption_attempts_id_recorded: `create trigger redemption_attempts_id_recorded before insert on redemption_attempts
        for each row when (new.redemption_id is not null) execute function record_redemption_id()`,
    },
  },
  events: {
    month: "occurred_at",
    key: "position, occurred_at",
    hasSequence: false,
    foreignKeys: [],
    indexes: {
      occurred: "(occurred_at)",
      unknown_machines: "(subject, occurred_at) where type = 'machine.unknown'",
    },
    triggers: {},
  },
};

/** @typedef {keyof typeof tables} Table */

/** @param {import("knex").Knex} knex */
export async function up(knex) {
  await recordRedemptionIds(knex);
  await addPartitionFunctions(knex);
  for (const table of /** @type {Table[]} */ (Object.keys(tables))) await partition(knex, table);
  const { rows } = await knex.raw("select parent, month::text as month from missing_partitions()");
  for (const { parent, month } of rows)
    await runBriefly(knex, (trx) => trx.raw("select make_partition(?, ?)", [parent, month]));
}

/**
 * Runs statements that lock tables in a transaction, again where others hold these. Whoever redeems meanwhile waits
 * behind it, so it waits for a moment only.
 *
 * @param {import("knex").Knex} knex
 * @param {(trx: import("knex").Knex) => PromiseLike<unknown>} work
 */
async function runBriefly(knex, work) {
  if (knex.isTransaction) return void (await work(knex));
  for (;;) {
    try {
      return await knex.transaction(async (trx) => {
        await trx.raw("set local lock_timeout = '300ms'");
        await work(trx);
      });
    } catch (error) {
      if (!["55P03", "40P01"].includes(/** @type {any} */ (error).code)) throw error;
      await delay(500);
    }
  }
}

/**
 * Fills the table of redemption ids: from now on by a trigger, and in batches with those of before. The trigger waits
 * for whoever inserts an attempt, so that the batches find all earlier ones.
 *
 * @param {import("knex").Knex} knex
 */
async function recordRedemptionIds(knex) {
  await knex.raw(`
    create table if not exists redemption_ids (
      redemption_id text not null,
      integration_id bigint,
      attempt_id bigint not null,
      -- That of the attempt, and of its transaction.
      created_at timestamptz not null,
      constraint redemption_ids_key unique nulls not distinct (redemption_id, integration_id)
    ) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
    create table if not exists test_mode.redemption_ids (like redemption_ids including all);

    create or replace function record_redemption_id() returns trigger language plpgsql as $$
    begin
      if tg_table_schema = 'test_mode' then
        insert into test_mode.redemption_ids
          values (new.redemption_id, new.integration_id, new.id, new.created_at);
      else
        insert into public.redemption_ids
          values (new.redemption_id, new.integration_id, new.id, new.created_at);
      end if;
      return new;
    end $$;
  `);
  for (const schema of ["test_mode.", ""]) {
    const attempts = `${schema}redemption_attempts`;
    await knex.raw(`create or replace trigger redemption_attempts_id_recorded before insert on ${attempts}
      for each row when (new.redemption_id is not null) execute function record_redemption_id()`);
    for (let lastId = "0"; lastId !== null;) {
      const { rows } = await knex.raw(
        `with batch as materialized (
           select redemption_id, integration_id, id, created_at from ${attempts}
           where id > ? order by id limit 10000
         ), recorded as (
           insert into ${schema}redemption_ids
           select * from batch where redemption_id is not null on conflict do nothing
         )
         select max(id) as last_id from batch`,
        [lastId],
      );
      lastId = rows[0].last_id;
    }
  }
}

/**
 * The product's role owns no table, so it makes partitions by a function of the owner.
 *
 * @param {import("knex").Knex} knex
 */
async function addPartitionFunctions(knex) {
  await knex.raw(`
    create or replace view table_partitions as
      select parent.relname as parent, c.relname as name, bound.text = 'DEFAULT' as is_default,
        case when bound.text like '%FROM (MINVALUE)%' then '-infinity'
          else substring(bound.text from 'FROM \\(''([^'']+)') end::timestamptz as begins,
        substring(bound.text from 'TO \\(''([^'']+)')::timestamptz as ends
      from pg_inherits i
        join pg_class parent on parent.oid = i.inhparent and parent.relkind = 'p'
          and parent.relnamespace = 'public'::regnamespace
        join pg_class c on c.oid = i.inhrelid
        cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as text) bound;

    -- A partition is made beside its table and then attached, which holds up neither redemptions nor lists. Rows of the
    -- month that the default partition has are moved.
    create or replace function make_partition(parent text, month date) returns boolean
    language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
    declare
      name text := parent || to_char(month, '_YYYY_MM');
      start_at timestamptz := month;
      end_at timestamptz := month + interval '1 month';
      key text := (select a.attname from pg_partitioned_table t
        join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
        where t.partrelid = parent::regclass);
      columns text := (select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = parent::regclass and attnum > 0 and not attisdropped and attgenerated = '');
    begin
      if key is null or month <> date_trunc('month', month) then
        raise invalid_parameter_value using message = 'no partition of a month';
      end if;
      perform pg_advisory_xact_lock(7203512);
      if exists (select from table_partitions p where p.parent = make_partition.parent
          and p.begins < end_at and p.ends > start_at) then
        return false;
      end if;
      execute format('create table %I (like %I including all) with (${autovacuum})', name, parent);
      execute format('lock table %I in access exclusive mode', parent || '_default');
      execute format('with moved as (delete from %1$I where %2$I >= $1 and %2$I < $2 returning %3$s)
        insert into %4$I (%3$s) select * from moved', parent || '_default', key, columns, name) using start_at, end_at;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, start_at, end_at);
      return true;
    end $$;

    -- Drops the months of events that are over and whose rows were deleted when their retention ended.
    create or replace function drop_empty_months_of_events() returns void language plpgsql security definer
    set search_path = public, pg_temp set lock_timeout = '500ms' as $$
    declare
      month text;
      has_rows boolean;
    begin
      for month in select name from table_partitions
        where parent = 'events' and ends < now() - interval '30 days'
      loop
        execute format('select exists (select from %I)', month) into has_rows;
        if not has_rows then
          execute format('drop table %I', month);
        end if;
      end loop;
    end $$;

    -- The months up to three ahead, and those of rows in a default partition, that have no partition.
    create or replace function missing_partitions() returns table (parent text, month date)
    language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
    declare
      key text;
    begin
      for parent, key in select c.relname, a.attname from pg_partitioned_table t
        join pg_class c on c.oid = t.partrelid and c.relnamespace = 'public'::regnamespace
        join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
      loop
        return query execute format('
          select %1$L::text, m.month
          from (select generate_series(date_trunc(''month'', now()), date_trunc(''month'', now()) + interval ''3 months'',
              interval ''1 month'')::date as month
            union select date_trunc(''month'', %2$I)::date from %3$I where %2$I < now()) m
          where not exists (select from table_partitions p
            where p.parent = %1$L and p.begins <= m.month and p.ends > m.month)
          order by m.month', parent, key, parent || '_default');
      end loop;
    end $$;
  `);
}

/**
 * Makes a table the first partition of a new table with its name. What takes long, an index and a check of all rows, is
 * done while the table is in use.
 *
 * @param {import("knex").Knex} knex
 * @param {Table} table
 */
async function partition(knex, table) {
  const { rows } = await knex.raw(
    "select relkind = 'p' as is_done from pg_class where oid = to_regclass(?)",
    [table],
  );
  if (rows[0].is_done) return;
  const first = await prepareFirst(knex, table);
  await runBriefly(knex, (trx) => trx.raw(swapSql(table, first)));
}

/**
 * Gives a table what lets it be attached without reading its rows under a lock.
 *
 * @param {import("knex").Knex} knex
 * @param {Table} table
 * @returns the name and the end of the first partition
 */
async function prepareFirst(knex, table) {
  const { month, key } = tables[table];
  const concurrently = knex.isTransaction ? "" : "concurrently";
  const { rows } = await knex.raw(
    `select to_char(ends, 'YYYY-MM-DD') as ends, to_char(ends, '_YYYY_MM') as suffix
     from (select date_trunc('month', greatest(now(), (select max(${month}) from ${table})) at time zone 'UTC')
       + interval '2 months' as ends) first`,
  );
  const { ends, suffix } = rows[0];
  // An index that was interrupted is there, but not valid.
  await knex.raw(`drop index ${concurrently} if exists ${table}_new_pkey`);
  await knex.raw(`create unique index ${concurrently} ${table}_new_pkey on ${table} (${key})`);
  await knex.raw(`alter table ${table} drop constraint if exists ${table}_first,
    add constraint ${table}_first check (${month} < '${ends} 00:00:00+00') not valid`);
  // Those of earlier migrations, too: a partition can't have a constraint of its table that is not valid.
  const { rows: constraints } = await knex.raw(
    "select conname from pg_constraint where conrelid = ?::regclass and not convalidated",
    [table],
  );
  for (const { conname } of constraints)
    await knex.raw("alter table ?? validate constraint ??", [table, conname]);
  return { name: `${table}_until${suffix}`, ends };
}

/**
 * @param {Table} table
 * @param {{ name: string, ends: string }} first
 */
function swapSql(table, { name, ends }) {
  const { month, key, hasSequence, foreignKeys, indexes, triggers } = tables[table];
  return `
    ${foreignKeys.length > 0 ? "lock table promotions, machines in share row exclusive mode;" : ""}
    lock table ${table} in access exclusive mode;
    ${hasSequence ? ownSequenceSql(table) : ""}
    ${Object.keys(triggers)
      .map((trigger) => `drop trigger ${trigger} on ${table};`)
      .join("\n    ")}

    alter table ${table} rename to ${name};
    ${hasSequence ? `alter table ${name} alter column id set default nextval('${table}_id_seq');` : ""}
    alter table ${name} drop constraint ${table}_pkey,
      add constraint ${name}_pkey primary key using index ${table}_new_pkey;
    ${Object.keys(indexes)
      .map((index) => `alter index ${table}_${index} rename to ${name}_${index};`)
      .join("\n    ")}

    create table ${table} (like ${name} including defaults including constraints including generated including storage)
      partition by range (${month});
    alter table ${table} drop constraint ${table}_first, add primary key (${key});
    ${hasSequence ? `alter sequence ${table}_id_seq owned by ${table}.id;` : ""}
    ${foreignKeys.map((key) => `alter table ${table} add constraint ${key};`).join("\n    ")}
    ${Object.entries(indexes)
      .map(([index, columns]) => `create index ${table}_${index} on ${table} ${columns};`)
      .join("\n    ")}
    ${Object.values(triggers)
      .map((trigger) => `${trigger};`)
      .join("\n    ")}
    alter table ${table} attach partition ${name} for values from (minvalue) to ('${ends} 00:00:00+00');
    alter table ${name} drop constraint ${table}_first;
    create table ${table}_default partition of ${table} default with (${autovacuum});
    do $$ begin
      if not exists (select from ${name}) then
        drop table ${name};
      end if;
    end $$;`;
}

/**
 * Replaces an identity by a sequence that goes on with its numbers: an identity can't be kept without its own sequence,
 * and a partition can't have one in PostgreSQL 17 or later.
 *
 * @param {Table} table
 */
function ownSequenceSql(table) {
  // The default of a column reads the sequence, which couldn't be dropped otherwise.
  const column = "alter table recorded_events alter column after_transaction_id";
  const [before, after] =
    table === "transactions"
      ? [
          `${column} drop default;`,
          `${column} set default coalesce(pg_sequence_last_value('transactions_id_seq'), 0);`,
        ]
      : ["", ""];
  return `
    create sequence ${table}_new_seq;
    select setval('${table}_new_seq', last_value, is_called) from ${table}_id_seq;
    ${before}
    alter table ${table} alter column id drop identity;
    alter sequence ${table}_new_seq rename to ${table}_id_seq;
    ${after}`;
}
