// Without script: the same.
import { Badge } from "../../ui/feedback/badge";
import type { TransactionStatus } from "./transaction";
import { transactionStatusLabels } from "./transaction-view";

/** A badge that makes 'Applied' stand out. */
export function TransactionBadge({ status }: { status: TransactionStatus }) {
  return (
    <Badge tone={status === "applied" ? "ok" : "off"}>{transactionStatusLabels[status]}</Badge>
  );
}
