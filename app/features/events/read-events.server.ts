import { setTimeout as delay } from "node:timers/promises";
import { db, one, query, readValue, type Database } from "../../db/connection.server";
import { invalid, unavailable } from "../../errors";
import type { Reader } from "../sign-in/user";
import { savingsPercent, toApiTransaction } from "../transactions/transaction";
import type { ApiEvent, EventType } from "./event";
import type { EventData } from "./event-data";

type EventRow = {
  position: string;
  id: string;
  type: EventType;
  subject: string;
  occurredAt: Date;
  data: object | null;
  transactionId: string | null;
  isArchived: boolean;
  redemptionId: string;
  serialNumber: string;
  humanName: string;
  originalPrice: number;
  discount: number;
  redeemedAt: Date;
  discountType: "percentage" | "free_drink";
  promotionId: string;
  code: string;
  name: string;
  discountValue: number;
  massGenerationId: string | null;
};

/**
 * An event with its place in the log. It is null where its transaction is archived: a rollback in the first minutes of a month
 * may be of a redemption in the month before.
 */
type PositionedEvent = { position: string; event: ApiEvent | null };

/**
 * Reads events of the log in order.
 * @param conditionSql about a row `e` of events
 * @param redeemedSql about a row `t` of their transactions
 */
export async function readEvents(
  database: Database,
  conditionSql: string,
  bindings: Record<string, unknown>,
  redeemedSql = "true",
): Promise<PositionedEvent[]> {
  const rows = await query<EventRow>(
    database,
    `select e.position, e.id, e.type, e.subject, e.occurred_at, e.data, e.transaction_id,
       e.transaction_id is not null and t.id is null as is_archived, t.redemption_id,
       m.serial_number, m.human_name, t.original_price, t.discount, t.created_at as redeemed_at, t.type as discount_type,
       p.id as promotion_id, p.code, p.name, p.discount_value, p.mass_generation_id
     from (select * from events e where ${conditionSql}) e
       left join transactions t on t.id = e.transaction_id and ${redeemedSql}
       left join machines m on m.id = t.machine_id
       left join promotions p on p.id = t.promotion_id
     order by e.position`,
    bindings,
  );
  return rows.map((row) => ({
    position: row.position,
    event: row.isArchived ? null : toApiEvent(row),
  }));
}

/**
 * Reads events by their positions. The months of both tables follow from their times, so that the database plans for no
 * others: a rollback is possible for ten minutes (RULES R5).
 */
export async function readEventsAt(
  places: readonly { position: string; occurredAt: Date }[],
): Promise<Map<string, ApiEvent | null>> {
  if (places.length === 0) return new Map();
  const times = places.map(({ occurredAt }) => occurredAt.getTime());
  const [earliest, latest] = [Math.min(...times) - 1_000, Math.max(...times) + 1_000];
  const found = await readEvents(
    db(),
    "position = any(cast(:positions as bigint[])) and occurred_at between :earliest and :latest",
    {
      positions: places.map(({ position }) => position),
      earliest: new Date(earliest),
      latest: new Date(latest),
      redeemedAfter: new Date(earliest - 24 * 3_600_000),
    },
    "t.created_at between :redeemedAfter and :latest",
  );
  return new Map(found.map(({ position, event }) => [position, event]));
}

/** Holds nothing but names that can change later, so that each delivery of an event says the same. */
function toApiEvent(row: EventRow): ApiEvent {
  const { id, type, subject, occurredAt, data } = row;
  const timestamp = occurredAt.toISOString();
  return {
    id,
    type,
    timestamp,
    subject,
    data: row.transactionId === null ? data! : toUsageData(row),
  };
}

/** Facts of a redemption or of its rollback. */
export function toUsageData(
  row: Omit<EventRow, "position" | "id" | "subject" | "occurredAt" | "data" | "isArchived">,
): EventData<"promotion.redeemed"> {
  const { originalPrice, discount, redemptionId, discountType, code, name } = row;
  const machine = { serialNumber: row.serialNumber, humanName: row.humanName };
  return {
    promotion: {
      id: Number(row.promotionId),
      code,
      name,
      discount_type: discountType,
      discount_value: row.discountValue,
      mass_generation_id: row.massGenerationId === null ? null : Number(row.massGenerationId),
    },
    machine,
    transaction: {
      ...toApiTransaction({
        id: row.transactionId!,
        redemptionId,
        originalPrice,
        discount,
        machine,
        occurredAt: row.redeemedAt,
        promotion: { id: row.promotionId, name, code },
        discountedPrice: originalPrice - discount,
        savings: savingsPercent(discount, originalPrice),
        status: row.type === "promotion.rolled_back" ? "rolled_back" : "applied",
        type: discountType,
      }),
      redemptionId,
    },
  };
}

/** The number of positions that are searched at once for events of some types. */
const maxScanned = 50_000;
/** A rare type may be far away: its client goes on from the `next` that the search has reached. */
const maxSearchMs = 2_000;

type FeedPage = { events: ApiEvent[]; next: string };

/** Alerts that admins alone see are events for admins alone. */
const isVisibleSql = (reader: Reader) =>
  reader.role === "admin" ? "true" : "coalesce(data #>> '{alert,role}', 'user') = 'user'";

type FeedQuery = {
  /** The `next` of an earlier page; null for the oldest event that is kept. */
  after: string | null;
  limit: number;
  /** Empty for all. */
  types: EventType[];
  /** How long to wait for an event if there is none, in ms. */
  waitMs: number;
  reader: Reader;
};

/**
 * Reads the events after a cursor that a person sees, or waits for the first one.
 * @param signal ends the search and the wait
 * @throws DomainError invalid: the cursor is none of this feed, or events after it are no longer kept;
 *   unavailable: too many requests wait already
 */
export async function readFeed(
  { after, limit, types, waitMs, reader }: FeedQuery,
  signal: AbortSignal,
): Promise<FeedPage> {
  const start = performance.now();
  let cursor = await startOfFeed(after);
  for (;;) {
    const last = await lastPosition();
    const until = Math.min(Number(last), Number(cursor) + maxScanned);
    const found = await readEvents(
      db(),
      `position > :cursor and position <= :until and ${isVisibleSql(reader)}
         ${types.length > 0 ? "and type = any(:types)" : ""} order by position limit :limit`,
      { cursor, until, types, limit },
    );
    const next = found.length === limit ? found.at(-1)!.position : String(until);
    const events = found.flatMap(({ event }) => event ?? []);
    if (events.length > 0) return { events, next };
    cursor = next;
    const isAtEnd = Number(next) >= Number(last);
    const msLeft = start + (isAtEnd ? waitMs : maxSearchMs) - performance.now();
    if (msLeft <= 0 || signal.aborted) return { events: [], next };
    if (isAtEnd && !(await waitForEvent(cursor, msLeft, signal))) return { events: [], next };
  }
}

async function startOfFeed(after: string | null): Promise<string> {
  const log = await one<{ before: string; last: string }>(
    db(),
    `select coalesce((select min(position) - 1 from events), last_position) as before,
       last_position as last from event_log`,
  );
  const { before, last } = log!;
  if (after === null) return before;
  if (Number(after) > Number(last))
    throw invalid("This cursor is not one of this feed. Begin without 'after'.");
  if (Number(after) < Number(before))
    throw invalid("Events after this cursor are no longer kept. Begin without 'after'.");
  return after;
}

/** Waiting requests of a process, at most: each takes a place that others may need. */
const maxWaiting = 30;
const pollMs = 250;
let waiting = 0;
let stopping = new AbortController();

/** Answers the requests that wait for events, because the process stops. */
export function endFeedWaits(): void {
  stopping.abort();
  stopping = new AbortController();
}

/**
 * @returns false if the time is over
 * @throws DomainError unavailable: too many wait already
 */
async function waitForEvent(cursor: string, ms: number, signal: AbortSignal): Promise<boolean> {
  if (waiting >= maxWaiting)
    throw unavailable("Too many clients wait for events. Please try again.");
  const deadline = performance.now() + ms;
  const end = AbortSignal.any([signal, stopping.signal]);
  waiting++;
  try {
    while (!end.aborted && performance.now() < deadline) {
      if (Number(await sharedLastPosition()) > Number(cursor)) return true;
      await delay(pollMs, null, { signal: end }).catch(() => {});
    }
    return false;
  } finally {
    waiting--;
  }
}

let reading: Promise<string> | null = null;

/** Reads the last position for all requests that wait, in one statement. */
function sharedLastPosition(): Promise<string> {
  return (reading ??= lastPosition().finally(() => (reading = null)));
}

function lastPosition(): Promise<string> {
  return readValue(db(), "select last_position from event_log");
}
