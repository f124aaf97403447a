/** The machines and groups of one promotion. */
import { db, one, query, type Database } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import type { Assigned } from "../../assignments/assigned";
import { readAssigned } from "../../assignments/assigned.server";
import { readTargets, type AssignmentOwner } from "../../assignments/assignments.server";
import { listMachinesById } from "../../machines/list-machines.server";
import type { Machine } from "../../machines/machine";

export type PromotionMachines = Omit<Assigned, "machines"> & {
  /** Directly assigned machines, deleted ones too, by serial number. */
  machines: Machine[];
  /** Whether the promotion shares the set of its mass generation; its first change ends that. */
  isShared: boolean;
};

/**
 * @param id as a URL names it
 * @throws DomainError not_found
 */
export async function readPromotionMachines(id: string): Promise<PromotionMachines> {
  const { setId, isShared } = await findPromotion(db(), id);
  const [targets, assigned] = await Promise.all([readTargets(db(), setId), readAssigned(setId)]);
  const machines = await listMachinesById(targets.flatMap((target) => target.machineId ?? []));
  return { ...assigned, machines, isShared };
}

/**
 * A promotion as the owner of its machines and groups. A code of a generation that shares the
 * generation's set gets a set of its own with its first change.
 * @param id as a URL names it
 */
export function promotionOwner(id: string): AssignmentOwner {
  return {
    kind: "promotion",
    async lock(trx) {
      const promotion = await findPromotion(trx, id, "for update of p");
      if (promotion.isDeleted)
        throw new DomainError(
          "conflict",
          "This promotion is deleted. Its machines can't be changed.",
        );
      return { ...promotion, covered: 1 };
    },
    async save(trx, { id: promotionId, setId }) {
      await query(
        trx,
        `update promotions set set_id = :setId, version = version + 1, updated_at = now()
         where id = :promotionId`,
        { promotionId, setId },
      );
    },
  };
}

type AssignedPromotion = { id: string; setId: string; isShared: boolean; isDeleted: boolean };

async function findPromotion(
  database: Database,
  id: string,
  lock: "" | "for update of p" = "",
): Promise<AssignedPromotion> {
  const promotionId = parseRecordId(id);
  const promotion =
    promotionId &&
    (await one<AssignedPromotion>(
      database,
      `select p.id, p.set_id, p.is_deleted, coalesce(p.set_id = g.set_id, false) as is_shared
       from promotions p left join mass_generations g on g.id = p.mass_generation_id
       where p.id = :promotionId ${lock}`,
      { promotionId },
    ));
  if (!promotion) throw new DomainError("not_found", "Error: Promotion not found");
  return promotion;
}
