import { json, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { code as codeStyle, muted } from "#styles/global.css";
import { siteTimeZone } from "../../db/site.server";
import { countUnrecorded } from "../../features/redemptions/attempt-counts.server";
import {
  describeUnrecorded,
  refusalList,
  refusalParams,
  transactionTabs,
} from "../../features/redemptions/refusal-list";
import {
  listRefusals,
  toRefusalView,
  type RefusalView,
} from "../../features/redemptions/refusal-list.server";
import { parseFilters } from "../../forms/list";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { FilterBar, NothingMatches } from "../../ui/table/filter-bar";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { LinkedCode, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";

type RefusalListData = SerializeFrom<typeof loader>;

export const meta = pageMeta("Refused attempts");

export const handle = {
  hasTable: ({ rows }: RefusalListData) => rows.length > 0,
  crumbs: { refused: "Refused attempts" },
};

export const loader = screenLoader(requireUser, async ({ request }) => {
  const { headers, ...list } = readList(request, refusalList);
  const { filters, errors } = parseFilters(refusalList.filters, list.params);
  const [{ rows, total, page }, unrecorded] = await Promise.all([
    listRefusals(filters, list.query),
    countUnrecorded(),
  ]);
  const timeZone = siteTimeZone();
  const data = {
    ...listView(refusalList, list, { active: refusalParams(filters), errors }),
    rows: rows.map((row) => toRefusalView(row, timeZone)),
    total,
    page,
    unrecorded: describeUnrecorded(unrecorded),
    isFallback: page !== list.query.page,
  };
  return json(data, { headers });
});

const columns: Column<RefusalView>[] = [
  {
    heading: "Created",
    isRowHeader: true,
    className: table.moment,
    cell: ({ occurredAt }) => occurredAt,
  },
  {
    heading: "Code",
    isBare: true,
    className: table.twoLines,
    cell: ({ promotion, code }) =>
      promotion ? (
        <LinkedCode {...promotion} code={code} />
      ) : (
        <code className={codeStyle}>{code}</code>
      ),
  },
  {
    heading: "Machine",
    isBare: true,
    className: table.twoLines,
    cell: ({ machine: { serialNumber, humanName } }) =>
      humanName === null ? (
        serialNumber
      ) : (
        <>
          <a href={paths.machine(serialNumber)}>{serialNumber}</a>{" "}
          <span className={muted}>{humanName}</span>
        </>
      ),
  },
  { heading: "Reason", className: table.twoLines, cell: ({ reason }) => reason },
  { heading: "Original price", isNumber: true, cell: ({ price }) => price },
];

export default function RefusedAttempts() {
  const list = useLoaderData<typeof loader>();
  return (
    <Page title="Refused attempts">
      <ListNotes list={list} />
      <LinkTabs label="Views" tabs={transactionTabs} />
      {list.unrecorded && <MessageBlock kind="warning">{list.unrecorded}</MessageBlock>}
      <FilterBar list={refusalList} data={list} />
      {list.rows.length > 0 ? (
        <ListTable
          caption="Refused attempts"
          list={refusalList}
          data={list}
          columns={columns}
          tools={<RowCount total={list.total} noun="refused attempt" />}
        />
      ) : list.filters.length > 0 ? (
        <NothingMatches list={refusalList} noun="refused attempt" />
      ) : (
        <Card>
          <EmptyState
            icon="receipt"
            title="No refused attempts yet"
            reason="Each code that a machine refuses appears here, with the reason."
          />
        </Card>
      )}
    </Page>
  );
}
