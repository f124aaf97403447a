/**
 * Counters and gauges of this process for `/metrics`. The values of a label are few and known: never a path, a code, an
 * id or a serial number.
 */
import { Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from "prom-client";

export const registry = new Registry<OpenMetricsContentType>();
registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);

const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
  new Counter({ registers: [registry], name, help, labelNames });

const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
  new Gauge({ registers: [registry], name, help, labelNames });

export const requests = counter(
  "promo_requests_total",
  "Requests by method, route and status; the status 'none' had no answer.",
  "method",
  "route",
  "status",
);

export const requestSeconds = new Histogram({
  registers: [registry],
  name: "promo_request_duration_seconds",
  help: "Time from a request's headers to the end of its answer, by route.",
  labelNames: ["route"],
  // 4 s and 12 s are the longest that pages and redemptions may take while the database fails.
  buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 12],
});

export const redemptions = counter(
  "promo_redemptions_total",
  "Redemptions by outcome: 'applied', or why not.",
  "outcome",
);

export const rollbacks = counter(
  "promo_rollbacks_total",
  "Rollbacks by outcome: 'rolled_back', 'repeated', or why not.",
  "outcome",
);

export const rejections = counter(
  "promo_rejections_total",
  "Requests and connections that were turned away, by the limit they met or by what was missing.",
  "reason",
);

export const databaseConnections = gauge(
  "promo_database_connections",
  "Connections by pool, 'pages' or 'redemptions', and by state.",
  "pool",
  "state",
);

export const databaseWaiting = gauge(
  "promo_database_waiting",
  "Statements that wait for a connection, by pool.",
  "pool",
);

export const replicaUsed = gauge(
  "promo_replica_used",
  "1 if pages may read from the replica, else 0; absent without DATABASE_REPLICA_URL.",
);

export const replicaLag = gauge(
  "promo_replica_lag_seconds",
  "How far the replica is behind; absent while that is unknown.",
);

export const ready = gauge("promo_ready", "1 if /readyz answers 200, else 0.");

export const machineSyncAge = gauge(
  "promo_machine_sync_age_seconds",
  "Time since the last successful sync of machines, +Inf before the first; absent without a vending platform, and while the database can't tell.",
);

export const outboxMails = gauge(
  "promo_outbox_mails",
  "Mails that wait to be sent or have failed, by state; absent while the database can't tell.",
  "state",
);

export const webhookWaiting = gauge(
  "promo_webhook_waiting_events",
  "Events that wait for a webhook, once for each webhook; absent while the database can't tell.",
);

export const webhookWaitingAge = gauge(
  "promo_webhook_oldest_waiting_seconds",
  "How long the first of the events that wait for a webhook has waited; absent while the database can't tell.",
);

export const info = gauge("promo_info", "The version that runs, always 1.", "version");
