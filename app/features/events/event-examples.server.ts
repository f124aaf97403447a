/** An example of each event, for the documentation. Tests compare them with events that have happened. */
import { eventTypes, type ApiEvent, type EventType } from "./event";
import { toCampaignData, type EventData } from "./event-data";
import { toUsageData } from "./read-events.server";

const occurredAt = new Date("2026-11-25T09:30:00.000Z");
const lobby = { serialNumber: "VM-10431", humanName: "Lobby" };
const code = "K7QM2XWPD4HT";
const summer = { name: "Summer", discountType: "percentage", discountValue: 25 } as const;

const usage = (type: EventType) =>
  toUsageData({
    type,
    ...lobby,
    ...summer,
    code,
    promotionId: "17",
    massGenerationId: null,
    transactionId: "4711",
    redemptionId: "7f0c1d2e-3b4a-4c5d-8e6f-9a0b1c2d3e4f",
    originalPrice: 250,
    discount: 63,
    redeemedAt: occurredAt,
  });

const alert: EventData<"alert.raised"> = {
  alert: {
    id: 12,
    kind: "campaign_unassigned",
    role: "user",
    subject: "mass_generation:4",
    message: '"Summer" is assigned to no machine and no group.',
    path: "/app/qr-generation/4/machines",
  },
};

const data: { [Type in EventType]: [subject: string, data: EventData<Type>] } = {
  "promotion.redeemed": ["promotion:17", usage("promotion.redeemed")],
  "promotion.used_up": ["promotion:17", usage("promotion.used_up")],
  "promotion.rolled_back": ["promotion:17", usage("promotion.rolled_back")],
  "redemption.refused": [
    "machine:3",
    {
      promotion: usage("promotion.redeemed").promotion,
      machine: lobby,
      attempt: {
        redemptionId: "0d9c8b7a-6f5e-4d3c-b2a1-908f7e6d5c4b",
        code,
        originalPrice: 250,
        reason: "used_up",
      },
    },
  ],
  "campaign.created": [
    "mass_generation:4",
    { campaign: toCampaignData(summer, { id: "4", numCodes: 100 }) },
  ],
  "campaign.codes_added": [
    "mass_generation:4",
    {
      campaign: toCampaignData(summer, { id: "4", numCodes: 150 }),
      added: { first_number: 101, num_codes: 50 },
    },
  ],
  "campaign.deactivated": [
    "promotion:17",
    { campaign: toCampaignData(summer, { id: "17", code }) },
  ],
  "promotion.expired": [
    "promotion:17",
    { promotion: { id: 17, code, name: "Summer", activation_count: 12 } },
  ],
  "machine.deleted": ["machine:3", { machine: lobby }],
  "machine.restored": ["machine:3", { machine: lobby }],
  "machine.unknown": ["serial_number:VM-99999", { machine: { serialNumber: "VM-99999" } }],
  "report.ready": [
    "report_schedule:2",
    {
      report: {
        schedule_id: 2,
        frequency: "weekly",
        title: "Weekly report",
        period: "16.11.2026 to 22.11.2026",
        path: "/app/reports?from=2026-11-16&to=2026-11-22",
      },
    },
  ],
  "key.throttled": [
    "key:9",
    { integration: { id: 1 }, key: { id: 9, last_four: "x7Qa" }, limit: 300 },
  ],
  "alert.raised": ["alert:12", alert],
  "alert.cleared": ["alert:12", alert],
};

export const eventExamples = Object.fromEntries(
  (Object.keys(eventTypes) as EventType[]).map((type): [EventType, ApiEvent] => {
    const [subject, facts] = data[type];
    const id = "5e6f7a8b-1c2d-4e3f-a4b5-c6d7e8f90a1b";
    return [type, { id, type, timestamp: occurredAt.toISOString(), subject, data: facts }];
  }),
) as Record<EventType, ApiEvent>;
