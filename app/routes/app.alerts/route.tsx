// Without script: the same; each button is a form of its own.
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  alertList,
  alertStates,
  describeNoAlerts,
  shownList,
  toAlertView,
} from "../../features/alerts/alert";
import { kindsFor } from "../../features/alerts/alert-kinds.server";
import { listAlerts } from "../../features/alerts/alerts.server";
import { readMailChoice } from "../../features/alerts/mail-alerts.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { newForm } from "../../http/form-action.server";
import { requireEditor } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { stateTabs } from "../../lists/state-tabs";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { ListScreen } from "../../ui/list/list-screen";
import { alertColumns } from "./columns";
import { MailChoice } from "./mail-choice";

export const meta = pageMeta();

export const loader = screenLoader(requireEditor, (args, session) => {
  const { user } = session;
  const kinds = kindsFor(user);
  const list = alertList(kinds);
  return loadList(args.request, list, async ({ query, filters }) => {
    const { rows, ...page } = await listAlerts(filters, query, user);
    return {
      ...page,
      ...newForm(args, session),
      rows: rows.map((alert) => toAlertView(alert, kinds, siteTimeZone())),
      list: shownList(list, filters, page.total),
      tabs: stateTabs(paths.alerts, { all: "Open", states: alertStates }, filters),
      state: filters.state,
      mailChoice: await readMailChoice(user.id),
    };
  });
});

export default function Alerts() {
  const { list, ...data } = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Alerts"
      actions={
        <>
          <ButtonLink to={paths.approvals}>Approvals</ButtonLink>
          <MailChoice current={data.mailChoice} />
        </>
      }
      tabs={data.tabs}
      list={list}
      data={data}
      noun="alert"
      columns={alertColumns(data.state)}
      empty={{ icon: "check", ...describeNoAlerts(data.state) }}
    />
  );
}
