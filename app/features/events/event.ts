/** Events that webhooks and the event feed tell of. */
export const eventTypes = {
  "promotion.redeemed": "Code redeemed",
  "promotion.used_up": "Code used up",
  "promotion.rolled_back": "Redemption rolled back",
  "redemption.refused": "Redemption refused",
  "campaign.created": "Campaign created",
  "campaign.codes_added": "Codes added",
  "campaign.deactivated": "Campaign deactivated",
  "promotion.expired": "Campaign expired",
  "machine.deleted": "Machine deleted",
  "machine.restored": "Machine restored",
  "machine.unknown": "Unknown machine",
  "report.ready": "Report ready",
  "key.throttled": "Key throttled",
  "alert.raised": "Alert raised",
  "alert.cleared": "Alert cleared",
};
export type EventType = keyof typeof eventTypes;

export const eventMeanings: Record<EventType, string> = {
  "promotion.redeemed": "A code was accepted at a machine.",
  "promotion.used_up": "A redemption took the last use of a code; its own event comes first.",
  "promotion.rolled_back": "The use of a redemption was given back, because the vend failed.",
  "redemption.refused": "A code was refused at a machine, with the reason.",
  "campaign.created": "A campaign was created: a single code or a mass generation.",
  "campaign.codes_added": "Codes were added to a campaign.",
  "campaign.deactivated": "A campaign was deactivated as a whole.",
  "promotion.expired": "The last valid day of a campaign is over.",
  "machine.deleted":
    "A machine is marked as deleted: SmartVend no longer lists it, or an admin did it.",
  "machine.restored": "A machine that was marked as deleted is back.",
  "machine.unknown":
    "A machine that nobody has listed asked for a code; at most once a day for each.",
  "report.ready": "A report by mail was made.",
  "key.throttled": "A key asked for too many codes that don't exist.",
  "alert.raised": "Something needs somebody; once as long as it lasts, dismissed or not.",
  "alert.cleared": "What an alert told of is mended.",
};

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
