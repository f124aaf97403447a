// Without script: the same; each button is a form of its own.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { describeNoJobs, jobList, jobStates, toJobView } from "../../features/jobs/job";
import { listJobs } from "../../features/jobs/jobs.server";
import { OutgoingNotice } from "../../features/outgoing/outgoing-notice";
import { readPausedOutgoing } from "../../features/outgoing/outgoing.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { newForm } from "../../http/form-action.server";
import { requireAdmin } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { stateTabs } from "../../lists/state-tabs";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { ListScreen } from "../../ui/list/list-screen";
import { jobColumns } from "./columns";
import { SendTest } from "./send-test";

export const meta = pageMeta();

export const loader = screenLoader(requireAdmin, (args, session) =>
  loadList(args.request, jobList, async ({ query, filters }) => {
    const { rows, ...page } = await listJobs({ ...query, ...filters });
    return {
      ...page,
      ...newForm(args, session),
      rows: rows.map((job) => toJobView(job, siteTimeZone())),
      tabs: stateTabs(paths.jobs, { states: jobStates }, filters),
      state: filters.state,
      pausedOutgoing: await readPausedOutgoing(session.user.role),
    };
  }),
);

export default function Jobs() {
  const list = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Background jobs"
      actions={
        <>
          <SendTest />
          <ButtonLink to={paths.reportSchedules}>Reports by mail</ButtonLink>
        </>
      }
      tabs={list.tabs}
      list={jobList}
      data={list}
      noun="job"
      columns={jobColumns(list.rows)}
      empty={{ icon: "refresh", ...describeNoJobs(list.state) }}
    >
      <OutgoingNotice waiting={list.pausedOutgoing} />
    </ListScreen>
  );
}
