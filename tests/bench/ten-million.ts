import { db } from "../../app/db/connection.server";
import { openMillion, runLongStatement } from "./million";

/**
 * The history of the million promotions, always the same: some 10,000,000 transactions of the last 400 days with
 * the attempts that led to them, and 500,000 refused attempts. Limited codes were used as often as their counters
 * say; the others share the rest unevenly, as regular customers do.
 */
const statements = [
  `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount,
     status, created_at, rolled_back_at)
   select 'bench-' || row_number() over (order by at), promotion_id, 1 + floor(2000 * random())::bigint, type,
     price, case type when 'free_drink' then price else (price * discount_value + 50) / 100 end,
     case when is_rolled_back then 'rolled_back' else 'applied' end, at,
     case when is_rolled_back then at + interval '20 seconds' end
   from (
     select p.id as promotion_id, p.discount_type as type, p.discount_value, false as is_rolled_back,
       100 + floor(300 * random())::integer as price,
       now() - interval '400 days' * random() as at
     from promotions p, generate_series(1, p.period_uses) where p.max_uses is not null
     union all
     select p.id, p.discount_type, p.discount_value, random() < 0.02,
       100 + floor(300 * random())::integer, now() - interval '400 days' * random()
     from (select 2 * floor(50000 * random() ^ 3)::bigint as nth from generate_series(1, 8900000)) picked
       join unlimited p on p.nth = picked.nth / 2
   ) history order by at`,
  `insert into redemption_attempts (redemption_id, code, serial_number, original_price, promotion_id,
     machine_id, outcome, transaction_id, created_at)
   select redemption_id, code, serial_number, original_price, promotion_id, machine_id, outcome,
     transaction_id, created_at
   from (
     select t.redemption_id, 'ABCDEFGHJKMN' as code, 'VM-' || (10000 + t.machine_id) as serial_number,
       t.original_price, t.promotion_id, t.machine_id, 'accepted' as outcome, t.id as transaction_id, t.created_at
     from transactions t
     union all
     select 'refused-' || n, 'ABCDEFGHJKMN', 'VM-' || (10001 + n % 2000), 200,
       case when n % 8 > 1 then 1 + n % 1000000 end, 1 + n % 2000,
       (array['unknown', 'unknown', 'used_up', 'used_up', 'used_up', 'expired', 'inactive', 'not_assigned'])[1 + n % 8],
       null, now() - interval '400 days' * random()
     from generate_series(1, 500000) n
   ) attempts order by created_at`,
  `insert into redemption_ids
   select redemption_id, integration_id, id, created_at from redemption_attempts`,
];

let opening: Promise<void> | undefined;

/** Makes the data at the first call, which takes minutes, and connects `db()` to it. */
export function openTenMillion(): Promise<void> {
  return (opening ??= openMillion().then(insertHistory));
}

/** Adds the history to the million promotions that `db()` is connected to. */
async function insertHistory(): Promise<void> {
  await withoutIndexes(400, [
    "select setseed(0.25)",
    `create temporary table unlimited on commit drop as
     select row_number() over (order by id) - 1 as nth, id, discount_type, discount_value
     from promotions where max_uses is null and mass_generation_id is null`,
    ...statements,
  ]);
  await runLongStatement("vacuum analyze transactions, redemption_attempts");
}

/** Runs statements that insert transactions and attempts of so many days, in partitions of their months. */
export async function withoutIndexes(days: number, statements: string[]): Promise<void> {
  await db().transaction(async (trx) => {
    await trx.raw(
      "set local statement_timeout = 0; set local work_mem = '256MB'; set local maintenance_work_mem = '512MB'",
    );
    // Indexes and references that are made after the rows take a fraction of the time.
    const { rows } = await trx.raw<{ rows: { drop: string; create: string }[] }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
           as create
       from pg_constraint
       where contype = 'f' and conrelid in ('transactions'::regclass, 'redemption_attempts'::regclass)
       union all
       select format('drop index %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
       from pg_index
       where indrelid in ('transactions'::regclass, 'redemption_attempts'::regclass) and not indisprimary`,
    );
    await trx.raw(
      `select make_partition(parent, cast(month as date))
       from generate_series(date_trunc('month', now() - interval '${days} days'), now(), interval '1 month') as month,
         unnest(array['transactions', 'redemption_attempts']) as parent`,
    );
    await trx.raw(
      "alter table redemption_attempts disable trigger redemption_attempts_id_recorded",
    );
    for (const { drop } of rows) await trx.raw(drop);
    for (const statement of statements) await trx.raw(statement);
    for (const { create } of rows.reverse()) await trx.raw(create);
    await trx.raw("alter table redemption_attempts enable trigger redemption_attempts_id_recorded");
  });
}
