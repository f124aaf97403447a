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
import { disableAutomatically } from "./webhooks.server";
import {
  addDeliveries,
  dueWebhooks,
  giveUp,
  leaseMs,
  leaseWebhook,
  noteSuccess,
  readDueDeliveries,
  recordAttempt,
  releaseLease,
  renewLease,
  type DueDelivery,
  type LeasedWebhook,
} from "./webhook-queue.server";
import { decryptWebhookSecret, signedHeaders } from "./webhook-secrets.server";

/** Subjects of a webhook that are sent at the same time. */
const maxConcurrent = 6;
/** However many webhooks there are, pages need connections to the database, too. */
const recording = pLimit(3);
const pollMs = 1_000;
/** Calls of a process in a second, so that a long queue takes no time from redemptions; the second while it is busy. */
const [callsPerSecond, callsPerBusySecond] = [100, 20];
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

/** The time of the next call of this process, of all webhooks together. */
let nextTurn = 0;

async function waitForTurn(): Promise<void> {
  const now = performance.now();
  const turn = Math.max(now, nextTurn);
  nextTurn = turn + 1_000 / (isLoopBusy() ? callsPerBusySecond : callsPerSecond);
  if (turn > now) await delay(turn - now);
}

const load = { from: performance.eventLoopUtilization(), readAt: 0, isBusy: false };

/** Whether the event loop had work for most of the last half second or longer. */
function isLoopBusy(): boolean {
  const now = performance.now();
  if (now - load.readAt < 500) return load.isBusy;
  const until = performance.eventLoopUtilization();
  load.isBusy = performance.eventLoopUtilization(until, load.from).utilization > 0.6;
  load.from = until;
  load.readAt = now;
  return load.isBusy;
}

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
  let [isDelivered, isOver] = [false, false];
  const subjects = new Map<string, DueDelivery[]>();
  for (const delivery of due)
    subjects.set(delivery.subject, [...(subjects.get(delivery.subject) ?? []), delivery]);
  const limit = pLimit(maxConcurrent);
  const lanes = [...subjects.values()].map((queue) =>
    limit(async () => {
      for (const delivery of queue) {
        if (isPaced) await waitForTurn();
        if (stopping.aborted || isOver || performance.now() > deadline) return;
        const outcome = await deliver(webhook, delivery, secrets, poster, breaking);
        if (outcome === "delivered" && !isDelivered) {
          isDelivered = true;
          await noteSuccess(webhook);
        }
        if (outcome === "disabled") isOver = true;
        if (outcome !== "delivered" && outcome !== "failed") return;
      }
    }),
  );
  const results = await Promise.allSettled(lanes);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/**
 * Makes one attempt and records it.
 * @returns `pending` if it will be repeated; `disabled` if the webhook was, automatically
 */
async function deliver(
  webhook: LeasedWebhook,
  delivery: DueDelivery,
  secrets: readonly string[],
  poster: WebhookPoster,
  breaking: AbortSignal,
): Promise<"delivered" | "failed" | "pending" | "disabled" | "broken off"> {
  if (!delivery.event) {
    await giveUp(delivery, "The event is no longer kept.");
    return "failed";
  }
  const body = JSON.stringify(delivery.event);
  const timestamp = Math.floor(Date.now() / 1_000);
  const requestHeaders = signedHeaders({ id: delivery.event.id, timestamp, body }, secrets);
  const begin = performance.now();
  let answer: WebhookAnswer | null = null;
  let error: string | null = null;
  try {
    answer = await poster.post({ url: webhook.url, headers: requestHeaders, body }, breaking);
    error = errorOfStatus(answer.status);
  } catch (cause) {
    if (breaking.aborted) return "broken off";
    if (!(cause instanceof WebhookError)) throw cause;
    error = cause.message;
  }
  const durationMs = performance.now() - begin;
  const state = await recording(() =>
    recordAttempt(delivery, { requestHeaders, durationMs, answer, error }),
  );
  if (answer?.status === 410 && (await disableAutomatically(webhook, "gone", delivery.id)))
    return "disabled";
  if (state === "failed" && (await disableAutomatically(webhook, "silent", delivery.id)))
    return "disabled";
  return state ?? "pending";
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
