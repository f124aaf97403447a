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
    `select g.set_id, ${ownCodesSql} as own_codes
     from mass_generations g where g.id = :generationId`,
    { generationId },
  );
  const { setId, ownCodes } = generation!;
  return { ...(await readAssigned(setId)), ownCodes };
}

/** Number of codes of a generation `g` that have sets of their own. */
const ownCodesSql =
  "(select count(*)::integer from assignment_sets s where s.copied_from = g.set_id)";

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
          `select g.id, g.set_id, g.is_deleted, g.num_codes - ${ownCodesSql} as covered
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
