import { messageFor, type Rejection } from "../http/rejection.server";
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { collectDefaultMetrics, type Gauge } from "prom-client";
import { version } from "../../package.json";
import { poolUsage } from "../db/connection.server";
import { replicaState } from "../db/replica.server";
import { countOpenMails } from "../features/mail/outbox.server";
import { readSyncAge } from "../features/machines/platform-state.server";
import { readBacklog } from "../features/webhooks/webhook-queue.server";
import {
  databaseConnections,
  databaseWaiting,
  info,
  machineSyncAge,
  outboxMails,
  ready,
  registry,
  replicaLag,
  replicaUsed,
  requests,
  requestSeconds,
  webhookWaiting,
  webhookWaitingAge,
} from "../metrics.server";
import { resolveWithin } from "./database-watch.server";
import { isSafeMethod } from "./request-checks.server";

/** A request with the name of what answers it: the id of a Remix route, or one of the pipeline's own. */
export type RoutedRequest = IncomingMessage & { route?: string };

const gaugeTimeoutMs = 2_000;

/** Counts a request when its answer has ended, under the route that it has by then. */
export function countRequest(request: RoutedRequest, response: ServerResponse): void {
  const began = performance.now();
  response.once("close", () => {
    const { method, route = "other" } = request;
    const status = response.headersSent ? response.statusCode : "none";
    requests.inc({ method, route, status });
    requestSeconds.observe({ route }, (performance.now() - began) / 1_000);
  });
}

/**
 * Makes the handler of `/metrics`, for whoever sends METRICS_TOKEN as a bearer. It answers while the database
 * is down, too, with what is known without it.
 * @param token null: there is nothing at this address
 */
export function metricsEndpoint(token: string | null, isReady: () => Promise<boolean>) {
  if (token !== null) startCollecting();

  return async (request: RoutedRequest, response: ServerResponse): Promise<Rejection | null> => {
    request.route = "metrics";
    if (token === null) return { status: 404, message: messageFor(404) };
    if (!isSafeMethod(request.method))
      return { status: 405, message: messageFor(405), headers: { Allow: "GET, HEAD" } };
    if (!isBearer(request, token))
      return {
        status: 401,
        message: "Send METRICS_TOKEN as a bearer token.",
        headers: { "WWW-Authenticate": "Bearer" },
      };
    await updateGauges(isReady);
    const body = Buffer.from(await registry.metrics());
    response.writeHead(200, {
      "Content-Type": registry.contentType,
      "Content-Length": body.length,
    });
    response.end(body);
    return null;
  };
}

let isCollecting = false;

function startCollecting(): void {
  if (isCollecting) return;
  isCollecting = true;
  collectDefaultMetrics({ register: registry });
  info.set({ version }, 1);
}

/** Compares hashes: they have the same length, and the time tells nothing about the token. */
function isBearer({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  const sent = (headers.authorization ?? "").replace(/^bearer /i, "Bearer ");
  return timingSafeEqual(hash(sent), hash(`Bearer ${token}`));
}

async function updateGauges(isReady: () => Promise<boolean>): Promise<void> {
  const [wasReady, syncAge, mails, backlog] = await Promise.all([
    isReady(),
    resolveWithin(gaugeTimeoutMs, readSyncAge(), null),
    resolveWithin(gaugeTimeoutMs, countOpenMails(), null),
    resolveWithin(gaugeTimeoutMs, readBacklog(), null),
  ]);
  ready.set(wasReady ? 1 : 0);
  setOrRemove(machineSyncAge, syncAge);
  if (mails === null) outboxMails.reset();
  else for (const [state, count] of Object.entries(mails)) outboxMails.set({ state }, count);
  setOrRemove(webhookWaiting, backlog?.events);
  setOrRemove(webhookWaitingAge, backlog?.oldestSeconds);
  const replica = replicaState();
  setOrRemove(replicaUsed, replica && Number(replica.isUsable));
  setOrRemove(replicaLag, replica?.lagMs && replica.lagMs / 1_000);
  for (const [pool, { used, idle, waiting }] of Object.entries(poolUsage())) {
    databaseConnections.set({ pool, state: "used" }, used);
    databaseConnections.set({ pool, state: "idle" }, idle);
    databaseWaiting.set({ pool }, waiting);
  }
}

/** Leaves a gauge out whose value is not known. */
function setOrRemove(gauge: Gauge, value: number | null | undefined): void {
  if (value == null) gauge.remove();
  else gauge.set(value);
}
