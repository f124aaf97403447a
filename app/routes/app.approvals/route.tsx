import { useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { approvalList, toApprovalView } from "../../features/approvals/approval";
import { listApprovals } from "../../features/approvals/approvals.server";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireEditor } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { ListScreen } from "../../ui/list/list-screen";
import { approvalColumns } from "./columns";

export const meta = pageMeta();

export const loader = screenLoader(requireEditor, ({ request }, { user }) =>
  loadList(request, approvalList, async ({ query }) => {
    const { rows, ...page } = await listApprovals(user, query);
    return { ...page, rows: rows.map((approval) => toApprovalView(approval, siteTimeZone())) };
  }),
);

export default function Approvals() {
  const data = useLoaderData<typeof loader>();
  return (
    <ListScreen
      title="Approvals"
      list={approvalList}
      data={data}
      noun="request"
      columns={approvalColumns}
      empty={{
        icon: "check",
        title: "No requests yet",
        reason:
          "Codes above the limit of the settings wait here for a second admin. Admins see all requests, others their own.",
      }}
    />
  );
}
