/** Records attempts to deliver events, many in one statement: one for each would cost more than the calls. */
import type { Knex } from "knex";
import pLimit from "p-limit";
import { db, one, query } from "../../db/connection.server";
import type { WebhookAnswer } from "../../services/webhooks/post-webhook.server";
import { maxAttemptsKept, type DeliveryState } from "./webhook";
import type { DueDelivery, LeasedWebhook } from "./webhook-queue.server";

export type Attempt = {
  deliveryId: string;
  /** The moment at which it began, by `performance.now()`. */
  begin: number;
  url: string;
  requestHeaders: Record<string, string>;
  durationMs: number;
  /** null if there was none. */
  answer: WebhookAnswer | null;
  /** null for one that was delivered. */
  error: string | null;
};

/** The state of a delivery after an attempt, or 'disabled' once its webhook is. */
export type Outcome = DeliveryState | "disabled";
export type Outcomes = Map<string, Outcome>;

/** Seconds until the next attempt: 2, 8, 32 … of the last one; then a day, and a little more or less. */
const backoffSql = `least(interval '2 seconds' * power(4, least(d.attempts, 12)), interval '22 hours')
  * (0.95 + random() / 10)`;

/** The last attempt as one of the earlier ones, with less of the answer. */
const lastAttemptSql = `jsonb_build_object('attemptedAt', d.attempted_at, 'url', d.request_url,
  'requestHeaders', d.request_headers, 'durationMs', d.duration_ms, 'responseStatus', d.response_status,
  'responseHeaders', d.response_headers, 'responseBody', left(d.response_body, 1000), 'error', d.last_error)`;

/**
 * Records attempts of a webhook, of different deliveries. One that failed is repeated, at last when its time is over.
 * The row of the webhook is locked first, as whoever enables it does.
 * @returns the outcomes by delivery; none for one that is no longer there or was finished by another worker
 */
export async function recordAttempts(
  { id }: Pick<LeasedWebhook, "id">,
  attempts: readonly Attempt[],
): Promise<Outcomes> {
  const rows = await query<{ id: string; outcome: Outcome }>(
    db(),
    `with webhook as materialized (
       update webhooks set last_success_at = case when :hasSuccess then now() else last_success_at end
       where id = :id returning id, is_enabled
     ), attempt as materialized (
       select * from jsonb_to_recordset(cast(:attempts as jsonb)) attempt (delivery_id bigint,
         age_ms float, url text, request_headers jsonb, duration_ms integer, status integer,
         headers jsonb, body text, error text)
     )
     update webhook_deliveries d set attempts = d.attempts + 1,
       state = case when attempt.error is null then 'delivered'
         when give_up_at <= now() then 'failed' else 'pending' end,
       finished_at = case when attempt.error is null or give_up_at <= now() then now() end,
       next_attempt_at = least(now() + ${backoffSql}, greatest(give_up_at, now())),
       attempted_at = now() - age_ms * interval '1 millisecond', request_url = attempt.url,
       request_headers = attempt.request_headers, duration_ms = attempt.duration_ms,
       response_status = status, response_headers = headers, response_body = body,
       last_error = attempt.error,
       earlier_attempts = case when d.attempted_at is null then earlier_attempts else
         jsonb_path_query_array(earlier_attempts || ${lastAttemptSql},
           '$[last - ${maxAttemptsKept - 2} to last]') end
     from webhook, attempt
     where d.id = attempt.delivery_id and d.webhook_id = webhook.id and d.state = 'pending'
     returning d.id, case when is_enabled then d.state else 'disabled' end as outcome`,
    {
      id,
      hasSuccess: attempts.some(({ error }) => error === null),
      attempts: JSON.stringify(attempts.map(toRecord)),
    },
  );
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

function toRecord({ deliveryId, begin, url, answer, error, ...attempt }: Attempt) {
  return {
    ...{ delivery_id: deliveryId, age_ms: performance.now() - begin, url, error },
    ...{ request_headers: attempt.requestHeaders, duration_ms: Math.round(attempt.durationMs) },
    ...{ status: answer?.status, headers: answer?.headers, body: answer?.body },
  };
}

/** Limits the statements at once: pages need connections to the database, too. */
const recording = pLimit(3);
/** Successes wait for others so long, and for so many; after a kill they are sent once more. */
const [flushMs, maxWaiting] = [500, 50];

export type AttemptRecorder = {
  /**
   * Records an attempt with others. One that failed is recorded at once, because its subject waits for it.
   * @returns the outcome; null for none
   */
  record(attempt: Attempt): Promise<Outcome | null>;
  /** Records what waits. */
  flush(): Promise<void>;
};

export function attemptRecorder(webhook: Pick<LeasedWebhook, "id">): AttemptRecorder {
  let waiting: { attempt: Attempt; settle: (outcomes: Promise<Outcomes>) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const inTurn = pLimit(1);
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    return inTurn(async () => {
      const batch = waiting;
      waiting = [];
      if (batch.length === 0) return;
      const attempts = batch.map(({ attempt }) => attempt);
      const outcomes = recording(() => recordAttempts(webhook, attempts));
      for (const { settle } of batch) settle(outcomes);
      // The error reaches each caller that recorded an attempt of the batch.
      await outcomes.catch(() => {});
    });
  };
  return {
    record(attempt) {
      const recorded = new Promise<Outcomes>((resolve) =>
        waiting.push({ attempt, settle: resolve }),
      ).then((outcomes) => outcomes.get(attempt.deliveryId) ?? null);
      if (attempt.error !== null || waiting.length >= maxWaiting) void flush();
      else timer ??= setTimeout(() => void flush(), flushMs);
      return recorded;
    },
    flush,
  };
}

/** Gives up a delivery that can't be sent at all. */
export async function giveUp({ id }: DueDelivery, reason: string): Promise<void> {
  await query(
    db(),
    `update webhook_deliveries set state = 'failed', finished_at = now(), last_error = :reason
     where id = :id and state = 'pending'`,
    { id, reason },
  );
}

/** Tells whether a delivery was given up and nothing was delivered since it was created. */
export async function hasStopped(
  trx: Knex,
  { id }: LeasedWebhook,
  deliveryId: string,
): Promise<boolean> {
  return Boolean(
    await one(
      trx,
      `select from webhooks w join webhook_deliveries d on d.webhook_id = w.id
       where w.id = :id and d.id = :deliveryId and d.state = 'failed'
         and (w.last_success_at is null or w.last_success_at < d.created_at)`,
      { id, deliveryId },
    ),
  );
}
