import { deletedLabel } from "../../features/machines/has-platform";
import { machineActivity } from "../../features/machines/machine";
import type { MachineDetails } from "../../features/machines/machines.server";
import type { MachinePromotionList } from "../../features/promotions/manage-machines/machine-promotions.server";
import type { ActivityReport } from "../../features/redemptions/activity.server";
import type { ActivityDay } from "../../features/reports/activity";
import { sumActivity } from "../../features/reports/activity.server";
import { toRefusalRate } from "../../features/reports/refusal-rate";
import {
  describeRefusal,
  formatAttempted,
  refusalLabels,
  refusalReasons,
} from "../../features/redemptions/refusal-reason";
import type { Reader } from "../../features/sign-in/user";
import { toTransactionView } from "../../features/transactions/transaction";
import { formatDateTime, formatDay, toTimestampView } from "../../format/date";
import { formatCents } from "../../format/money";
import { countOf, formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import type { SiteFormat } from "../../format/site";

export function toPageView(
  machine: MachineDetails,
  { codes, total }: Pick<MachinePromotionList, "codes" | "total">,
  { days, attemptDays, attempts, transactions }: ActivityReport & { attemptDays: ActivityDay[] },
  site: SiteFormat & { hasPlatform: boolean },
  reader: Reader,
) {
  const { timeZone, currency, hasPlatform } = site;
  const time = (instant: Date | null) => toTimestampView(instant, timeZone);
  const redemptions = days.reduce((sum, day) => sum + day.redemptions, 0);
  const discount = days.reduce((sum, day) => sum + day.discount, 0);
  const all = sumActivity(attemptDays);
  const rate = rateOf(all);
  const period = `the last ${days.length} days`;
  return {
    machine: {
      serialNumber: machine.serialNumber,
      humanName: machine.humanName,
      lastActive: time(machine.lastQrUsed),
      lastSeen: time(machine.lastSeen),
      deleted:
        machine.deletedAt &&
        `${deletedLabel(hasPlatform)} since ${formatDateTime(machine.deletedAt, timeZone)}. It accepts no code until ${hasPlatform ? "it is listed there again" : "an admin restores it"}.`,
      groups: machine.groups,
    },
    activity: machineActivity(codes),
    promotions: {
      isAny: codes > 0,
      summary: codes === 0 ? "None" : `${formatCodes(codes)} in ${countOf(total, "campaign")}`,
    },
    period: { days: days.length, text: period },
    figures: [
      { name: "Active promos now", value: formatNumber(codes), note: "codes that it accepts" },
      { name: "Redemptions", value: formatNumber(redemptions) },
      { name: "Discounts given", value: formatCents(discount, currency) },
      {
        name: "Refused attempts",
        value: formatNumber(rate.refused),
        note: rate.attempts > 0 ? `${rate.rate} of ${countOf(rate.attempts, "attempt")}` : "",
      },
    ],
    chart: redemptions === 0 ? null : chartOf(days, redemptions),
    days: days
      .map((day) => ({
        day: formatDay(day.day),
        redemptions: formatNumber(day.redemptions),
        discount: formatCents(day.discount, currency),
      }))
      .reverse(),
    rateChart: rate.refused === 0 ? null : rateChartOf(days, attemptDays),
    rates: attemptDays
      .map((day) => ({ day: formatDay(day.day), ...rateOf(day) }))
      .map(({ day, attempts: count, refused, reasonLabel, ...more }) => ({
        day,
        rate: more.rate,
        reason: reasonLabel,
        attempts: formatNumber(count),
        refused: formatNumber(refused),
      }))
      .reverse(),
    refusals: refusalReasons
      .filter((reason) => all.refused[reason] > 0)
      .toSorted((one, other) => all.refused[other] - all.refused[one])
      .map((reason) => ({
        reason: refusalLabels[reason],
        count: formatNumber(all.refused[reason]),
      })),
    firstDay: days[0]!.day,
    attempts: attempts.map(({ id, attemptedAt, code, promotion, reason, cap, originalPrice }) => ({
      id,
      time: time(attemptedAt),
      code: formatAttempted(code, reader),
      promotion,
      reason: describeRefusal(reason, cap),
      price: formatCents(originalPrice, currency),
    })),
    transactions: transactions.map((transaction) => ({
      ...toTransactionView(transaction, site, reader),
      time: time(transaction.occurredAt),
    })),
  };
}

const rateOf = ({ drinks, percentages, refused }: Omit<ActivityDay, "day">) =>
  toRefusalRate({ redemptions: drinks + percentages, refused });

/** Bars of whole percents; a day without a refusal has none. */
function rateChartOf(days: ActivityReport["days"], attemptDays: ActivityDay[]) {
  const rates = new Map(
    attemptDays.map((day) => {
      const { attempts, refused } = rateOf(day);
      return [day.day, Math.round((100 * refused) / Math.max(1, attempts))];
    }),
  );
  return {
    id: "refusal-rate",
    title: "Refusal rate per day",
    unit: "Refusal rate",
    labelHeading: "Day",
    description: "Refused attempts of each day in percent of all its attempts.",
    format: (value: number) => `${value}%`,
    bars: days.map(({ day }) => ({
      label: formatDay(day).slice(0, 6),
      value: rates.get(day) ?? 0,
    })),
  };
}

function chartOf(days: ActivityReport["days"], redemptions: number) {
  const busiest = days.reduce((best, day) => (day.redemptions > best.redemptions ? day : best));
  return {
    id: "redemptions",
    title: "Redemptions per day",
    unit: "Redemptions",
    labelHeading: "Day",
    description:
      `${formatNumber(redemptions)} from ${formatDay(days[0]!.day)} to ${formatDay(days.at(-1)!.day)}, ` +
      `the most on ${formatDay(busiest.day)}: ${formatNumber(busiest.redemptions)}.`,
    bars: days.map(({ day, redemptions: value }) => ({
      label: formatDay(day).slice(0, 6),
      value,
    })),
  };
}
