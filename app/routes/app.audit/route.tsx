import { useLoaderData } from "@remix-run/react";
import { auditList } from "../../features/audit/audit-list";
import { listAudit, type AuditView } from "../../features/audit/audit-list.server";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { loadList, readWithoutRejected } from "../../http/list.server";
import { paths } from "../../paths";
import { ExportLink, ListScreen } from "../../ui/list/list-screen";
import { timeColumn, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import * as css from "./audit.css";

export const meta = pageMeta();

export const loader = screenLoader(
  requireAdmin,
  fromReplica(({ request }) =>
    loadList(request, auditList, ({ query, filters, errors }) =>
      readWithoutRejected(filters, errors, () => listAudit(filters, query)),
    ),
  ),
);

const columns: Column<AuditView>[] = [
  timeColumn,
  {
    heading: "By",
    className: `${table.twoLines} ${css.half} ${css.line} ${css.actor}`,
    cell: ({ actor }) => actor,
  },
  {
    heading: "Action",
    isBare: true,
    className: `${table.twoLines} ${css.half} ${css.line} ${css.action}`,
    cell: ({ action, changes }) => (
      <>
        {action}
        {changes.map((change) => (
          <span key={change} className={muted}>
            {change}
          </span>
        ))}
      </>
    ),
  },
  {
    heading: "Subject",
    className: `${table.twoLines} ${css.half} ${css.line} ${css.subject}`,
    cell: ({ subject: { label, to } }) => (to ? <a href={to}>{label}</a> : label),
  },
  { heading: "IP address", className: css.half, cell: ({ address }) => address || "–" },
];

export default function AuditLog() {
  const list = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Audit log"
      actions={<ExportLink to={paths.auditCsv} filters={list.filters} />}
      list={auditList}
      data={list}
      noun="action"
      columns={columns}
      empty={{
        icon: "info",
        title: "No actions yet",
        reason: "Whatever somebody creates, changes or deletes appears here.",
      }}
    />
  );
}
