// Without script: the same; each button is a form of its own.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  jobList,
  jobStates,
  jobTabs,
  toJobView,
  type JobState,
  type JobView,
} from "../../features/jobs/job";
import { listJobs } from "../../features/jobs/jobs.server";
import { OutgoingNotice } from "../../features/outgoing/outgoing-notice";
import { readPausedOutgoing } from "../../features/outgoing/outgoing.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { ButtonLink } from "../../ui/form/button";
import { ListScreen } from "../../ui/table/list-screen";
import type { Column } from "../../ui/table/table";
import { moment, withNote } from "../../ui/table/table.css";
import { RunNow, SendTest } from "./job-buttons";

export const meta = pageMeta("Background jobs");

export const handle = {
  hasTable: ({ total }: { total: number }) => total > 0,
  crumbs: { jobs: "Background jobs" },
};

export const loader = screenLoader(requireAdmin, (args, { user }) =>
  loadList(args.request, jobList, async ({ query, filters }) => {
    const { rows, ...page } = await listJobs({ ...query, ...filters });
    return {
      ...page,
      ...newForm(args),
      rows: rows.map((job) => toJobView(job, siteTimeZone())),
      tabs: jobTabs(filters),
      state: filters.state,
      pausedOutgoing: await readPausedOutgoing(user.role),
    };
  }),
);

const tones: Record<JobState, Tone> = {
  waiting: "info",
  running: "info",
  failed: "bad",
  done: "ok",
};

const columns: Column<JobView>[] = [
  { heading: "Job", isRowHeader: true, cell: ({ kind }) => kind },
  { heading: "About", className: moment, cell: ({ subject }) => subject || "–" },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ state }) => <Badge tone={tones[state]}>{jobStates[state]}</Badge>,
  },
  { heading: "Result", className: withNote, cell: ({ result }) => result },
  { heading: "Created", sort: "created", cell: ({ created }) => created },
  {
    heading: "Actions",
    hasActions: true,
    isBare: true,
    cell: ({ canRun, ...job }) => canRun && <RunNow job={job} />,
  },
];

/** Says what a tab without rows would show. */
const emptyReasons: Record<JobState | "all", string> = {
  all: "Mails, events for webhooks and what the product repeats by itself appear here.",
  waiting: "Jobs that wait for their time or for another attempt appear here.",
  running: "Jobs appear here while they run.",
  failed: "Mails and events that were given up appear here.",
  done: "Mails that were sent in the last 30 days and finished bulk actions appear here.",
};

export default function Jobs() {
  const list = useLoaderData<typeof loader>();
  const { state } = list;
  return (
    <ListScreen
      title="Background jobs"
      actions={
        <>
          <SendTest idempotencyKey={list.idempotencyKey} />
          <ButtonLink to={paths.reportSchedules}>Reports by mail</ButtonLink>
        </>
      }
      tabs={list.tabs}
      list={jobList}
      data={list}
      noun="job"
      columns={columns.filter(
        ({ hasActions }) => !hasActions || list.rows.some(({ canRun }) => canRun),
      )}
      empty={{
        icon: "refresh",
        title: state === null ? "No jobs yet" : `No ${state} jobs`,
        reason: emptyReasons[state ?? "all"],
      }}
    >
      <OutgoingNotice waiting={list.pausedOutgoing} />
    </ListScreen>
  );
}
