import {
  activityPeriods,
  defaultPeriod,
  type ActivityPeriod,
} from "../../features/redemptions/machine-activity";

/** Parses the period of the page; a bad value falls back to the default and is reported (RULES L1). */
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
