/**
 * Machines and groups of a mass generation. They belong to all its codes but those that were edited
 * alone, which have sets of their own.
 */
import { db, one, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import type { Assigned } from "../assignments/assigned";
import { readAssigned } from "../assignments/assigned.server";
import type { AssignmentOwner } from "../assignments/assignments.server";

/** The set of a generation, and the number of its codes that have sets of their own. */
export type GenerationAssigned = Assigned & { ownCodes: number };

/** @param generationId of a generation that exists */
export async function readGenerationAssigned(generationId: string): Promise<GenerationAssigned> {
  const generation = await one<{ setId: string; ownCodes: number }>(
    db(),
    `select g.set_id, g.num_codes - ${sharingCodesSql} as own_codes
     from mass_generations g where g.id = :generationId`,
    { generationId },
  );
  const { setId, ownCodes } = generation!;
  return { ...(await readAssigned(setId)), ownCodes };
}

/** Number of codes that share the set of a generation `g`. */
const sharingCodesSql = "(select count(*) from promotions p where p.set_id = g.set_id)::integer";

/**
 * A mass generation as the owner of its machines and groups.
 * @param id as a URL names it
 */
export function generationOwner(id: string): AssignmentOwner {
  return {
    kind: "mass_generation",
    async lock(trx) {
      const generationId = parseRecordId(id);
      const generation =
        generationId &&
        (await one<{ id: string; setId: string; isDeleted: boolean; covered: number }>(
          trx,
          `select g.id, g.set_id, g.is_deleted, ${sharingCodesSql} as covered
           from mass_generations g where g.id = :generationId for update of g`,
          { generationId },
        ));
      if (!generation) throw new DomainError("not_found", "Error: Mass generation not found");
      if (generation.isDeleted)
        throw new DomainError(
          "conflict",
          "This mass generation is deleted. Its machines can't be changed.",
        );
      return { ...generation, isShared: false };
    },
    async save(trx, { id: generationId }) {
      await query(
        trx,
        "update mass_generations set version = version + 1 where id = :generationId",
        { generationId },
      );
    },
  };
}
