import { db } from "../../db/connection.server";

type Rows<Row> = { rows: Row[] };

/** What a group is assigned to and is not deleted, the newest first, and only the first of each. */
export type GroupAssignments = {
  /** Singles, and codes of mass generations with machines of their own. */
  promotions: { id: string; name: string; code: string }[];
  generations: { id: string; name: string; numCodes: number }[];
};

export const maxAssignmentsListed = 25;

/** @param groupId of a group that exists */
export async function readGroupAssignments(groupId: string): Promise<GroupAssignments> {
  const [promotions, generations] = await Promise.all([
    db().raw<Rows<GroupAssignments["promotions"][number]>>(
      `select p.id, p.name, p.code
       from promotion_assignments a join promotions p on p.id = a.promotion_id
       where a.group_id = :groupId and p.has_own_machines and not p.is_deleted
       order by a.promotion_id desc limit ${maxAssignmentsListed}`,
      { groupId },
    ),
    db().raw<Rows<GroupAssignments["generations"][number]>>(
      `select g.id, g.name, g.num_codes as "numCodes"
       from mass_generation_assignments a join mass_generations g on g.id = a.mass_generation_id
       where a.group_id = :groupId and not g.is_deleted
       order by g.id desc limit ${maxAssignmentsListed}`,
      { groupId },
    ),
  ]);
  return { promotions: promotions.rows, generations: generations.rows };
}
