import type { Knex } from "knex";
import { query } from "../../../db/connection.server";
import { lockManySets } from "../../assignments/assignment-sets.server";
import type { Stayed } from "../import";
import { readStayed } from "./staying.server";

/** Selects the sets that keep what came, because one of their codes was redeemed since. */
export const stayingSql = `
  select brought.set_id, coalesce(g.name, (select p.name from promotions p where p.set_id = brought.set_id limit 1))
      as name,
    'Codes were redeemed since' as reason
  from (select distinct a.set_id from assignments a where a.import_id = :importId) brought
    left join mass_generations g on g.set_id = brought.set_id
  where exists (select from promotions p join transactions t on t.promotion_id = p.id
    where p.set_id = brought.set_id and p.activation_count > 0 and t.status = 'applied'
      and t.created_at >= (select i.imported_at from imports i where i.id = :importId))
  order by brought.set_id`;

/** Selects the codes that have a changed set of their own. */
const codesSql = `select id from promotions where set_id in (select set_id from changed_sets
  where set_id not in (select g.set_id from mass_generations g))`;

/** The rows of codes don't change, because redemptions would wait for them. */
export async function removeAssignments(trx: Knex.Transaction, importId: string): Promise<Stayed> {
  await trx.raw("set local statement_timeout = '10min'");
  // Later copies of these sets wait (`lockSharedSets`), and earlier ones are among those that change.
  await query(
    trx,
    `select from mass_generations
     where set_id in (select set_id from assignments where import_id = :importId)
     order by id for update`,
    { importId },
  );
  await query(trx, `create temporary table staying_sets on commit drop as ${stayingSql}`, {
    importId,
  });
  await query(
    trx,
    `create temporary table changed_sets on commit drop as
     select distinct set_id from assignments
     where import_id = :importId and set_id not in (select set_id from staying_sets)`,
    { importId },
  );
  await lockManySets(trx, { codesSql, setsSql: "select set_id from changed_sets" });
  await query(
    trx,
    `delete from assignments
     where import_id = :importId and set_id in (select set_id from changed_sets)`,
    { importId },
  );
  await trx.raw(
    `update mass_generations set version = version + 1
     where set_id in (select set_id from changed_sets)`,
  );
  await markAssigned(trx, "changed_sets");
  return readStayed(trx, importId, "select name, reason from staying_sets order by set_id");
}

/**
 * Stores which sets have an assignment left. They are locked by then (`lockManySets`), so that what others changed
 * meanwhile is committed and counts.
 */
export async function markAssigned(
  trx: Knex.Transaction,
  table: "row_targets" | "changed_sets",
): Promise<void> {
  await trx.raw(
    `update assignment_sets s set is_assigned = not s.is_assigned
     where s.id in (select set_id from ${table})
       and s.is_assigned <> exists (select from assignments a where a.set_id = s.id)`,
  );
}
