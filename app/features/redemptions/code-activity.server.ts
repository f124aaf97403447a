import { db, query } from "../../db/connection.server";
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import { refusalMessage, type RefusalReason } from "./refusal-reason";

/** An attempt to redeem a code, and its outcome. */
export type CodeEvent = {
  key: string;
  at: string;
  /** Serial number as the client sent it. */
  serialNumber: string;
  outcome: "applied" | "rolled_back" | "refused";
  /** Why it was refused; null if it was not. */
  reason: string | null;
  price: string;
  /** null if it was refused. */
  discount: string | null;
  paid: string | null;
};

export const maxEvents = 25;

type EventRow = {
  key: string;
  createdAt: Date;
  serialNumber: string;
  originalPrice: number;
  discount: number | null;
  outcome: "applied" | "rolled_back" | RefusalReason;
};

/**
 * Lists the last redemptions and the last refused attempts of a code, newest first. Each part reads
 * the end of an index, so that the cost doesn't grow with the uses of a code.
 */
export async function codeActivity(promotionId: string, timeZone: string): Promise<CodeEvent[]> {
  const rows = await query<EventRow>(
    db(),
    `(select 't' || t.id as key, t.created_at, m.serial_number, t.original_price, t.discount,
        t.status as outcome
      from transactions t join machines m on m.id = t.machine_id
      where t.promotion_id = :promotionId
      order by t.created_at desc, t.id desc limit ${maxEvents})
     union all
     (select 'a' || a.id, a.created_at, a.serial_number, a.original_price, null, a.outcome
      from (select * from redemption_attempts where promotion_id = :promotionId
        order by id desc limit ${maxEvents}) a
      where a.outcome <> 'accepted')
     order by created_at desc, key desc limit ${maxEvents}`,
    { promotionId },
  );
  return rows.map((row) => ({
    key: row.key,
    at: formatDateTime(row.createdAt, timeZone),
    serialNumber: row.serialNumber,
    ...outcomeOf(row.outcome),
    price: formatCents(row.originalPrice),
    discount: row.discount === null ? null : formatCents(row.discount),
    paid: row.discount === null ? null : formatCents(row.originalPrice - row.discount),
  }));
}

function outcomeOf(outcome: EventRow["outcome"]): Pick<CodeEvent, "outcome" | "reason"> {
  if (outcome === "applied" || outcome === "rolled_back") return { outcome, reason: null };
  return { outcome: "refused", reason: refusalMessage(outcome) };
}
