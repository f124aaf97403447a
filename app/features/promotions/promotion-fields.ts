/**
 * Declares the fields of a promotion besides its machines and groups, a row for each: SQL, Duplicate, Switch, the API's
 * answers and documentation, the export and the columns of lists read them here. Its rules stand in `form/promotion-forms`,
 * what the API sends and answers in `promotion-api`, the headings of lists in `list/list-columns`, those of pages in
 * `promotion-view`.
 */
import { type ApiCaps, describeCaps, toApiCaps } from "../caps/cap";
import type { Cell } from "../../codec/csv.server";
import { formatDate } from "../../format/date";
import { decimalAmount } from "../../format/money";
import { discountTypeLabels, formatDiscount } from "../../format/promotion";
import { formatDateInput } from "../../forms/date-input";
import { formatLastDay, lastDay, toApiDate } from "./expiry-date";
import type { Campaign, Promotion } from "./promotion";
import { describeHours, formatLocalTime, type Schedule, toCampaignTimes } from "./schedule";

/** A promotion with its times as PostgreSQL formats them for CSV. */
export type PromotionCsvRow = Promotion & {
  createdIso: string;
  createdLocal: string;
  lastDayIso: string | null;
  lastDayLocal: string | null;
};

export type CsvColumn = [heading: string, cell: (promotion: PromotionCsvRow) => Cell];

/** Fields by their name in the mass form, in the body of `generate_codes`, in all answers, and in SQL but for those that are times. */
export const promotionFields = {
  name: {
    description: "Name of the campaign, 1 to 200 characters.",
    single: "promotionName",
    answer: ({ name }) => name,
    csv: () => [["Name", ({ name }) => name]],
  },
  discount_type: {
    description: "`percentage` for percent off, `free_drink` for free drinks.",
    copy: ({ discountType }) => discountType,
    answer: ({ discountType }) => discountType,
    column: {
      id: "discountType",
      text: ({ discountType }) => discountTypeLabels[discountType],
    },
    csv: () => [["Discount type", ({ discountType }) => discountTypeLabels[discountType]]],
  },
  discount_value: {
    description:
      "Percent off (1 to 100), or the number of free drinks (1 to 1,000). In a body, a free drink with single use may leave it out.",
    single: "discount",
    copy: ({ discountValue }) => String(discountValue),
    answer: ({ discountValue }) => discountValue,
    column: {
      id: "discount",
      text: ({ discountType, discountValue }) => formatDiscount(discountType, discountValue),
    },
    csv: () => [["Discount", ({ discountValue }) => discountValue]],
  },
  expiration_date: {
    description:
      "Last valid day in the site's time zone, as YYYY-MM-DDT23:59:59 without a zone. null means none.",
    copy: ({ expiresAt, isExpired }, timeZone) =>
      expiresAt && !isExpired ? formatDateInput(lastDay(expiresAt, timeZone)) : "",
    answer: ({ expiresAt }, timeZone) => expiresAt && toApiDate(lastDay(expiresAt, timeZone)),
    column: {
      id: "expiration",
      text: ({ expiresAt }, timeZone) => (expiresAt ? formatLastDay(expiresAt, timeZone) : "None"),
    },
    csv: (timeZone) => [
      ["Valid until (ISO)", ({ lastDayIso }) => lastDayIso],
      [`Valid until (${timeZone})`, ({ lastDayLocal }) => lastDayLocal],
    ],
  },
  starts_at: {
    description:
      "Start in the site's time zone, from which machines accept the code: YYYY-MM-DDTHH:MM, in a body also YYYY-MM-DD. null means at once.",
    answer: ({ times }) => toCampaignTimes(times).startsAt,
    csv: (timeZone) => [
      [
        `Start (${timeZone})`,
        ({ times }) => (times?.startsAt ? formatLocalTime(times.startsAt) : null),
      ],
    ],
  },
  schedule: {
    description:
      "Hours of the week in which machines accept the code, and days on which they don't. null means always.",
    answer: ({ times }) => toCampaignTimes(times).schedule,
    csv: (timeZone) => [
      [`Hours (${timeZone})`, ({ times }) => describeHours(toCampaignTimes(times).schedule)],
      [`Not on (${timeZone})`, ({ times }) => times?.closedOn?.join(" ") ?? null],
    ],
  },
  caps: {
    description:
      "What all codes of the campaign may give, each null without that cap. null means without caps.",
    answer: ({ caps }) => toApiCaps(caps),
    csv: () => [["Caps", ({ caps }) => describeCaps(caps, decimalAmount).join(", ") || null]],
  },
  is_single_use: {
    description: "Whether the code can be redeemed once only.",
    copy: ({ isSingleUse }) => isSingleUse,
    answer: ({ isSingleUse }) => isSingleUse,
    column: {
      id: "oneTime",
      text: ({ isSingleUse }) => (isSingleUse ? "Yes" : "No"),
    },
    csv: () => [["One-time", ({ isSingleUse }) => (isSingleUse ? "Yes" : "No")]],
  },
  is_renewable: {
    description: "Whether the uses come back on the first day of each month.",
    copy: ({ isRenewable }) => isRenewable,
    answer: ({ isRenewable }) => isRenewable,
    column: {
      id: "renewable",
      // The next renewal: the first of the coming month.
      text: ({ renewsAt }, timeZone) =>
        renewsAt ? `Yes, ${formatDate(renewsAt, timeZone).slice(0, 6)}` : "No",
    },
    csv: () => [["Renewable", ({ isRenewable }) => (isRenewable ? "Yes" : "No")]],
  },
} as const satisfies Record<
  string,
  {
    /** Says in the API's documentation what the field holds. */
    description: string;
    /** Name in the single form and in the body of `create_promotion`, where it differs. */
    single?: string;
    /** Value that the form of a copy begins with; without it, the field is blank. */
    copy?: (campaign: Campaign, timeZone: string) => string | boolean;
    answer: (
      campaign: Campaign,
      timeZone: string,
    ) => string | number | boolean | Schedule | ApiCaps | null;
    /** Column of the list that can be hidden, which `list/list-columns` names; the name never is. */
    column?: {
      id: string;
      text: (campaign: Campaign, timeZone: string) => string;
    };
    csv: (timeZone: string) => CsvColumn[];
  }
>;

type Fields = typeof promotionFields;
export type PromotionField = keyof Fields;
export type FieldColumn = Extract<Fields[PromotionField], { column: unknown }>["column"];

export function byColumn<Value>(valueOf: (column: FieldColumn) => Value) {
  const entries = Object.values(promotionFields).flatMap((field) =>
    "column" in field ? [[field.column.id, valueOf(field.column)]] : [],
  );
  return Object.fromEntries(entries) as Record<FieldColumn["id"], Value>;
}

export function mapFields<Value>(valueOf: (field: Fields[PromotionField]) => Value) {
  const entries = Object.entries(promotionFields).map(([name, field]) => [name, valueOf(field)]);
  return Object.fromEntries(entries) as Record<PromotionField, Value>;
}

export function answerFields(campaign: Campaign, timeZone: string) {
  return mapFields(({ answer }) => answer(campaign, timeZone));
}

/** The names of each field in the two forms, and how it is copied. */
export function formFields() {
  return Object.entries(promotionFields).map(([mass, field]) => ({
    mass,
    single: "single" in field ? field.single : mass,
    copy: "copy" in field ? field.copy : null,
  }));
}
