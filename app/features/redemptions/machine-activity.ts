import type { Transaction } from "../transactions/transaction";
import type { RefusalReason } from "./refusal-reason";

/** Days that a machine's page can look back on, today among them. */
export const activityPeriods = [7, 30, 90] as const;
export type ActivityPeriod = (typeof activityPeriods)[number];
export const defaultPeriod: ActivityPeriod = 30;

export const maxRefusedAttempts = 25;
export const maxTransactions = 25;

export type ActivityDay = {
  /** YYYY-MM-DD in the site's zone. */
  day: string;
  /** Accepted and not rolled back (rulings 5.4). */
  redemptions: number;
  /** Cents given away by them. */
  discount: number;
};

export type RefusedAttempt = {
  id: string;
  at: Date;
  /** What was looked for: 12 characters, no dashes. */
  code: string;
  /** Of the code, where there is such a one. */
  promotion: { id: string; name: string } | null;
  reason: RefusalReason;
  /** Cents. */
  originalPrice: number;
};

/** What happened at one machine. */
export type ActivityReport = {
  /** Each day of the period, the oldest first. */
  days: ActivityDay[];
  /** Of the period, the most frequent first. */
  refusals: { reason: RefusalReason; count: number }[];
  /** Whenever, the newest first. */
  attempts: RefusedAttempt[];
  /** Whenever, the newest first. */
  transactions: Transaction[];
};
