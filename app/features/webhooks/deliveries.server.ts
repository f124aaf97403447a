/** The log of deliveries. */
import { db, one } from "../../db/connection.server";
import type { ListedTable } from "../../db/jobs.server";
import { queryPage, type PageQuery } from "../../db/pages.server";
import { notFound } from "../../errors";
import { parseRecordId } from "../../forms/record-id";
import type { ApiEvent } from "../events/event";
import type { Delivery, DeliveryState } from "./webhook";
import { readBodies } from "./webhook-queue.server";

const columns = `id, webhook_id, event_id, type, subject, occurred_at, is_redelivery, state, attempts,
  next_attempt_at, give_up_at, created_at, attempted_at, duration_ms, response_status, last_error`;

/** Redeliveries of the event of a delivery that wait or were accepted. */
export const laterDeliveriesSql = (delivery: string) => `webhook_deliveries later
  where later.webhook_id = ${delivery}.webhook_id and later.event_id = ${delivery}.event_id and later.is_redelivery
    and later.id > ${delivery}.id and later.state <> 'failed'`;

/** Deliveries that wait or have failed in the list of jobs; the log of a webhook has the others. */
export const listedDeliveries: ListedTable = {
  fromSql: `(select d.*, w.url, w.is_enabled from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state in ('pending', 'failed')) job`,
  kindSql: "'webhook'",
  topicSql: "job.type",
  subjectSql: "split_part(job.url, '/', 3)",
  canRunSql: `job.is_enabled
    and not (job.state = 'failed' and exists (select from ${laterDeliveriesSql("job")}))`,
};

/** Longer logs show their newest part. */
const maxListed = 10_000;

/** Lists deliveries of a webhook, newest first. */
export async function listDeliveries(
  webhookId: string,
  { state, ...pageQuery }: { state: DeliveryState | null } & PageQuery,
) {
  const from = `(select ${columns} from webhook_deliveries
    where webhook_id = :webhookId ${state ? "and state = :state" : ""}
    order by id desc limit ${maxListed}) deliveries`;
  const { rows, ...list } = await queryPage<Delivery>(
    { from, rows: `select * from ${from} order by id desc limit :perPage offset :offset` },
    { webhookId, ...(state && { state }) },
    pageQuery,
  );
  return { deliveries: rows, ...list };
}

export type LoggedAttempt = {
  attemptedAt: Date;
  /** null for attempts of releases that did not keep it. */
  url: string | null;
  requestHeaders: Record<string, string>;
  durationMs: number;
  /** null without an answer. */
  responseStatus: number | null;
  responseHeaders: Record<string, string> | null;
  /** The beginning; of earlier attempts less than of the last one. */
  responseBody: string | null;
  /** null for one that was delivered. */
  error: string | null;
};

export type DeliveryDetails = Delivery & {
  /** Newest first. */
  attemptLog: LoggedAttempt[];
  /** null for an event that is no longer kept. */
  event: ApiEvent | null;
};

type DeliveryRow = Delivery & {
  position: string | null;
  requestUrl: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  earlierAttempts: (Omit<LoggedAttempt, "attemptedAt"> & { attemptedAt: string })[];
};

/** @throws DomainError not_found, also for malformed ids and for a delivery of another webhook */
export async function getDelivery(webhookId: string, id: string): Promise<DeliveryDetails> {
  const delivery = await one<DeliveryRow>(
    db(),
    `select ${columns}, position, request_url, request_headers, response_headers, response_body, earlier_attempts
     from webhook_deliveries where id = :id and webhook_id = :webhookId`,
    { id: parseRecordId(id), webhookId: parseRecordId(webhookId) },
  );
  if (!delivery) throw notFound("Delivery not found");
  const [event] = await readBodies([delivery]);
  return { ...delivery, attemptLog: toLog(delivery), event: event ?? null };
}

function toLog({ earlierAttempts, attemptedAt, ...last }: DeliveryRow): LoggedAttempt[] {
  const earlier = earlierAttempts
    .map((attempt) => ({ ...attempt, attemptedAt: new Date(attempt.attemptedAt) }))
    .reverse();
  if (attemptedAt === null) return earlier;
  const { requestUrl: url, lastError: error, responseStatus, responseHeaders, responseBody } = last;
  const request = { url, requestHeaders: last.requestHeaders!, durationMs: last.durationMs! };
  const answer = { responseStatus, responseHeaders, responseBody, error };
  return [{ attemptedAt, ...request, ...answer }, ...earlier];
}
