/**
 * Sends events to webhooks. A delivery may begin once what came earlier of its subject has been delivered or given up,
 * so that events of a subject stay in order, and one that fails holds up no other subject.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import DataLoader from "dataloader";
import type { Knex } from "knex";
import { db, query, readValue } from "../../db/connection.server";
import { wakeJobs } from "../../db/job-runner.server";
import { repeatedJob, type JobTable, type Outcome } from "../../db/jobs.server";
import { environment } from "../../env.server";
import { paths } from "../../paths";
import {
  WebhookError,
  webhookPoster,
  type WebhookAnswer,
  type WebhookPoster,
} from "../../services/webhooks/post-webhook.server";
import { recordAction, systemActor } from "../activity/audit-log.server";
import type { ApiEvent } from "../events/event";
import { publishEvents } from "../events/publish-events.server";
import { recordRefusals } from "../events/record-refusals.server";
import { lockMailedAdmins, mailAdmins } from "../sign-in/admin-mails.server";
import { maxStoredAttempts, maxWebhooks } from "./webhook";
import {
  addDeliveries,
  deliveryColumns,
  readBodies,
  type DeliveryJob,
} from "./webhook-queue.server";
import { decryptWebhookSecret, signedHeaders } from "./webhook-secrets.server";
import { lockWebhook } from "./webhooks.server";

/** A slow receiver holds up no other webhook, because each has as many calls at once. */
const maxCallsOfWebhook = 8;
/** Few statements, and at most 80 calls of a webhook in a second, leave the processor to redemptions. */
const batch = { size: 20, claimEveryMs: 100, settleMs: 10 };

/** Gives events their positions, and webhooks their deliveries. */
export const eventsJob = repeatedJob(1, async () => {
  await recordRefusals();
  await publishEvents();
  if (await addDeliveries()) wakeJobs();
});

/** Deliveries as jobs. @param poster is replaced in tests */
export function deliveryJobs(
  poster = webhookPoster({ allowsPrivate: environment().webhookPrivate }),
): JobTable<DeliveryJob> {
  // Deliveries that are claimed together are read together.
  const receivers = new DataLoader(readReceivers, { cache: false });
  const bodies = new DataLoader(readBodies, { cache: false });
  return {
    name: "webhook_deliveries",
    kindSql: "'webhook'",
    columnsSql: `${deliveryColumns}, give_up_at <= now() as is_expired`,
    orderSql: "job.id",
    // The first of each subject, of webhooks that may begin another call. Release 1.0.0 leases whole webhooks. Three columns
    // are compared at once because only the index by subject has their order: the planner, whose statistics are from before
    // the queue grew, would otherwise read all that waits for each delivery.
    conditionSql: `job.id = any(array(
        select next.id from webhooks w cross join lateral (
          select waiting.id from webhook_deliveries waiting
          where waiting.webhook_id = w.id and waiting.state = 'pending' and waiting.next_attempt_at <= now()
            and waiting.id = (select first.id from webhook_deliveries first
              where first.state = 'pending'
                and (first.webhook_id, first.subject, first.id) >= (w.id, waiting.subject, 0)
              order by first.webhook_id, first.subject, first.id limit 1)
          order by waiting.id limit greatest(0, least(:count, ${maxCallsOfWebhook} - (
            select count(*) from webhook_deliveries r
            where r.webhook_id = w.id and r.is_running and r.next_attempt_at > now())))) next
        where w.is_enabled and w.leased_until <= now()))`,
    batch,
    // 2, 8, 32 … seconds, then a day, and a little more or less.
    backoffSql: `least(interval '2 seconds' * power(4, least(job.attempts - 1, 12)), interval '22 hours')
      * (0.95 + random() / 10)`,
    doneState: "delivered",
    resultSql: {
      attempted_at: `now() - ${durationSql} * interval '1 millisecond'`,
      request_url: "ended.result ->> 'url'",
      request_headers: "ended.result -> 'requestHeaders'",
      duration_ms: `round(${durationSql})`,
      response_status: "cast(ended.result ->> 'status' as integer)",
      response_headers: "nullif(ended.result -> 'responseHeaders', 'null')",
      response_body: "ended.result ->> 'body'",
      earlier_attempts: `case when attempted_at is null then earlier_attempts else jsonb_path_query_array(
        earlier_attempts || ${lastAttemptSql}, '$[last - ${maxStoredAttempts - 2} to last]') end`,
    },
    kinds: {
      webhook: {
        concurrencyLimit: maxWebhooks * maxCallsOfWebhook,
        isOutgoing: true,
        run: async (delivery, signal) => {
          const [receiver, event] = await Promise.all([
            receivers.load(delivery.webhookId),
            bodies.load(delivery),
          ]);
          if (!receiver) return { state: "released" };
          if (!event) return { state: "failed", error: "The event is no longer kept." };
          return deliver(delivery, { receiver, event, poster, signal });
        },
      },
    },
  };
}

const durationSql = "cast(ended.result ->> 'durationMs' as float)";

/** The last attempt as one of the earlier ones, with less of the answer. */
const lastAttemptSql = `jsonb_build_object('attemptedAt', attempted_at, 'url', request_url,
  'requestHeaders', request_headers, 'durationMs', duration_ms, 'responseStatus', response_status,
  'responseHeaders', response_headers, 'responseBody', left(response_body, 1000), 'error', last_error)`;

/** Another instance may have the right APP_SECRET, and so may this one after its next start. */
const unreadableSecret =
  "Not sent: the secret can't be decrypted, because APP_SECRET has changed. Restore APP_SECRET, or rotate the secret.";

type Receiver = {
  id: string;
  url: string;
  secretOwner: string;
  secret: Buffer;
  /** null when no rotation is going on. */
  previousSecret: Buffer | null;
  /** Seconds since 1970, which are signed. */
  timestamp: number;
  /** Whether the time of its last success is less than a second ago, or is being written. */
  isUpToDate: boolean;
};

/** @returns null in the place of a webhook that is disabled */
async function readReceivers(ids: readonly string[]): Promise<(Receiver | null)[]> {
  const receivers = await query<Receiver>(
    db(),
    `select id, url, secret_owner, secret, case when previous_secret_until > now() then previous_secret end
       as previous_secret, floor(extract(epoch from now()))::float as timestamp,
       coalesce(last_success_at, '-infinity') > now() - interval '1 second' as is_up_to_date
     from webhooks where id = any(cast(:ids as bigint[])) and is_enabled`,
    { ids },
  );
  const byId = new Map(receivers.map((receiver) => [receiver.id, receiver]));
  return ids.map((id) => byId.get(id) ?? null);
}

async function deliver(
  delivery: DeliveryJob,
  call: { receiver: Receiver; event: ApiEvent; poster: WebhookPoster; signal: AbortSignal },
): Promise<Outcome> {
  const { id, webhookId } = delivery;
  const { event, poster, signal, receiver } = call;
  const { url, secret, previousSecret, secretOwner, timestamp } = receiver;
  const secrets = [secret, previousSecret].flatMap(
    (encrypted) => (encrypted && decryptWebhookSecret(encrypted, secretOwner)) ?? [],
  );
  const canSign = secrets.length > 0;
  const body = JSON.stringify(event);
  const headers = canSign ? signedHeaders({ id: event.id, timestamp, body }, secrets) : {};
  const begin = performance.now();
  const { answer, error } = canSign
    ? await post(poster, { url, headers, body }, signal)
    : { answer: null, error: unreadableSecret };
  const durationMs = performance.now() - begin;
  if (!answer && signal.aborted) return { state: "released" };
  const result = {
    url,
    requestHeaders: headers,
    durationMs,
    status: answer?.status ?? null,
    responseHeaders: answer?.headers ?? null,
    body: answer?.body ?? null,
  };
  if (error === null) {
    // Once a second at most: the calls of a webhook would wait for each other's write.
    if (!receiver.isUpToDate) {
      receiver.isUpToDate = true;
      const sql = "update webhooks set last_success_at = now() where id = :webhookId";
      await query(db(), sql, { webhookId });
    }
    return { state: "done", result };
  }
  const failed = { webhookId, url, deliveryId: id };
  if (answer?.status === 410) await disableAutomatically(failed, "gone");
  else if (delivery.isExpired) await disableAutomatically(failed, "silent");
  return { state: "retry", error, result };
}

async function post(
  poster: WebhookPoster,
  call: Parameters<WebhookPoster["post"]>[0],
  signal: AbortSignal,
): Promise<{ answer: WebhookAnswer | null; error: string | null }> {
  try {
    const answer = await poster.post(call, signal);
    return { answer, error: errorOfStatus(answer.status) };
  } catch (cause) {
    if (!(cause instanceof WebhookError)) throw cause;
    return { answer: null, error: cause.message };
  }
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

const disablingReasons = {
  gone: "The receiver answered 410, which means that the address is gone for good.",
  silent: "No event was accepted for 3 days.",
};

/**
 * Disables a webhook whose receiver is gone, or that has accepted nothing since an event was created that is given up
 * now, and mails the admins. A webhook whose address was changed during the call stays enabled.
 * @param call the call by which this was found
 */
async function disableAutomatically(
  call: { webhookId: string; url: string; deliveryId: string },
  reason: keyof typeof disablingReasons,
): Promise<void> {
  await db().transaction(async (trx) => {
    const admins = await lockMailedAdmins(trx);
    const { id, isEnabled, url } = await lockWebhook(trx, call.webhookId);
    if (!isEnabled || url !== call.url) return;
    if (reason === "silent" && !(await isSilent(trx, call.deliveryId))) return;
    const text = disablingReasons[reason];
    await query(
      trx,
      "update webhooks set is_enabled = false, disabled_reason = :text where id = :id",
      { id, text },
    );
    await recordAction(trx, systemActor, "webhook.disabled", id, { details: { reason: text } });
    await mailAdmins(trx, admins, {
      template: "webhook_disabled",
      data: { url, reason: text, path: paths.webhook(id) },
      dedupKey: `webhook ${id} disabled ${randomUUID()}`,
    });
  });
}

/** Tells whether nothing was delivered since a delivery was created. */
function isSilent(trx: Knex, deliveryId: string): Promise<boolean> {
  const sql = `select exists (select from webhooks w join webhook_deliveries d on d.webhook_id = w.id
    where d.id = :deliveryId and (w.last_success_at is null or w.last_success_at < d.created_at))`;
  return readValue(trx, sql, { deliveryId });
}
