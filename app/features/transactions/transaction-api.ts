/** Transactions as the API sends them. */
import type { Transaction } from "./transaction";

export function toApiTransaction(transaction: Transaction) {
  return {
    id: Number(transaction.id),
    machine: transaction.machine.serialNumber,
    originalPrice: transaction.originalPrice,
    discount: transaction.discount,
    discountedPrice: transaction.discountedPrice,
    savings: transaction.savings,
    timestamp: transaction.at.toISOString(),
    status: transaction.status === "applied" ? "Applied" : "Rolled back",
    type: transaction.type,
  };
}
