/** Periods of the dashboard, in the order of their tabs. */
export const periods = ["today", "week", "month", "year"] as const;
export type Period = (typeof periods)[number];
export const defaultPeriod: Period = "month";

export const periodLabels: Record<Period, string> = {
  today: "Today",
  week: "This week",
  month: "This month",
  year: "This year",
};

/** Returns the period of a parameter; null if there is none such. */
export function parsePeriod(text: string): Period | null {
  return periods.find((period) => period === text) ?? null;
}
