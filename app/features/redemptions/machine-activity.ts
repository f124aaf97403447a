import { paths } from "../../paths";
import type { ReachableCap } from "../caps/cap";
import type { RefusalReason } from "./refusal-reason";

/** The numbers of days, including today, that a machine's page can show. */
export const activityPeriods = [7, 30, 90] as const;
export type ActivityPeriod = (typeof activityPeriods)[number];
export const defaultPeriod: ActivityPeriod = 30;

export function parseActivityPeriod(text: string): ActivityPeriod | null {
  return activityPeriods.find((days) => `${days}` === text) ?? null;
}

export const maxRefusedAttempts = 10;
export const maxTransactions = 10;

/** The list of refused attempts at a machine. @param firstDay YYYY-MM-DD */
export function refusalsSince(serialNumber: string, firstDay: string): string {
  return `${paths.refusals}?${new URLSearchParams({ machine: serialNumber, created_after: firstDay })}`;
}

export type ActivityDay = {
  /** YYYY-MM-DD in the site's zone. */
  day: string;
  /** Accepted and not rolled back. */
  redemptions: number;
  /** The cents that these redemptions gave away. */
  discount: number;
};

export type RefusedAttempt = {
  id: string;
  attemptedAt: Date;
  /** A code without dashes, or a text that is none. */
  code: string;
  /** The promotion of the code; null if there is none. */
  promotion: { id: string; name: string } | null;
  reason: RefusalReason;
  cap: ReachableCap | null;
  /** Cents. */
  originalPrice: number;
};
