/** Deleting a group takes it from everything that it is assigned to, and says so beforehand. */
import type { Knex } from "knex";
import { db } from "../../db/connection.server";
import { recordAction } from "../activity/audit-log.server";
import { lockGroup, type GroupOptions } from "./machine-groups.server";

type Rows<Row> = { rows: Row[] };

/** Deleted promotions and generations are counted too: they lose the group as well. */
export type Unassigned = {
  /** Singles, and codes with machines of their own. */
  promotions: number;
  generations: number;
  /** Of those generations. */
  codes: number;
  /** Those of them that nothing else is assigned to: machines refuse them from then on. */
  unassignedAfter: { promotions: number; generations: number; codes: number };
};

const hasOther = (holder: string, table: string) => `exists (select from ${table}_assignments other
  where other.${table}_id = ${holder} and other.group_id is distinct from :groupId)`;

/**
 * What deleting the group would change now.
 * @param groupId of a group that exists
 */
export async function previewGroupDeletion(groupId: string): Promise<Unassigned> {
  return countUnassigned(db(), groupId);
}

async function countUnassigned(knex: Knex, groupId: string): Promise<Unassigned> {
  const { rows } = await knex.raw<
    Rows<{
      promotions: number;
      bare_promotions: number;
      generations: number;
      codes: number;
      bare_generations: number;
      bare_codes: number;
    }>
  >(
    `with p as (
       select ${hasOther("a.promotion_id", "promotion")} as has_other
       from promotion_assignments a join promotions p on p.id = a.promotion_id
       where a.group_id = :groupId and p.has_own_machines
     ), g as (
       select ${hasOther("g.id", "mass_generation")} as has_other, g.num_codes - (
           select count(*) from promotions own
           where own.mass_generation_id = g.id and own.has_own_machines
         ) as codes
       from mass_generation_assignments a join mass_generations g on g.id = a.mass_generation_id
       where a.group_id = :groupId
     )
     select (select count(*) from p)::integer as promotions,
       (select count(*) from p where not has_other)::integer as bare_promotions,
       count(*)::integer as generations, coalesce(sum(codes), 0)::integer as codes,
       count(*) filter (where not has_other)::integer as bare_generations,
       coalesce(sum(codes) filter (where not has_other), 0)::integer as bare_codes
     from g`,
    { groupId },
  );
  const row = rows[0]!;
  return {
    promotions: row.promotions,
    generations: row.generations,
    codes: row.codes,
    unassignedAfter: {
      promotions: row.bare_promotions,
      generations: row.bare_generations,
      codes: row.bare_codes,
    },
  };
}

/**
 * Deletes a group. Promotions and generations that nothing else is assigned to are 'Not assigned'
 * from then on.
 *
 * Locks are taken as everywhere: the group, then generations, then promotions, each by id. Nobody
 * can assign the group any more once it is locked, so what has to change only gets less.
 * @throws DomainError not_found
 */
export async function deleteMachineGroup(
  id: string,
  options: GroupOptions,
): Promise<Unassigned & { name: string }> {
  return db().transaction(async (trx) => {
    // A generation may have 100,000 codes, and may be in the making.
    await trx.raw("set local statement_timeout = '60s'; set local lock_timeout = '8s'");
    const group = await lockGroup(trx, id, "update");
    const bindings = { groupId: group.id };
    const promotionIds = await lockHolders(trx, bindings);
    const unassigned = await countUnassigned(trx, group.id);
    await auditRemovals(trx, group, options);
    await unassign(trx, { ...bindings, promotionIds });
    await trx.raw("delete from machine_groups where id = :groupId", bindings);
    await recordAction(trx, {
      actor: options.actor,
      action: "machine_group.deleted",
      subjectType: "machine_group",
      subjectId: group.id,
      details: { name: { from: group.name, to: null }, ...unassigned },
    });
    return { ...unassigned, name: group.name };
  });
}

/** Codes with the group among machines of their own, and those that share the machines of a generation which keeps none. */
const losingSql = `select promotion_id from promotion_assignments where group_id = :groupId
  union all
  select p.id from promotions p join mass_generation_assignments a
    on a.mass_generation_id = p.mass_generation_id and a.group_id = :groupId
  where not p.has_own_machines and p.is_assigned
    and not ${hasOther("p.mass_generation_id", "mass_generation")}`;

/**
 * Locks what changes with the group. A statement of its own, so that those after it see how things
 * are.
 * @returns the ids of the codes, as PostgreSQL writes an array
 */
async function lockHolders(trx: Knex, bindings: { groupId: string }): Promise<string> {
  await trx.raw(
    `select from mass_generations where id in (
       select mass_generation_id from mass_generation_assignments where group_id = :groupId)
     order by id for update`,
    bindings,
  );
  const { rows } = await trx.raw<Rows<{ ids: string }>>(
    `with losing as materialized (${losingSql})
     select coalesce(array_agg(id)::text, '{}') as ids from (
       select id from promotions where id in (select promotion_id from losing)
       order by id for update) locked`,
    bindings,
  );
  return rows[0]!.ids;
}

async function unassign(
  trx: Knex,
  bindings: { groupId: string; promotionIds: string },
): Promise<void> {
  await trx.raw(
    `update promotions p set version = version + 1, updated_at = now(),
       is_assigned = p.has_own_machines and ${hasOther("p.id", "promotion")}
     where id = any(cast(:promotionIds as bigint[]))`,
    bindings,
  );
  await trx.raw("delete from promotion_assignments where group_id = :groupId", bindings);
  await trx.raw(
    `update mass_generations g set version = version + 1,
       is_assigned = ${hasOther("g.id", "mass_generation")}
     where id in (
       select mass_generation_id from mass_generation_assignments where group_id = :groupId)`,
    bindings,
  );
  await trx.raw("delete from mass_generation_assignments where group_id = :groupId", bindings);
}

/** In their own histories, too: their status may be another one from now on. */
async function auditRemovals(
  trx: Knex,
  group: { id: string; name: string },
  { actor }: GroupOptions,
): Promise<void> {
  const bindings = {
    groupId: group.id,
    actorId: actor.id,
    requestId: actor.requestId,
    actorName: actor.email,
    details: JSON.stringify({ groups_removed: { from: [group.name], to: null } }),
  };
  await trx.raw(
    `insert into audit_log (actor_id, actor_name, action, subject_type, subject_id, subject_ids,
       covered, details, request_id)
     select :actorId, :actorName, 'promotion.group_deleted', 'promotion',
       case count(*) when 1 then min(promotion_id) end,
       case when count(*) > 1 then array_agg(promotion_id order by promotion_id) end,
       count(*), cast(:details as jsonb), :requestId
     from promotion_assignments where group_id = :groupId having count(*) > 0`,
    bindings,
  );
  await trx.raw(
    `insert into audit_log (actor_id, actor_name, action, subject_type, subject_id, covered,
       details, request_id)
     select :actorId, :actorName, 'mass_generation.group_deleted', 'mass_generation', g.id,
       g.num_codes, cast(:details as jsonb), :requestId
     from mass_generations g join mass_generation_assignments a on a.mass_generation_id = g.id
     where a.group_id = :groupId`,
    bindings,
  );
}
