import { db } from "../../../db/connection.server";
import type { Assigned } from "../../assignments/assigned";
import { readAssigned } from "../../assignments/assigned.server";
import type { AssignmentOwner } from "../../assignments/assignments.server";
import { getPromotion } from "../list/list-promotions.server";
import type { Promotion } from "../promotion";

type Rows<Row> = { rows: Row[] };

/** What a promotion's own page shows beside its line of the list. */
export type PromotionDetails = Assigned & {
  promotion: Promotion;
  /** Moves with every change; an edit names the one it saw. */
  version: number;
};

/** @throws DomainError not_found, for what can be no id too */
export async function getPromotionDetails(id: string): Promise<PromotionDetails> {
  const promotion = await getPromotion(id);
  const { version, holder } = await readVersion(promotion.id);
  const assigned = await readAssigned(holder);
  return { promotion, version, ...assigned };
}

/** And what has its machines: itself, or its generation as long as it has none of its own. */
async function readVersion(id: string): Promise<{ version: number; holder: AssignmentOwner }> {
  const { rows } = await db().raw<Rows<{ version: number } & AssignmentOwner>>(
    `select version,
       case when has_own_machines then 'promotion' else 'mass_generation' end as kind,
       case when has_own_machines then id else mass_generation_id end as id
     from promotions where id = :id`,
    { id },
  );
  const { version, ...holder } = rows[0]!;
  return { version, holder };
}
