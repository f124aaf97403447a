import { db } from "../../db/connection.server";
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import { refusalMessage, type RefusalReason } from "./refusal-reason";

/** What came of an attempt to redeem a code. */
export type CodeEvent = {
  key: string;
  at: string;
  /** As the client named it. */
  serialNumber: string;
  outcome: "applied" | "rolled_back" | "refused";
  /** Why it was refused; null when it was not. */
  reason: string | null;
  price: string;
  /** Null when it was refused. */
  discount: string | null;
  paid: string | null;
};

export const maxEvents = 25;

type EventRow = {
  key: string;
  created_at: Date;
  serial_number: string;
  original_price: number;
  discount: number | null;
  outcome: "applied" | "rolled_back" | RefusalReason;
};

/**
 * The last redemptions of a code and the last attempts that were refused, newest first. Each part
 * reads the newest of its own index, so that it costs the same however often a code was used.
 */
export async function codeActivity(promotionId: string, timeZone: string): Promise<CodeEvent[]> {
  const { rows } = await db().raw<{ rows: EventRow[] }>(
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
    at: formatDateTime(row.created_at, timeZone),
    serialNumber: row.serial_number,
    ...outcomeOf(row.outcome),
    price: formatCents(row.original_price),
    discount: row.discount === null ? null : formatCents(row.discount),
    paid: row.discount === null ? null : formatCents(row.original_price - row.discount),
  }));
}

function outcomeOf(outcome: EventRow["outcome"]): Pick<CodeEvent, "outcome" | "reason"> {
  if (outcome === "applied" || outcome === "rolled_back") return { outcome, reason: null };
  return { outcome: "refused", reason: refusalMessage(outcome) };
}
