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
  /** Cents left to pay. */
  discountedPrice: number;
  /** The whole percent that was saved; 0 if the price was 0. */
  savings: number;
  at: Date;
  status: TransactionStatus;
  type: TransactionType;
};

export type TransactionStatus = "applied" | "rolled_back";
export type TransactionType = "percentage" | "free_drink";

/** Returns the whole percent saved, rounded half up; 0 if the price is 0. Both are in cents. */
export function savingsPercent(discount: number, originalPrice: number): number {
  if (originalPrice === 0) return 0;
  return Math.floor((discount * 200 + originalPrice) / (originalPrice * 2));
}
