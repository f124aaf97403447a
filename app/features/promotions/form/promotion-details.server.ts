import { db, one } from "../../../db/connection.server";
import { DomainError } from "../../../errors";
import { parseRecordId } from "../../../forms/record-id";
import type { Assigned } from "../../assignments/assigned";
import { readAssigned } from "../../assignments/assigned.server";
import type { Promotion } from "../promotion";
import { clockBindings, clockSql, promotionColumns } from "../promotion-sql.server";

/** A promotion as its own page shows it. */
export type PromotionDetails = Assigned & {
  promotion: Promotion;
  /** Counts the changes made by people; an edit names the version that it saw. */
  version: number;
};

/**
 * Reads the values and their version in one statement, so that an edit that names this version
 * never overwrites a value that the editor didn't see.
 * @param id as it came in a URL
 * @throws DomainError not_found, also for text that can't be an id
 */
export async function getPromotionDetails(id: string): Promise<PromotionDetails> {
  const promotionId = parseRecordId(id);
  const row =
    promotionId &&
    (await one<Promotion & { version: number; setId: string }>(
      db(),
      `with ${clockSql} select ${promotionColumns}, p.version, p.set_id
       from promotions p where p.id = :promotionId`,
      { ...clockBindings(), promotionId },
    ));
  if (!row) throw new DomainError("not_found", "Error: Promotion not found");
  const { version, setId, ...promotion } = row;
  return { promotion, version, ...(await readAssigned(setId)) };
}
