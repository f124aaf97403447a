import { db } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import type { Assigned } from "../../assignments/assigned";
import { readAssigned } from "../../assignments/assigned.server";
import type { AssignmentOwner } from "../../assignments/assignments.server";
import type { Promotion } from "../promotion";
import {
  clockBindings,
  clockSql,
  promotionColumns,
  type PromotionRow,
  toPromotion,
} from "../promotion-sql.server";

/** A promotion as its own page shows it. */
export type PromotionDetails = Assigned & {
  promotion: Promotion;
  /** Counts the changes made by people; an edit names the version that it saw. */
  version: number;
};

type DetailsRow = PromotionRow & {
  version: number;
  owner_kind: AssignmentOwner["kind"];
  owner_id: string;
};

/**
 * Reads the values and their version in one statement, so that an edit that names this version
 * never overwrites a value that the editor didn't see.
 * @param id as it came in a URL
 * @throws DomainError not_found, also for text that can't be an id
 */
export async function getPromotionDetails(id: string): Promise<PromotionDetails> {
  const promotionId = parseRecordId(id);
  const { rows } = promotionId
    ? await db().raw<{ rows: DetailsRow[] }>(
        `with ${clockSql}
         select ${promotionColumns}, p.version,
           case when p.has_own_machines then 'promotion' else 'mass_generation' end as owner_kind,
           case when p.has_own_machines then p.id else p.mass_generation_id end as owner_id
         from promotions p where p.id = :promotionId`,
        { ...clockBindings(), promotionId },
      )
    : { rows: [] };
  const row = rows[0];
  if (!row) throw new DomainError("not_found", "Error: Promotion not found");
  const assigned = await readAssigned({ kind: row.owner_kind, id: row.owner_id });
  return { promotion: toPromotion(row), version: row.version, ...assigned };
}
