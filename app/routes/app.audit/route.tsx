import { useLoaderData } from "@remix-run/react";
import { auditList } from "../../features/audit/audit-list";
import { listAudit } from "../../features/audit/audit-list.server";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { loadList, readWithoutRejected } from "../../http/list.server";
import { paths } from "../../paths";
import { ExportLink, ListScreen } from "../../ui/list/list-screen";
import { auditColumns } from "./columns";

export const meta = pageMeta();

export const loader = screenLoader(
  requireAdmin,
  fromReplica(({ request }) =>
    loadList(request, auditList, ({ query, filters, errors }) =>
      readWithoutRejected(filters, errors, () => listAudit(filters, query)),
    ),
  ),
);

export default function AuditLog() {
  const list = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Audit log"
      actions={<ExportLink to={paths.auditCsv} filters={list.filters} />}
      list={auditList}
      data={list}
      noun="action"
      columns={auditColumns}
      empty={{
        icon: "info",
        title: "No actions yet",
        reason: "Whatever somebody creates, changes or deletes appears here.",
      }}
    />
  );
}
