/** Webhooks and deliveries as screens show them. */
import { choiceFilter, defineList } from "../../lists/list";
import { formatDate, formatDateTime } from "../../format/date";
import { formatNumber } from "../../format/number";
import { eventTypes, testType } from "../events/event";
import type { DeliveryDetails, LoggedAttempt } from "./deliveries.server";
import { deliveryStateLabels, type Delivery, type Webhook } from "./webhook";

const typeLabels: Record<string, string> = { ...eventTypes, [testType]: "Test" };

export const deliveryList = defineList({
  pageSizes: [25, 50, 100],
  sorts: { created: "descending" },
  filters: { state: { ...choiceFilter("state", "Status", deliveryStateLabels), isView: true } },
});

export type WebhookState = "enabled" | "failing" | "disabled";

const stateOf = ({ isEnabled, failure }: Webhook): WebhookState =>
  !isEnabled ? "disabled" : failure ? "failing" : "enabled";

/** Says since when and why nothing arrives; '' where nothing is wrong. */
function describeState({ isEnabled, disabledReason, failure }: Webhook, timeZone: string): string {
  if (!isEnabled) return disabledReason ?? "";
  return failure ? `Since ${formatDateTime(failure.since, timeZone)}: ${failure.reason}` : "";
}

export type WebhookView = ReturnType<typeof toWebhookView>;

/** @param timeZone the site's IANA zone */
export function toWebhookView(webhook: Webhook, timeZone: string) {
  const { id, url, isEnabled, disabledReason, lastSuccessAt, previousSecretUntil } = webhook;
  return {
    id,
    url,
    isEnabled,
    disabledReason,
    version: webhook.version,
    eventTypes: webhook.eventTypes,
    events:
      webhook.eventTypes.length === Object.keys(eventTypes).length
        ? "All"
        : webhook.eventTypes.map((type) => eventTypes[type]).join(", "),
    pending: formatNumber(webhook.pending),
    failed: formatNumber(webhook.failed),
    isWaiting: isEnabled && webhook.pending > 0,
    state: stateOf(webhook),
    note: describeState(webhook, timeZone),
    lastSuccess: lastSuccessAt ? formatDateTime(lastSuccessAt, timeZone) : "Never",
    previousSecretUntil: previousSecretUntil && formatDateTime(previousSecretUntil, timeZone),
    created: formatDate(webhook.createdAt, timeZone),
  };
}

export type DeliveryView = ReturnType<typeof toDeliveryView>;

/** @param timeZone the site's IANA zone */
export function toDeliveryView(delivery: Delivery, timeZone: string) {
  const { id, type, subject, state, attempts, isRedelivery } = delivery;
  return {
    id,
    subject,
    state,
    attempts,
    event: `${typeLabels[type] ?? type}${isRedelivery ? ", sent again" : ""}`,
    occurred: formatDateTime(delivery.occurredAt, timeZone),
    result: describeResult(delivery, timeZone),
  };
}

function describeResult(delivery: Delivery, timeZone: string): string {
  const { state, attempts, responseStatus, lastError, attemptedAt, nextAttemptAt } = delivery;
  if (state === "delivered")
    return `Answered ${responseStatus} in ${formatNumber(delivery.durationMs!)} ms, ${formatDateTime(attemptedAt!, timeZone)}`;
  if (state === "failed") return lastError ?? "";
  // An attempt counts before it has ended.
  if (attempts === 0 || lastError === null) return lastError ?? "Not sent yet";
  return `${lastError} Next attempt ${formatDateTime(nextAttemptAt, timeZone)}.`;
}

/** @param timeZone the site's IANA zone */
export function toDeliveryDetailsView(delivery: DeliveryDetails, timeZone: string) {
  const { webhookId, eventId, attemptLog } = delivery;
  const body = delivery.event
    ? JSON.stringify(delivery.event, null, 2)
    : "The event is no longer kept.";
  return {
    ...toDeliveryView(delivery, timeZone),
    webhookId,
    eventId,
    attemptLog: attemptLog.map((attempt) => toAttemptView(attempt, body, timeZone)),
  };
}

export type AttemptView = ReturnType<typeof toAttemptView>;

function toAttemptView(attempt: LoggedAttempt, body: string, timeZone: string) {
  const { attemptedAt, url, requestHeaders, responseStatus, error } = attempt;
  return {
    attempted: formatDateTime(attemptedAt, timeZone),
    duration: `${formatNumber(attempt.durationMs)} ms`,
    result: error ?? `The receiver answered ${responseStatus}.`,
    request: toMessage(url === null ? [] : [`POST ${url}`], requestHeaders, body),
    answer:
      responseStatus === null
        ? null
        : toMessage(
            [`Status ${responseStatus}`],
            attempt.responseHeaders ?? {},
            attempt.responseBody ?? "",
          ),
  };
}

function toMessage(first: string[], headers: Record<string, string>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...first, ...lines, "", body].join("\n");
}
