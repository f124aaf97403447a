// Without script: the same.
import { Badge } from "../../ui/feedback/badge";
import type { TransactionStatus } from "./transaction";
import { transactionStatusWords } from "./transaction-words";

/** core §3: 'Applied' stands out. */
export function TransactionBadge({ status }: { status: TransactionStatus }) {
  return <Badge tone={status === "applied" ? "ok" : "off"}>{transactionStatusWords[status]}</Badge>;
}
