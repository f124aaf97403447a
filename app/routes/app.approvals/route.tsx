import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import {
  approvalList,
  toApprovalView,
  type Approval,
  type ApprovalView,
} from "../../features/approvals/approval";
import { listApprovals } from "../../features/approvals/list-approvals.server";
import { pageMeta } from "../../forms/page-meta";
import { formatNumber } from "../../format/number";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import { ListScreen } from "../../ui/list/list-screen";
import type { Column } from "../../ui/table/table";

export const meta = pageMeta();

export const loader = screenLoader(requireEditor, ({ request }, { user }) =>
  loadList(request, approvalList, async ({ query }) => {
    const { rows, ...page } = await listApprovals(user, query);
    return { ...page, rows: rows.map((approval) => toApprovalView(approval, siteTimeZone())) };
  }),
);

const tones: Record<Approval["state"], Tone> = {
  pending: "warn",
  approved: "ok",
  refused: "bad",
  withdrawn: "neutral",
  expired: "neutral",
};

const columns: Column<ApprovalView>[] = [
  {
    heading: "Name",
    isRowHeader: true,
    cell: ({ id, name }) => <a href={paths.approval(id)}>{name}</a>,
  },
  { heading: "Request", cell: ({ kind }) => kind },
  {
    heading: "Codes",
    isNumber: true,
    cell: ({ codes }) => (codes === null ? "–" : formatNumber(codes)),
  },
  {
    heading: "Status",
    isBadge: true,
    cell: ({ state, stateLabel }) => <Badge tone={tones[state]}>{stateLabel}</Badge>,
  },
  { heading: "Requested", cell: ({ created }) => created },
  { heading: "Requested by", cell: ({ askedBy }) => askedBy },
];

export default function Approvals() {
  const data = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Approvals"
      list={approvalList}
      data={data}
      noun="request"
      columns={columns}
      empty={{
        icon: "check",
        title: "No requests yet",
        reason:
          "Codes above the limit of the settings wait here for a second admin. Admins see all requests, others their own.",
      }}
    />
  );
}
