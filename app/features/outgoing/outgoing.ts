import { countOf } from "../../format/number";

/** Numbers of mails, of events that webhooks have not got, and of schedules whose report is due. */
export type WaitingMessages = { mails: number; events: number; reports: number };

/** Writes 'Waiting: 2 mails, 1 webhook event, 0 scheduled reports.' */
export function describeWaiting({ mails, events, reports }: WaitingMessages): string {
  const counts = [
    countOf(mails, "mail"),
    countOf(events, "webhook event"),
    countOf(reports, "scheduled report"),
  ];
  return `Waiting: ${counts.join(", ")}.`;
}
