/** Periods of the dashboard, in the order of their tabs. */
export const periodLabels = {
  today: "Today",
  week: "This week",
  month: "This month",
  year: "This year",
};
export type Period = keyof typeof periodLabels;
export const periods = Object.keys(periodLabels) as Period[];
export const defaultPeriod: Period = "month";

/** Returns the period of a parameter; null if there is none such. */
export function parsePeriod(text: string): Period | null {
  return periods.find((period) => period === text) ?? null;
}
