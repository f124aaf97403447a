import { db } from "../../app/db/connection.server";
import {
  addTargets,
  changeAssignments,
  removeAll,
  removeTarget,
} from "../../app/features/assignments/assignments.server";
import type { ChosenTargets } from "../../app/features/assignments/targets";
import type { Actor } from "../../app/features/activity/audit-log.server";
import { generationOwner } from "../../app/features/mass-generations/mass-generation.server";
import { promotionOwner } from "../../app/features/promotions/promotions.server";

export type OwnerTable = "promotions" | "mass_generations";
type TargetRow = { machine_id: string } | { group_id: string };

/** Assigns machines and groups to the set of a row, without a version or an audit row. */
export async function assign(
  table: OwnerTable,
  id: string,
  ...targets: TargetRow[]
): Promise<void> {
  const set_id = await setIdOf(table, id);
  await db()("assignments").insert(targets.map((target) => ({ set_id, ...target })));
  await db()("assignment_sets").where({ id: set_id }).update({ is_assigned: true });
}

export async function setIdOf(table: OwnerTable, id: string): Promise<string> {
  const row = await db()(table).where({ id }).first<{ set_id: string }>("set_id");
  return row!.set_id;
}

/** The rows that the set of a promotion or a generation has. */
export async function assignmentsOf(table: OwnerTable, id: string) {
  return db()("assignments")
    .where({ set_id: await setIdOf(table, id) })
    .select<{ machine_id: string | null; group_id: string | null }[]>("machine_id", "group_id");
}

type SetFacts = { id: string; is_assigned: boolean; has_own_set: boolean; version: number };

/** Reads facts about the sets of promotions, in the order of their ids. */
export async function setFactsOf(ids: readonly string[]): Promise<SetFacts[]> {
  const { rows } = await db().raw<{ rows: SetFacts[] }>(
    `select p.id, s.is_assigned, p.set_id is distinct from g.set_id as has_own_set, p.version
     from promotions p join assignment_sets s on s.id = p.set_id
       left join mass_generations g on g.id = p.mass_generation_id
     where p.id = any(cast(:ids as bigint[])) order by p.id`,
    { ids: [...ids] },
  );
  return rows;
}

/** Sets whose flag differs from their assignments, of all that there are. */
export async function findWrongSets(): Promise<object[]> {
  const { rows } = await db().raw<{ rows: object[] }>(
    `select s.id from assignment_sets s where s.is_assigned <> exists (
       select from assignments a where a.set_id = s.id)`,
  );
  return rows;
}

/** Gives codes of a generation empty sets of their own. */
export async function editAlone(...ids: string[]): Promise<void> {
  for (const id of ids) {
    const { rows } = await db().raw<{ rows: { id: string }[] }>(
      `insert into assignment_sets (copied_from)
       select g.set_id from promotions p join mass_generations g on g.id = p.mass_generation_id
       where p.id = :id returning id`,
      { id },
    );
    await db()("promotions").where({ id }).update({ set_id: rows[0]!.id });
  }
}

type Options = { actor: Actor };

const changesOf = (ownerOf: typeof promotionOwner) => ({
  add: async (id: string, targets: Partial<ChosenTargets>, options: Options) =>
    changeAssignments(ownerOf(id), addTargets(targets), options),
  removeMachine: (id: string, serialNumber: string, options: Options) =>
    changeAssignments(ownerOf(id), removeTarget({ kind: "machine", id: serialNumber }), options),
  removeGroup: (id: string, groupId: string, options: Options) =>
    changeAssignments(ownerOf(id), removeTarget({ kind: "group", id: groupId }), options),
  removeAll: (id: string, options: Options) => changeAssignments(ownerOf(id), removeAll, options),
});

export const ofPromotion = changesOf(promotionOwner);
export const ofGeneration = changesOf(generationOwner);

/** Adds machines to a promotion by their serial numbers. */
export const assignMachines = async (id: string, machines: readonly string[], options: Options) =>
  ofPromotion.add(id, { machines }, options);
