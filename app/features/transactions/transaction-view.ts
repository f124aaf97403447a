import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import { formatCode } from "../../format/promotion";
import type { Transaction, TransactionStatus, TransactionType } from "./transaction";

export const transactionStatusLabels: Record<TransactionStatus, string> = {
  applied: "Applied",
  rolled_back: "Rolled back",
};

export const transactionTypeLabels: Record<TransactionType, string> = {
  percentage: "Percentage",
  free_drink: "Free drink",
};

/** A transaction as a row of the list shows it, with every value formatted. */
export type TransactionView = ReturnType<typeof toTransactionView>;

/** @param timeZone the site's IANA zone */
export function toTransactionView(transaction: Transaction, timeZone: string) {
  return {
    id: transaction.id,
    at: formatDateTime(transaction.at, timeZone),
    machine: transaction.machine,
    promotion: { ...transaction.promotion, code: formatCode(transaction.promotion.code) },
    type: transactionTypeLabels[transaction.type],
    originalPrice: formatCents(transaction.originalPrice),
    discount: formatCents(transaction.discount),
    discountedPrice: formatCents(transaction.discountedPrice),
    savings: `${transaction.savings}%`,
    status: transaction.status,
  };
}
