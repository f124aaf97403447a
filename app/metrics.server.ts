/**
 * Counters and gauges of this process for `/metrics`. The values of a label are few and known: never a path, a code, an
 * id or a serial number.
 */
import { Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from "prom-client";

export const registry = new Registry<OpenMetricsContentType>();
registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);

const registers = [registry];

export const requests = new Counter({
  registers,
  name: "promo_requests_total",
  help: "Requests by method, route and status; the status 'none' had no answer.",
  labelNames: ["method", "route", "status"],
});

export const requestSeconds = new Histogram({
  registers,
  name: "promo_request_duration_seconds",
  help: "Time from a request's headers to the end of its answer, by route.",
  labelNames: ["route"],
  // 4 s and 12 s are the longest that pages and redemptions may take while the database fails.
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 12],
});

export const redemptions = new Counter({
  registers,
  name: "promo_redemptions_total",
  help: "Redemptions by outcome: 'applied', or why not.",
  labelNames: ["outcome"],
});

export const rollbacks = new Counter({
  registers,
  name: "promo_rollbacks_total",
  help: "Rollbacks by outcome: 'rolled_back', or why not.",
  labelNames: ["outcome"],
});

export const rejections = new Counter({
  registers,
  name: "promo_rejections_total",
  help: "Requests and connections that were turned away, by the limit they met or by what was missing.",
  labelNames: ["reason"],
});

export const databaseConnections = new Gauge({
  registers,
  name: "promo_database_connections",
  help: "Connections by pool, 'pages' or 'redemptions', and by state.",
  labelNames: ["pool", "state"],
});

export const databaseWaiting = new Gauge({
  registers,
  name: "promo_database_waiting",
  help: "Statements that wait for a connection, by pool.",
  labelNames: ["pool"],
});

export const ready = new Gauge({
  registers,
  name: "promo_ready",
  help: "1 if /readyz answers 200, else 0.",
});

export const machineSyncAge = new Gauge({
  registers,
  name: "promo_machine_sync_age_seconds",
  help: "Time since the last successful sync of machines; absent while the database can't tell.",
});

export const outboxMails = new Gauge({
  registers,
  name: "promo_outbox_mails",
  help: "Mails that wait to be sent or have failed, by state; absent while the database can't tell.",
  labelNames: ["state"],
});

export const webhookWaiting = new Gauge({
  registers,
  name: "promo_webhook_waiting_events",
  help: "Events that wait for a webhook, once for each webhook; absent while the database can't tell.",
});

export const webhookWaitingAge = new Gauge({
  registers,
  name: "promo_webhook_oldest_waiting_seconds",
  help: "How long the first of the events that wait for a webhook has waited; absent while the database can't tell.",
});

export const info = new Gauge({
  registers,
  name: "promo_info",
  help: "The version that runs, always 1.",
  labelNames: ["version"],
});
