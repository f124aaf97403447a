/** Assignments of machine groups, and the deletion of a group with its assignments. */
import { db, one, query, type Database } from "../../db/connection.server";
import { formatCode } from "../../format/promotion";
import { recordAction } from "../activity/audit-log.server";
import type { GroupUse, Unassigned } from "../machines/machine-group";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import { lockGroup, type GroupOptions } from "../machines/machine-groups.server";
import { lockManySets } from "./assignment-sets.server";

/**
 * Sets of single promotions and of codes that were edited alone, as `a` with their promotion `p`:
 * the sets that no generation has. Sets of generations belong to many codes, so they are left out
 * before promotions are looked up.
 */
const ofPromotions = (groupId = ":groupId") => `(select a.* from assignments a
    where a.group_id = ${groupId}
      and not exists (select from mass_generations g where g.set_id = a.set_id)) a
  join promotions p on p.set_id = a.set_id`;
const ofGenerations = (groupId = ":groupId") =>
  `assignments a join mass_generations g on g.set_id = a.set_id where a.group_id = ${groupId}`;
/** Codes of the generation `g` that have its set still; the others count as promotions. */
const codesWithSetSql =
  "g.num_codes - (select count(*) from assignment_sets s where s.copied_from = g.set_id)";

/** Adds to each group what it is assigned to, without what is deleted. */
export async function withUse<Group extends { id: string }>(
  groups: readonly Group[],
): Promise<(Group & { assigned: GroupUse })[]> {
  const uses = await query<GroupUse & { id: string }>(
    db(),
    `select wanted.id, generations, codes,
       (select count(*)::integer from ${ofPromotions("wanted.id")} where not p.is_deleted)
         as promotions
     from unnest(cast(:ids as bigint[])) as wanted (id) cross join lateral (
       select count(*)::integer as generations, coalesce(sum(${codesWithSetSql}), 0)::integer as codes
       from ${ofGenerations("wanted.id")} and not g.is_deleted) of_generations`,
    { ids: groups.map((group) => group.id) },
  );
  const byId = new Map(uses.map(({ id, ...use }) => [id, use]));
  return groups.map((group) => ({ ...group, assigned: byId.get(group.id)! }));
}

const maxAssignmentsListed = 25;

export type GroupAssignments = Awaited<ReturnType<typeof readGroupAssignments>>;

/** Reads live promotions and generations that a group is assigned to, the newest of each. */
export async function readGroupAssignments(groupId: string, reader: Reader) {
  const [promotions, generations] = await Promise.all([
    query<{ id: string; name: string; code: string }>(
      db(),
      `select p.id, p.name, p.code from ${ofPromotions()} where not p.is_deleted
       order by p.id desc limit ${maxAssignmentsListed}`,
      { groupId },
    ),
    query<{ id: string; name: string; numCodes: number }>(
      db(),
      `select g.id, g.name, g.num_codes from ${ofGenerations()} and not g.is_deleted
       order by g.id desc limit ${maxAssignmentsListed}`,
      { groupId },
    ),
  ]);
  return {
    promotions: promotions.map((promotion) => ({
      ...promotion,
      code: formatCode(codeFor(reader, promotion.code)),
    })),
    generations,
  };
}

export async function previewGroupDeletion(
  groupId: string,
  database: Database = db(),
): Promise<Unassigned> {
  const row = await one<{ all: GroupUse; bare: GroupUse }>(
    database,
    `with uses as (
       select exists (select from assignments other
           where other.set_id = a.set_id and other.group_id is distinct from :groupId) as has_other,
         g.id as generation_id,
         ${codesWithSetSql} as codes
       from assignments a left join mass_generations g on g.set_id = a.set_id
       where a.group_id = :groupId
     ), counted as (
       select is_bare, json_build_object(
         'promotions', count(*) filter (where generation_id is null),
         'generations', count(generation_id),
         'codes', coalesce(sum(codes) filter (where generation_id is not null), 0)) as use
       from uses, (values (true), (false)) as kinds (is_bare)
       where not (is_bare and has_other)
       group by is_bare
     )
     select (select use from counted where not is_bare) as all,
       (select use from counted where is_bare) as bare`,
    { groupId },
  );
  const none: GroupUse = { promotions: 0, generations: 0, codes: 0 };
  return { ...(row!.all ?? none), unassignedAfter: row!.bare ?? none };
}

/**
 * Deletes a group. Promotions and generations that nothing else is assigned to have the status 'Not
 * assigned' afterwards. Locks are taken in the common order: the group, then generations, then
 * promotions, each by id. Nobody can assign the group once it is locked. The rows of promotions don't change, because
 * redemptions would wait for them.
 * @throws DomainError not_found
 */
export async function deleteMachineGroup(id: string, { actor }: GroupOptions) {
  return db().transaction(async (trx) => {
    // The group may be assigned to 100,000 promotions, or to a generation that is being created.
    await trx.raw("set local statement_timeout = '60s'; set local lock_timeout = '8s'");
    const { id: groupId, name } = await lockGroup(trx, id, "update");
    const generations = await query<{ id: string; covered: number }>(
      trx,
      `select g.id, g.num_codes as covered from mass_generations g
       where g.set_id in (select set_id from assignments where group_id = :groupId)
       order by g.id for update`,
      { groupId },
    );
    const codesSql = `select p.id from ${ofPromotions()}`;
    const setsSql = "select set_id from assignments where group_id = :groupId";
    await lockManySets(trx, { codesSql, setsSql }, { groupId });
    const promotions = await query<{ id: string }>(trx, `${codesSql} order by p.id`, { groupId });
    const promotionIds = promotions.map((promotion) => promotion.id);
    const unassigned = await previewGroupDeletion(groupId, trx);

    await query(
      trx,
      "update mass_generations set version = version + 1 where id = any(cast(:ids as bigint[]))",
      { ids: generations.map((generation) => generation.id) },
    );
    await query(
      trx,
      `update assignment_sets s set is_assigned = exists (select from assignments other
         where other.set_id = s.id and other.group_id is distinct from :groupId)
       where s.id in (${setsSql})`,
      { groupId },
    );
    await query(trx, "delete from machine_groups where id = :groupId", { groupId });

    // The histories of promotions and generations show the deletion: their status may change.
    const details = { groups_removed: { from: [name], to: null } };
    if (promotionIds.length > 0) {
      const subject = promotionIds.length === 1 ? promotionIds[0]! : promotionIds;
      await recordAction(trx, actor, "promotion.group_deleted", subject, { details });
    }
    for (const generation of generations)
      await recordAction(trx, actor, "mass_generation.group_deleted", generation.id, {
        covered: generation.covered,
        details,
      });
    await recordAction(trx, actor, "machine_group.deleted", groupId, {
      details: { name: { from: name, to: null }, ...unassigned },
    });
    return { ...unassigned, name };
  });
}
