import type * as z from "zod/mini";
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import type { SiteFormat } from "../../format/site";
import { discountTypeLabels, formatCode } from "../../format/promotion";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import type { transactionSchema } from "./transaction-api";

/** An accepted redemption. */
export type Transaction = {
  id: string;
  /** Chosen by the client; unique in the whole database. */
  redemptionId: string;
  machine: { serialNumber: string; humanName: string };
  promotion: { id: string; name: string; code: string };
  /** Cents. */
  originalPrice: number;
  /** Cents taken off the price. */
  discount: number;
  discountedPrice: number;
  /** The whole percent that was saved; 0 if the price was 0. */
  savings: number;
  occurredAt: Date;
  status: TransactionStatus;
  type: keyof typeof discountTypeLabels;
};

export type TransactionStatus = "applied" | "rolled_back";

/** Returns the whole percent saved, rounded half up; 0 if the price is 0. Both are in cents. */
export function savingsPercent(discount: number, originalPrice: number): number {
  if (originalPrice === 0) return 0;
  return Math.floor((discount * 200 + originalPrice) / (originalPrice * 2));
}

export const transactionStatusLabels: Record<TransactionStatus, string> = {
  applied: "Applied",
  rolled_back: "Rolled back",
};

export type TransactionView = ReturnType<typeof toTransactionView>;

export function toTransactionView(
  transaction: Transaction,
  { timeZone, currency }: Pick<SiteFormat, "timeZone" | "currency">,
  reader: Reader,
) {
  const { promotion } = transaction;
  return {
    id: transaction.id,
    occurredAt: formatDateTime(transaction.occurredAt, timeZone),
    machine: transaction.machine,
    promotion: { ...promotion, code: formatCode(codeFor(reader, promotion.code)) },
    type: discountTypeLabels[transaction.type],
    originalPrice: formatCents(transaction.originalPrice, currency),
    discount: formatCents(transaction.discount, currency),
    discountedPrice: formatCents(transaction.discountedPrice, currency),
    savings: `${transaction.savings}%`,
    status: transaction.status,
  };
}

export function toApiTransaction(transaction: Transaction): z.infer<typeof transactionSchema> {
  return {
    id: Number(transaction.id),
    machine: transaction.machine.serialNumber,
    originalPrice: transaction.originalPrice,
    discount: transaction.discount,
    discountedPrice: transaction.discountedPrice,
    savings: transaction.savings,
    timestamp: transaction.occurredAt.toISOString(),
    status: transaction.status === "applied" ? "Applied" : "Rolled back",
    type: transaction.type,
  };
}
