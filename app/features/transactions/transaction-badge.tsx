import { Badge } from "../../ui/feedback/badge";
import { type TransactionStatus, transactionStatusLabels } from "./transaction";

export function TransactionBadge({ status }: { status: TransactionStatus }) {
  return (
    <Badge tone={status === "applied" ? "ok" : "off"}>{transactionStatusLabels[status]}</Badge>
  );
}
