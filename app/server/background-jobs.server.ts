/** The jobs that run in the background. Those that are repeated run in one instance at a time. */
import { jobsTable, oldJobs, repeatedJob, type Job, type JobTable } from "../db/jobs.server";
import { endedLimits } from "../db/rate-limits.server";
import { sweep } from "../db/sweep.server";
import { oldKeys } from "../features/activity/idempotency.server";
import { oldEvents } from "../features/events/record-event.server";
import { oldRefusedKeys } from "../features/integrations/refused-keys.server";
import { configuredMailJobs } from "../features/mail/mail-jobs.server";
import { eraseExpiredLinks, oldMails } from "../features/mail/outbox.server";
import { reportsJob } from "../features/mailing/send-reports.server";
import { bulkActionJob } from "../features/promotions/lifecycle/lifecycle-operations.server";
import { oldAttemptCounts } from "../features/redemptions/attempt-counts.server";
import { endedUndos } from "../features/users/email-undo.server";
import { endedChallenges } from "../features/users/passkeys.server";
import { endedTrust } from "../features/users/second-factor.server";
import { endedSessions } from "../features/users/sessions.server";
import { deliveryJobs, eventsJob } from "../features/webhooks/webhook-jobs.server";
import { oldDeliveries } from "../features/webhooks/webhook-queue.server";
import { unreadMessages } from "../http/messages.server";

const leftovers = [
  ...endedSessions,
  ...[endedTrust, endedUndos, endedChallenges, unreadMessages, oldKeys, endedLimits, oldMails],
  ...[oldEvents, oldDeliveries, oldAttemptCounts, oldRefusedKeys, oldJobs],
];

/** @param log gets one line for each mail that is written to a file */
export function backgroundJobs(log: (line: string) => void): JobTable<Job>[] {
  return [
    configuredMailJobs(log),
    deliveryJobs(),
    jobsTable({
      events: eventsJob,
      bulk_action: bulkActionJob,
      reports: reportsJob,
      sweep: repeatedJob(600, async () => {
        await sweep(leftovers);
        await eraseExpiredLinks();
      }),
    }),
  ];
}
