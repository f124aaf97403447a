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
import { filterParams, parseFilters } from "../../forms/list";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { ButtonLink } from "../../ui/form/button";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { FilterBar } from "../../ui/table/filter-bar";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/table/list-table";
import type { Column } from "../../ui/table/table";
import { moment, withNote } from "../../ui/table/table.css";
import { RunNow, SendTest } from "./job-buttons";

export const meta = pageMeta("Background jobs");

export const handle = {
  hasTable: ({ total }: { total: number }) => total > 0,
  crumbs: { jobs: "Background jobs" },
};

export const loader = screenLoader(requireAdmin, async (args, { user }) => {
  const list = readList(args.request, jobList);
  const { filters, errors } = parseFilters(jobList.filters, list.params);
  const { rows, total, page } = await listJobs({ ...list.query, ...filters });
  const timeZone = siteTimeZone();
  return {
    ...listView(jobList, list, { active: filterParams(jobList.filters, filters), errors }),
    ...newForm(args),
    rows: rows.map((job) => toJobView(job, timeZone)),
    tabs: jobTabs(filters),
    state: filters.state,
    pausedOutgoing: await readPausedOutgoing(user.role),
    total,
    page,
    isFallback: page !== list.query.page,
  };
});

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
  const { total, state, idempotencyKey } = list;
  return (
    <Page
      title="Background jobs"
      actions={
        <>
          <SendTest idempotencyKey={idempotencyKey} />
          <ButtonLink to={paths.reportMailing}>Reports by mail</ButtonLink>
        </>
      }
    >
      <OutgoingNotice waiting={list.pausedOutgoing} />
      <ListNotes list={list} />
      <LinkTabs label="Status" tabs={list.tabs} />
      <FilterBar list={jobList} data={list} />
      {total === 0 ? (
        <Card>
          <EmptyState
            icon="refresh"
            title={state === null ? "No jobs" : `No ${state} jobs`}
            reason={emptyReasons[state ?? "all"]}
          />
        </Card>
      ) : (
        <ListTable
          caption="Background jobs"
          list={jobList}
          data={list}
          columns={columns.filter(
            ({ hasActions }) => !hasActions || list.rows.some(({ canRun }) => canRun),
          )}
          tools={
            <>
              <RowCount total={total} noun="job" />
              <p>Sent mails are listed for 30 days, failed ones for 90</p>
            </>
          }
        />
      )}
    </Page>
  );
}
