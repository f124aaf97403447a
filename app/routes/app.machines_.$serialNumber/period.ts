import {
  activityPeriods,
  defaultPeriod,
  type ActivityPeriod,
} from "../../features/redemptions/machine-activity";

/** How far the page looks back. A value that means nothing falls back, and is named (rulings 1.6). */
export function parsePeriod(params: URLSearchParams): {
  period: ActivityPeriod;
  problem: string | null;
} {
  const text = params.get("period") ?? "";
  const period = activityPeriods.find((days) => String(days) === text);
  const isBad = text !== "" && period === undefined;
  return {
    period: period ?? defaultPeriod,
    problem: isBad ? "The value of 'period' is not valid." : null,
  };
}
