/** Events that webhooks and the event feed tell of. */
export const eventTypes = {
  "promotion.redeemed": "Promotion redeemed",
  "promotion.used_up": "Promotion used up",
  "promotion.rolled_back": "Redemption rolled back",
  "promotion.expired": "Campaign expired",
  "mass_generation.created": "Mass generation created",
  "machine.deleted": "Machine deleted",
  "machine.restored": "Machine restored",
  "report.ready": "Report ready",
  "key.throttled": "Key throttled",
};
export type EventType = keyof typeof eventTypes;

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text);
}

/** The type of a test that an admin sends to a webhook. */
export const testType = "webhook.test";

/** An event as clients get it, in the feed and as the body of a webhook. */
export type ApiEvent = {
  /** Unique for ever: the same in each delivery of the event. */
  id: string;
  type: EventType | typeof testType;
  /** The moment at which it happened, by the database's clock. */
  timestamp: string;
  /** The thing that the event is about, such as 'promotion:17'. Events of one subject come in order. */
  subject: string;
  data: object;
};

/** How long events are kept, in days. */
export const eventDays = 30;
