import { json, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  listAudit,
  subjectsOf,
  toAuditView,
  type AuditView,
} from "../../features/activity/audit-list.server";
import { auditList, auditParams } from "../../features/activity/audit-list";
import { parseFilters } from "../../forms/list";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { readSubjectNames } from "../../http/subject-names.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Card, Page } from "../../ui/layout/page";
import { FilterBar, NothingMatches } from "../../ui/table/filter-bar";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import * as css from "./audit.css";

type AuditListData = SerializeFrom<typeof loader>;

export const meta = pageMeta("Audit log");

export const handle = {
  hasTable: ({ rows }: AuditListData) => rows.length > 0,
  crumbs: { audit: "Audit log" },
};

export const loader = screenLoader(requireAdmin, async ({ request }) => {
  const { headers, ...list } = readList(request, auditList);
  const { filters, errors } = parseFilters(auditList.filters, list.params);
  const { rows, total, page } = await listAudit(filters, list.query);
  const names = await readSubjectNames(subjectsOf(rows));
  const timeZone = siteTimeZone();
  const data = {
    ...listView(auditList, list, { active: auditParams(filters), errors }),
    rows: rows.map((row) => toAuditView(row, timeZone, names)),
    total,
    page,
    isFallback: page !== list.query.page,
  };
  return json(data, { headers });
});

const columns: Column<AuditView>[] = [
  {
    heading: "Created",
    isRowHeader: true,
    className: table.moment,
    cell: ({ occurredAt }) => occurredAt,
  },
  {
    heading: "By",
    className: `${table.twoLines} ${css.half} ${css.line} ${css.actor}`,
    cell: ({ actor }) => actor,
  },
  {
    heading: "Action",
    isBare: true,
    className: `${table.twoLines} ${css.half} ${css.line} ${css.long}`,
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
    className: `${table.twoLines} ${css.half} ${css.line} ${css.long}`,
    cell: ({ subject: { label, to } }) => (to ? <a href={to}>{label}</a> : label),
  },
  { heading: "IP address", className: css.half, cell: ({ address }) => address || "–" },
];

export default function AuditLog() {
  const list = useLoaderData<typeof loader>();
  const filters = list.filters as [string, string][];
  return (
    <Page
      title="Audit log"
      actions={
        <ButtonLink
          to={`${paths.auditCsv}?${new URLSearchParams(filters)}`}
          reloadDocument
          icon="download"
        >
          Export CSV
        </ButtonLink>
      }
    >
      <ListNotes list={list} />
      <FilterBar list={auditList} data={list} />
      {list.rows.length > 0 ? (
        <ListTable
          caption="Audit log"
          list={auditList}
          data={list}
          columns={columns}
          tools={<RowCount total={list.total} noun="action" />}
        />
      ) : list.filters.length > 0 ? (
        <NothingMatches list={auditList} noun="action" />
      ) : (
        <Card>
          <EmptyState
            icon="info"
            title="No actions yet"
            reason="Whatever somebody creates, changes or deletes appears here."
          />
        </Card>
      )}
    </Page>
  );
}
