/** The jobs that run in the background. Those that are repeated run in one instance at a time. */
import { jobsTable, oldJobs, repeatedJob, type Job, type JobTable } from "../db/jobs.server";
import { makePartitions } from "../db/partitions.server";
import { replayedWrites } from "../db/replica.server";
import { endedLimits } from "../db/rate-limits.server";
import { sweep } from "../db/sweep.server";
import { oldKeys } from "../features/activity/idempotency.server";
import { sharedCodeMail } from "../features/customer-page/shared-code-mail.server";
import { alertsJob, oldAlerts } from "../features/alerts/update-alerts.server";
import { oldEvents, recordExpiredCampaigns } from "../features/events/record-event.server";
import { importJobs } from "../features/imports/import-jobs.server";
import { oldImports } from "../features/imports/imports.server";
import { mailEndingKeys } from "../features/integrations/ending-keys.server";
import { oldRefusedKeys } from "../features/integrations/refused-keys.server";
import { syncJob } from "../features/machines/sync-machines.server";
import { configuredMailJobs } from "../features/mail/mail-jobs.server";
import { eraseExpiredLinks, oldMails } from "../features/mail/outbox.server";
import { outgoingJobs } from "../features/report-schedules/send-reports.server";
import { bulkActionJob } from "../features/promotions/lifecycle/lifecycle-operations.server";
import { oldOperations } from "../features/promotions/lifecycle/stored-operations.server";
import { oldDeletedViews } from "../features/promotions/list/deleted-views.server";
import {
  countPromotionsByMachine,
  machineSyncJob,
} from "../features/promotions/manage-machines/machine-promotions.server";
import { oldAttemptCounts } from "../features/redemptions/attempt-counts.server";
import { deleteOldRefusals } from "../features/reports/refusal-retention.server";
import { refreshSummary } from "../features/reports/summary.server";
import { endedUndos } from "../features/people/email-undo.server";
import { endedChallenges } from "../features/second-factor/passkeys.server";
import { endedTrust } from "../features/second-factor/trusted-browsers.server";
import { endedSessions } from "../features/sign-in/sessions.server";
import { oldTestAttempts } from "../features/test-mode/test-codes.server";
import { deliveryJobs, eventsJob } from "../features/webhooks/webhook-jobs.server";
import { oldDeliveries } from "../features/webhooks/webhook-queue.server";
import { unreadMessages } from "../http/messages.server";

const leftovers = () => [
  ...endedSessions,
  endedTrust,
  endedUndos,
  endedChallenges,
  unreadMessages,
  oldKeys,
  endedLimits,
  oldMails(),
  oldEvents(),
  oldDeliveries(),
  oldAttemptCounts,
  oldRefusedKeys,
  oldJobs,
  oldOperations,
  oldDeletedViews,
  ...oldAlerts(),
  ...oldTestAttempts,
  ...oldImports,
  replayedWrites,
];

/** @param log gets one line for each mail that is written to a file */
export function backgroundJobs(log: (line: string) => void): JobTable<Job>[] {
  return [
    configuredMailJobs(log, { shared_code: sharedCodeMail }),
    deliveryJobs(),
    jobsTable({
      // Within seconds (RULES W1).
      events: eventsJob,
      // Within a minute (RULES W2, E6).
      expirations: repeatedJob(60, () => recordExpiredCampaigns()),
      ...outgoingJobs,
      bulk_action: bulkActionJob,
      ...importJobs,
      // RULES M5, M7 and D1.
      [syncJob.kind]: machineSyncJob,
      promotion_counts: repeatedJob(120, countPromotionsByMachine),
      summary: repeatedJob(10, () => refreshSummary()),
      // RULES Q2.
      alerts: alertsJob,
      ending_keys: repeatedJob(600, mailEndingKeys),
      sweep: repeatedJob(600, async () => {
        await makePartitions();
        await sweep(leftovers());
        await deleteOldRefusals();
        await eraseExpiredLinks();
      }),
    }),
  ];
}
