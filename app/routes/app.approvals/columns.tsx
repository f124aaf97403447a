import type { Approval, ApprovalView } from "../../features/approvals/approval";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { Badge, type Tone } from "../../ui/feedback/badge";
import type { Column } from "../../ui/table/table";

const tones: Record<Approval["state"], Tone> = {
  pending: "warn",
  approved: "ok",
  refused: "bad",
  expired: "neutral",
};

export const approvalColumns: Column<ApprovalView>[] = [
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
  { heading: "Requested", sort: "created", cell: ({ created }) => created },
  { heading: "Requested by", cell: ({ askedBy }) => askedBy },
];
