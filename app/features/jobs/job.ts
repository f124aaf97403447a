/** Background jobs as screens show them. */
import { choiceFilter, defineList, type FilterValues } from "../../lists/list";
import { formatDateTime } from "../../format/date";
import { paths } from "../../paths";
import { eventTypes, testType } from "../events/event";
import { templateLabels } from "../mail/templates";

const jobKinds = {
  mail: "Mail",
  webhook: "Webhook delivery",
  bulk_action: "Bulk action",
  import_check: "Check of an import",
  import_run: "Import",
  import_undo: "Undo of an import",
  reports: "Reports by mail",
  machine_sync: "Machine sync",
  promotion_counts: "Code counts",
  summary: "Summary of redemptions",
  events: "Event publishing",
  expirations: "Expirations",
  alerts: "Alerts",
  ending_keys: "Notices about ending keys",
  sweep: "Deletion of old data",
};
type JobKindName = keyof typeof jobKinds;

export const jobStates = {
  waiting: "Waiting",
  running: "Running",
  failed: "Failed",
  done: "Finished",
};
export type JobState = keyof typeof jobStates;

export const jobList = defineList({
  path: paths.jobs,
  pageSizes: [25, 50, 100],
  sorts: { created: "descending" },
  filters: {
    state: { ...choiceFilter("state", "Status", jobStates), isView: true },
    kind: choiceFilter("kind", "Kind", jobKinds),
  },
  filterGroups: { Kind: ["kind"] },
});
export type JobFilters = FilterValues<typeof jobList.filters>;

export type ListedJob = {
  /** The name of its table and its id there. */
  id: string;
  kind: JobKindName;
  /** The template of a mail, or the type of an event. */
  topic: string;
  /** The recipient, or what else it is about; '' for a job that is repeated. */
  subject: string;
  state: JobState;
  createdAt: Date;
  nextAttemptAt: Date;
  finishedAt: Date | null;
  lastError: string | null;
  canRun: boolean;
};

const topics: Record<string, string> = { ...templateLabels, ...eventTypes, [testType]: "Test" };

const emptyReasons: Record<JobState | "all", string> = {
  all: "Mails, events for webhooks and what the product repeats by itself appear here.",
  waiting: "Jobs that wait for their time or for another attempt appear here.",
  running: "Jobs appear here while they run.",
  failed: "Mails and events that were given up appear here.",
  done: "Sent mails and finished bulk actions appear here, as long as they are kept.",
};

export function describeNoJobs(state: JobState | null) {
  return {
    title: state === null ? "No jobs yet" : `No ${state} jobs`,
    reason: emptyReasons[state ?? "all"],
  };
}

export type JobView = ReturnType<typeof toJobView>;

/** @param timeZone the site's IANA zone */
export function toJobView(job: ListedJob, timeZone: string) {
  const { id, kind, topic, subject, state, canRun } = job;
  return {
    id,
    state,
    canRun,
    kind: jobKinds[kind] ?? kind,
    subject: [topics[topic] ?? topic, subject].filter(Boolean).join(": "),
    created: formatDateTime(job.createdAt, timeZone),
    result: describeResult(job, timeZone),
  };
}

function describeResult(job: ListedJob, timeZone: string): string {
  const { state, finishedAt, nextAttemptAt, lastError } = job;
  if (state === "running") return "In progress";
  if (state === "failed") return lastError ?? "";
  if (state === "done") return `Finished ${formatDateTime(finishedAt!, timeZone)}`;
  const next = formatDateTime(nextAttemptAt, timeZone);
  return lastError ? `${lastError} Next attempt ${next}.` : `Runs ${next}`;
}
