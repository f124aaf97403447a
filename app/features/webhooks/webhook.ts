import * as z from "zod/mini";
import { eventTypes, isEventType, type EventType } from "../events/event";
import { choice, formRule, rule, text, texts, trimmedText } from "../../forms/fields";
import { explainDate } from "../../forms/explain-date";
import { editValidator, formValidator } from "../../forms/form-validator";
import { parseDateInput } from "../../forms/date-input";

export type Webhook = {
  id: string;
  url: string;
  eventTypes: EventType[];
  isEnabled: boolean;
  version: number;
  /** Why it was disabled automatically; null if it was not. */
  disabledReason: string | null;
  lastSuccessAt: Date | null;
  /** How long the secret before the current one is still used; null without one. */
  previousSecretUntil: Date | null;
  createdAt: Date;
  /** Events that wait to be sent. */
  pending: number;
  /** Events that were given up, as long as they are listed. */
  failed: number;
  /** null unless an event that waits was tried without success. */
  failure: { since: Date; reason: string } | null;
};

export type DeliveryState = keyof typeof deliveryStateLabels;
export const deliveryStateLabels = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
};

/** One event for one webhook, with its last attempt. The page of a delivery shows all of them. */
export type Delivery = {
  id: string;
  webhookId: string;
  eventId: string;
  type: string;
  subject: string;
  occurredAt: Date;
  isRedelivery: boolean;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: Date;
  createdAt: Date;
  attemptedAt: Date | null;
  durationMs: number | null;
  responseStatus: number | null;
  lastError: string | null;
};

export const maxStoredAttempts = 20;

export const maxWebhooks = 20;
const maxUrlLength = 2_000;

export type WebhookValues = { url: string; eventTypes: EventType[] };

/** Returns why calls can't be sent to an address, as far as the address itself tells. */
export function urlError(text: string): string | null {
  if (text === "") return "Enter an address that begins with https://";
  if (text.length > maxUrlLength || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    return "Enter a complete address, such as https://example.com/hooks";
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "The address must begin with https://";
  if (username !== "" || password !== "")
    return "The address must not hold a user name or a password";
  return hash === "" ? null : "The address must not hold a part after #";
}

const webhookSchema = z.pipe(
  z.object({
    url: trimmedText.check(rule(urlError)),
    events: texts.check(
      z.refine(
        (events) => events.length > 0 && events.every(isEventType),
        "Choose at least one event",
      ),
    ),
  }),
  z.transform(({ url, events }): WebhookValues => ({
    url,
    // Keeps their own order.
    eventTypes: (Object.keys(eventTypes) as EventType[]).filter((type) => events.includes(type)),
  })),
);

export const webhookValidator = formValidator(webhookSchema);
export const editWebhookValidator = editValidator(webhookSchema);

export const webhookIntents = {
  save: "save",
  enable: "enable",
  disable: "disable",
  test: "test",
  sendNow: "send-now",
  rotate: "rotate",
  endPrevious: "end-previous-secret",
  redeliver: "redeliver",
  redeliverPeriod: "redeliver-period",
};

export const redeliveryChoices = {
  failed: "Only events that have failed",
  all: "All events of the period",
};

/** A day as YYYY-MM-DD, of what `parseDateInput` reads. */
const dayInput = z.pipe(
  text.check(rule((value) => (parseDateInput(value) === null ? explainDate(value) : null))),
  z.transform((value) => parseDateInput(value)!),
);

export const periodValidator = formValidator(
  z.pipe(
    z
      .object({
        first_day: dayInput,
        last_day: dayInput,
        which: choice(redeliveryChoices, "Choose what is sent again"),
      })
      .check(
        formRule("last_day", ["first_day", "last_day"], ({ first_day, last_day }) =>
          first_day > last_day ? "Choose a later day" : null,
        ),
      ),
    z.transform(({ first_day, last_day, which }) => ({
      firstDay: first_day,
      lastDay: last_day,
      isFailedOnly: which === "failed",
    })),
  ),
  webhookIntents.redeliverPeriod,
);
