import type { RefusalReason } from "../redemptions/refusal-reason";

/** Money is in cents; that of a free drink is its price. */
export type Activity = {
  drinks: number;
  drinkDiscount: number;
  percentages: number;
  percentageDiscount: number;
  /** Redemptions by the hour on the clock, 0 to 23. */
  byHour: number[];
  refused: Record<RefusalReason, number>;
};

export type ActivityDay = Activity & { day: string };

export const redemptionsOf = ({ drinks, percentages }: Pick<Activity, "drinks" | "percentages">) =>
  drinks + percentages;

/** Returns the cents given away. */
export const discountOf = (activity: Pick<Activity, "drinkDiscount" | "percentageDiscount">) =>
  activity.drinkDiscount + activity.percentageDiscount;
