import { useLoaderData } from "@remix-run/react";
import { archivedNoteOfPage } from "../../features/archived-months/archived-note.server";
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
import { deletedRefusalsNoteOfPage } from "../../features/reports/refusal-retention.server";
import { siteFormat } from "../../features/settings/settings.server";
import { MaskedNote } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { fromReplica, screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ListScreen } from "../../ui/list/list-screen";
import { LinkedCode, machineColumn, timeColumn, type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { code as codeStyle } from "#styles/global.css";

export const meta = pageMeta();

export const loader = screenLoader(
  requireUser,
  fromReplica(({ request }, { user }) =>
    loadList(request, refusalList, async ({ query, filters }) => {
      const [{ rows, ...page }, unrecorded] = await Promise.all([
        listRefusals(filters, query),
        countUnrecorded(),
      ]);
      const isLastPage = query.page * query.perPage >= page.total.count && !page.total.isCapped;
      return {
        ...page,
        missing: [
          await archivedNoteOfPage(filters, isLastPage, "Refused attempts"),
          await deletedRefusalsNoteOfPage(filters, isLastPage),
        ]
          .filter(Boolean)
          .join(" "),
        rows: rows.map((row) => toRefusalView(row, siteFormat(), user)),
        unrecorded: describeUnrecorded(unrecorded),
      };
    }),
  ),
);

const columns: Column<RefusalView>[] = [
  timeColumn,
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
  machineColumn,
  { heading: "Reason", className: table.twoLines, cell: ({ reason }) => reason },
  { heading: "Price", isNumber: true, cell: ({ price }) => price },
];

export default function RefusedAttempts() {
  const list = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Refused attempts"
      notes={
        (list.unrecorded || list.missing) && (
          <>
            {list.unrecorded && <MessageBlock kind="warning">{list.unrecorded}</MessageBlock>}
            {list.missing && <MessageBlock kind="info">{list.missing}</MessageBlock>}
          </>
        )
      }
      tools={<MaskedNote />}
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
