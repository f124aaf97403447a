/** Sends the events of webhooks. */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import { environment } from "../../env.server";
import {
  attemptTimeoutMs,
  WebhookError,
  webhookPoster,
  type WebhookAnswer,
  type WebhookPoster,
} from "../../services/webhooks/post-webhook.server";
import type { ApiEvent } from "../events/event";
import { disableAutomatically } from "./webhooks.server";
import { attemptRecorder, giveUp, type Attempt, type Outcome } from "./webhook-attempts.server";
import {
  addDeliveries,
  dueWebhooks,
  leaseMs,
  leaseWebhook,
  readDueDeliveries,
  releaseLease,
  renewLease,
  type DueDelivery,
  type LeasedWebhook,
} from "./webhook-queue.server";
import { waitForTurn } from "./webhook-pace.server";
import { decryptWebhookSecret, signedHeaders } from "./webhook-secrets.server";

/** Subjects of a webhook that are sent at the same time. */
const maxConcurrent = 6;
const pollMs = 1_000;
/** An attempt may finish for so long after a stop. */
const stopTimeoutMs = 5_000;

const never = new AbortController().signal;

type DeliverOptions = {
  /** Makes what posts the calls of one webhook. */
  makePoster?: () => WebhookPoster;
  /** Replaces the limit on calls, in tests. */
  isPaced?: boolean;
  /** No further call is begun once it aborts. */
  stopping?: AbortSignal;
  /** Breaks off calls on their way. */
  breaking?: AbortSignal;
};

/** Sends everything that is due, each webhook apart from the others. */
export async function deliverDueWebhooks(options: DeliverOptions = {}): Promise<void> {
  const ids = await dueWebhooks();
  const lanes = await Promise.allSettled(ids.map((id) => serveWebhook(id, options)));
  for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
}

async function serveWebhook(id: string, options: DeliverOptions): Promise<void> {
  const { stopping = never, breaking = never } = options;
  const leased = await leaseWebhook(id);
  if (!leased) return;
  const { isPaced = true } = options;
  const makePoster =
    options.makePoster ?? (() => webhookPoster({ allowsPrivate: environment().webhookPrivate }));
  const poster = makePoster();
  try {
    let webhook: LeasedWebhook | null = leased;
    while (webhook && !stopping.aborted) {
      const hasMore = await addDeliveries(webhook);
      const due = await readDueDeliveries(webhook);
      if (due.length === 0 && !hasMore) break;
      await deliverBatch(webhook, due, { poster, isPaced, stopping, breaking });
      webhook = await renewLease(webhook);
    }
  } finally {
    poster.close();
    await releaseLease(leased);
  }
}

type Sending = {
  poster: WebhookPoster;
  isPaced: boolean;
  stopping: AbortSignal;
  breaking: AbortSignal;
};

/** Sends a batch: subjects beside each other, each in order up to an event that was not delivered. */
async function deliverBatch(
  webhook: LeasedWebhook,
  due: readonly DueDelivery[],
  { poster, isPaced, stopping, breaking }: Sending,
): Promise<void> {
  // A call that begins later could still run when the lease has ended.
  const deadline = performance.now() + leaseMs - 2 * attemptTimeoutMs;
  const secrets = [webhook.secret, webhook.previousSecret].flatMap(
    (secret) => (secret && decryptWebhookSecret(secret, webhook.secretOwner)) ?? [],
  );
  if (secrets.length === 0) {
    await disableAutomatically(webhook, "unreadable", webhook.leaseId);
    return;
  }
  const subjects = new Map<string, DueDelivery[]>();
  for (const delivery of due)
    subjects.set(delivery.subject, [...(subjects.get(delivery.subject) ?? []), delivery]);
  const recorder = attemptRecorder(webhook);
  const accepted: Promise<unknown>[] = [];
  let isOver = false;
  const end = () => (isOver = true);
  const mustEnd = () => stopping.aborted || isOver || performance.now() > deadline;
  const limit = pLimit(maxConcurrent);
  const lanes = [...subjects.values()].map((queue) =>
    limit(async () => {
      for (const delivery of queue) {
        // A turn that nobody uses would hold up other webhooks.
        if (mustEnd()) return;
        if (isPaced) await waitForTurn();
        if (mustEnd()) return;
        if (!delivery.event) {
          await giveUp(delivery, "The event is no longer kept.");
          continue;
        }
        const attempt = await post(webhook, { ...delivery, event: delivery.event }, secrets, {
          poster,
          breaking,
        });
        if (!attempt) return;
        const recorded = recorder.record(attempt);
        if (attempt.error === null) {
          accepted.push(recorded);
          // Nothing more is sent for a webhook that was disabled or removed, or if nothing can be recorded.
          recorded.then((outcome) => outcome !== "delivered" && end(), end);
          continue;
        }
        const outcome = await settle(webhook, attempt, await recorded);
        if (outcome === "disabled") end();
        if (outcome !== "failed") return;
      }
    }),
  );
  const results = await Promise.allSettled(lanes);
  await recorder.flush();
  for (const result of [...results, ...(await Promise.allSettled(accepted))])
    if (result.status === "rejected") throw result.reason;
}

/** @returns null for a call that was broken off, which is not counted */
async function post(
  { url }: LeasedWebhook,
  { id, event }: DueDelivery & { event: ApiEvent },
  secrets: readonly string[],
  { poster, breaking }: Pick<Sending, "poster" | "breaking">,
): Promise<Attempt | null> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1_000);
  const requestHeaders = signedHeaders({ id: event.id, timestamp, body }, secrets);
  const begin = performance.now();
  const toAttempt = (answer: WebhookAnswer | null, error: string | null): Attempt => {
    const durationMs = performance.now() - begin;
    return { deliveryId: id, begin, url, requestHeaders, durationMs, answer, error };
  };
  try {
    const answer = await poster.post({ url, headers: requestHeaders, body }, breaking);
    return toAttempt(answer, errorOfStatus(answer.status));
  } catch (cause) {
    if (breaking.aborted) return null;
    if (!(cause instanceof WebhookError)) throw cause;
    return toAttempt(null, cause.message);
  }
}

/** Disables a webhook whose receiver is gone or silent. */
async function settle(
  webhook: LeasedWebhook,
  { deliveryId, answer }: Attempt,
  outcome: Outcome | null,
): Promise<Outcome | null> {
  if (outcome === "disabled" || outcome === null) return outcome;
  const reason = answer?.status === 410 ? "gone" : outcome === "failed" ? "silent" : null;
  if (reason && (await disableAutomatically(webhook, reason, deliveryId))) return "disabled";
  return outcome;
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

/**
 * Sends due events every second until it is stopped.
 * @param report gets errors that are no receiver's
 */
export function startWebhookWorker(report: (error: unknown) => void): { stop(): Promise<void> } {
  const [stopping, breaking] = [new AbortController(), new AbortController()];
  const signals = { stopping: stopping.signal, breaking: breaking.signal };
  // A slow receiver holds up no other webhook.
  const lanes = new Map<string, Promise<void>>();
  const run = async () => {
    for (const id of await dueWebhooks()) {
      if (stopping.signal.aborted) return;
      if (lanes.has(id)) continue;
      const lane = serveWebhook(id, signals)
        .catch(report)
        .finally(() => lanes.delete(id));
      lanes.set(id, lane);
    }
  };
  const timer = setInterval(() => void run().catch(report), pollMs).unref();
  return {
    /** Begins no further call, lets those on their way end for 5 s, and then breaks them off. */
    async stop() {
      clearInterval(timer);
      stopping.abort();
      const finished = Promise.all(lanes.values());
      await Promise.race([finished, delay(stopTimeoutMs)]);
      breaking.abort();
      await Promise.race([finished, delay(1_000)]);
    },
  };
}
