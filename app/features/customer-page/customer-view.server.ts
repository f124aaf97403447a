/** Texts about a code in the customer's language. */
import { siteTimeZone } from "../../db/site.server";
import { shorten } from "../../forms/storable-text";
import { describeWeekdays, nextOpening, toCampaignTimes, type Hours } from "../promotions/schedule";
import type { CustomerCode } from "./customer-code.server";
import type { Locale } from "./locale.server";

export type CustomerView = {
  /** Discount in words: '20% off'. */
  gift: string;
  /** Says more of it: 'for one purchase, every month'. */
  terms: string;
  /** A sentence about products that the code is not for; '' without any. */
  limits: string;
  isUsable: boolean;
  /** Says whether the code can be used now, and else why not. */
  state: string;
  /** Until when and at which hours. */
  times: Fact[];
  machines: Fact;
};

export type Fact = readonly [term: string, value: string];

/** Facts about a code that a customer may know. */
export type ViewedCode = Pick<
  CustomerCode,
  | "discountType"
  | "discountValue"
  | "isSingleUse"
  | "isRenewable"
  | "remainingUses"
  | "expiresAt"
  | "renewsAt"
  | "times"
  | "caps"
  | "status"
  | "cap"
  | "machines"
  | "machineCount"
>;

/** Days on which a code can't be used that a page lists. */
const maxClosedDays = 10;
/** Keeps a page with 20 names to its size (RULES K3). */
const maxNameLength = 60;

export function customerView(code: ViewedCode, locale: Locale): CustomerView {
  const { texts } = locale;
  const { gift, terms, limits } = describeGift(code, locale);
  // Some locales end a time with a full stop of their own: '8:00 a.m.'.
  const state = describeState(code, locale)?.replace(/\.{2}$/, ".") ?? null;
  return {
    gift,
    terms,
    limits,
    isUsable: state === null,
    state: state ?? texts.usable,
    times: describeTimes(code, locale),
    machines: [texts.machines, describeMachines(code, locale)],
  };
}

function describeGift(code: ViewedCode, { texts, tag }: Locale) {
  const { discountType, discountValue, isSingleUse, isRenewable, remainingUses: left, caps } = code;
  const isPercentage = discountType === "percentage";
  const percent = new Intl.NumberFormat(tag, { style: "percent" }).format(discountValue / 100);
  const isPartlyUsed = !isPercentage && left !== null && left > 0 && left < discountValue;
  const hasPriceLimits = caps?.lowestPrice != null || caps?.highestDiscount != null;
  const terms = [
    isPercentage && isSingleUse && texts.forOnePurchase,
    isRenewable && texts.everyMonth,
    isPartlyUsed && texts.usesLeft(left, discountValue),
  ].filter((term) => term !== false);
  return {
    gift: isPercentage ? texts.percentOff(percent) : texts.drinks(discountValue),
    terms: terms.join(", "),
    limits: hasPriceLimits ? texts.somePrices : "",
  };
}

/** Returns why a code can't be used now, and when it can again; null if it can. */
function describeState(code: ViewedCode, locale: Locale): string | null {
  const { texts } = locale;
  const { status, times, renewsAt, machineCount, cap } = code;
  const opening = nextOpening(code, siteTimeZone());
  const again = (time: string | null) => (time === null ? "" : ` ${texts.usableAgainFrom(time)}`);
  switch (status) {
    case "deleted":
    case "inactive":
      return texts.notNow;
    case "expired":
      return texts.expired;
    case "used_up":
      return texts.used + again(renewsAt && formatDay(renewsAt, siteTimeZone(), locale));
    case "not_assigned":
      return texts.noMachine;
    case "scheduled":
      return opening ? texts.usableFrom(formatLocal(opening, locale)) : texts.notNow;
    case "active":
      if (machineCount === 0) return texts.noMachine;
      if (times && !times.isOpen)
        return texts.notNow + again(opening && formatLocal(opening, locale));
      return cap === null ? null : texts.notNow;
  }
}

function describeTimes({ expiresAt, times }: ViewedCode, locale: Locale): Fact[] {
  const { texts } = locale;
  const { startsAt, schedule } = toCampaignTimes(times);
  const isAhead = times?.isAhead ?? false;
  const closed = (schedule?.except ?? []).filter((day) => day >= times!.localTime.slice(0, 10));
  const days = closed.slice(0, maxClosedDays).map((day) => formatDay(new Date(day), "UTC", locale));
  const hours = (schedule?.hours ?? []).map((window) => describeWindow(window, locale));
  const lastInstant = expiresAt && new Date(expiresAt.getTime() - 1);
  const until = lastInstant && formatDay(lastInstant, siteTimeZone(), locale);
  const facts: Fact[] = [
    [texts.validUntil, until ?? texts.noEnd],
    [texts.hours, hours.join("\n") || texts.always],
  ];
  if (isAhead) facts.unshift([texts.validFrom, formatLocal(startsAt!, locale)]);
  if (days.length > 0) facts.push([texts.notOn, withRest(days, closed.length, locale)]);
  if (isAhead || schedule !== null) facts.push([texts.timeZone, siteTimeZone()]);
  return facts;
}

function describeMachines({ machines, machineCount }: ViewedCode, locale: Locale): string {
  const names = machines.map((name) => shorten(name, maxNameLength));
  return withRest(names, machineCount, locale) || "–";
}

/** Writes a list, one entry a line, which may be the beginning of a longer one. */
function withRest(shown: readonly string[], count: number, { texts }: Locale): string {
  const rest = count - shown.length;
  return [...shown, ...(rest > 0 ? [texts.more(rest)] : [])].join("\n");
}

const anyMonday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

function describeWindow({ days, from, to }: Hours, { texts, tag }: Locale): string {
  const nameOfDay = new Intl.DateTimeFormat(tag, { weekday: "short", timeZone: "UTC" });
  const names = Array.from({ length: 7 }, (_, day) => nameOfDay.format(anyMonday + day * dayMs));
  const weekdays = describeWeekdays(days, names, texts.daily);
  // Both ends would be written as midnight.
  if (from === "00:00" && to === "24:00") return `${weekdays} ${texts.allDay}`;
  const time = new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone: "UTC" });
  const [first, last] = [from, to].map((text) => {
    const [hours = 0, minutes = 0] = text.split(":").map(Number);
    return time.format(anyMonday + (hours * 60 + minutes) * 60_000);
  });
  return `${weekdays} ${first}–${last}`;
}

function formatDay(instant: Date, timeZone: string, locale: Locale): string {
  return formatDate(instant, { timeZone }, locale);
}

/** @param local YYYY-MM-DDTHH:MM, with or without seconds */
function formatLocal(local: string, locale: Locale): string {
  const instant = new Date(`${local.slice(0, 16)}Z`);
  return formatDate(instant, { timeStyle: "short", timeZone: "UTC" }, locale);
}

const common = { dateStyle: "long", calendar: "gregory", numberingSystem: "latn" } as const;

function formatDate(
  instant: Date,
  options: Intl.DateTimeFormatOptions,
  { language, tag }: Locale,
): string {
  const date = new Intl.DateTimeFormat(tag, { ...common, ...options }).format(instant);
  // `Intl` does not know that French counts the first day of a month alone.
  return language === "fr" ? date.replace(/^1 /, "1er ") : date;
}
