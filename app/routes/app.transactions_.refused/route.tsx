import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { code as codeStyle } from "#styles/global.css";
import { siteTimeZone } from "../../db/site.server";
import { countUnrecorded } from "../../features/redemptions/attempt-counts.server";
import {
  describeUnrecorded,
  refusalList,
  transactionTabs,
} from "../../features/redemptions/refusal-list";
import {
  listRefusals,
  toRefusalView,
  type RefusalView,
} from "../../features/redemptions/refusal-list.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ListScreen } from "../../ui/table/list-screen";
import { LinkedCode, LinkedMachine, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";

export const meta = pageMeta("Refused attempts");

export const handle = {
  hasTable: ({ rows }: SerializeFrom<typeof loader>) => rows.length > 0,
  crumbs: { refused: "Refused attempts" },
};

export const loader = screenLoader(requireUser, ({ request }) =>
  loadList(request, refusalList, async ({ query, filters }) => {
    const [{ rows, ...page }, unrecorded] = await Promise.all([
      listRefusals(filters, query),
      countUnrecorded(),
    ]);
    return {
      ...page,
      rows: rows.map((row) => toRefusalView(row, siteTimeZone())),
      unrecorded: describeUnrecorded(unrecorded),
    };
  }),
);

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
    cell: ({ machine }) => <LinkedMachine {...machine} />,
  },
  { heading: "Reason", className: table.twoLines, cell: ({ reason }) => reason },
  { heading: "Original price", isNumber: true, cell: ({ price }) => price },
];

export default function RefusedAttempts() {
  const list = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Refused attempts"
      notes={list.unrecorded && <MessageBlock kind="warning">{list.unrecorded}</MessageBlock>}
      tabs={transactionTabs}
      list={refusalList}
      data={list}
      noun="refused attempt"
      columns={columns}
      empty={{
        icon: "receipt",
        title: "No refused attempts yet",
        reason: "Each code that a machine refuses appears here, with the reason.",
      }}
    />
  );
}
