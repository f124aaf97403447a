import { db } from "../../db/connection.server";
import type { Assigned } from "./assigned";
import { readAssigned } from "./assigned.server";
import type { Holder } from "./assignments.server";
import { getPromotion } from "./list-promotions.server";
import type { Promotion } from "./promotion";

type Rows<Row> = { rows: Row[] };

export type PromotionRedemption = {
  id: string;
  at: Date;
  machine: string;
  originalPrice: number;
  discount: number;
  discountedPrice: number;
  isRolledBack: boolean;
};

/** What a promotion's own page shows beside its line of the list. */
export type PromotionDetails = Assigned & {
  promotion: Promotion;
  /** Moves with every change; an edit names the one it saw. */
  version: number;
  /** The newest first. */
  redemptions: PromotionRedemption[];
};

export const shownRedemptions = 25;

/** @throws DomainError not_found, for what can be no id too */
export async function getPromotionDetails(id: string): Promise<PromotionDetails> {
  const promotion = await getPromotion(id);
  const { version, holder } = await readVersion(promotion.id);
  const [assigned, redemptions] = await Promise.all([
    readAssigned(holder),
    readRedemptions(promotion.id),
  ]);
  return { promotion, version, ...assigned, redemptions };
}

/** And what has its machines: itself, or its generation as long as it has none of its own. */
async function readVersion(id: string): Promise<{ version: number; holder: Holder }> {
  const { rows } = await db().raw<Rows<{ version: number } & Holder>>(
    `select version,
       case when has_own_machines then 'promotion' else 'mass_generation' end as kind,
       case when has_own_machines then id else mass_generation_id end as id
     from promotions where id = :id`,
    { id },
  );
  const { version, ...holder } = rows[0]!;
  return { version, holder };
}

type RedemptionRow = {
  id: string;
  created_at: Date;
  serial_number: string;
  original_price: number;
  discount: number;
  discounted_price: number;
  status: "applied" | "rolled_back";
};

async function readRedemptions(id: string): Promise<PromotionRedemption[]> {
  const { rows } = await db().raw<Rows<RedemptionRow>>(
    `select t.id, t.created_at, m.serial_number, t.original_price, t.discount,
       t.discounted_price, t.status
     from transactions t join machines m on m.id = t.machine_id
     where t.promotion_id = :id order by t.id desc limit ${shownRedemptions}`,
    { id },
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.created_at,
    machine: row.serial_number,
    originalPrice: row.original_price,
    discount: row.discount,
    discountedPrice: row.discounted_price,
    isRolledBack: row.status === "rolled_back",
  }));
}
