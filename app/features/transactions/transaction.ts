/** What a redemption came to (core §3). */
export type Transaction = {
  id: string;
  /** The client's own; unique in the whole database. */
  redemptionId: string;
  machine: { serialNumber: string; humanName: string };
  promotion: { id: string; name: string; code: string };
  /** Cents. */
  originalPrice: number;
  /** Cents; what was taken off. */
  discount: number;
  /** Cents; what was left to pay. */
  discountedPrice: number;
  /** Whole percent of what was really saved; 0 when there was nothing to pay. */
  savings: number;
  at: Date;
  status: TransactionStatus;
  type: TransactionType;
};

export type TransactionStatus = "applied" | "rolled_back";
export type TransactionType = "percentage" | "free_drink";

/** Whole percent, half up; 0 when the price is 0. Both in cents. */
export function savingsPercent(discount: number, originalPrice: number): number {
  if (originalPrice === 0) return 0;
  return Math.floor((discount * 200 + originalPrice) / (originalPrice * 2));
}
