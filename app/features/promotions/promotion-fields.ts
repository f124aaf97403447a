/**
 * What people decide about a promotion besides its machines and groups, a row for each field: forms, copies, the
 * API, the export and the columns of lists are made of it. Its rules stand in `form/promotion-forms`, what the API
 * sends and answers in `promotion-api`.
 */
import type { Cell } from "../../codec/csv.server";
import { formatDate } from "../../format/date";
import { discountTypeLabels, formatDiscount } from "../../format/promotion";
import { formatDateInput } from "../../forms/typed-date";
import { formatLastDay, lastDay, toApiDate } from "./expiry-date";
import type { Promotion } from "./promotion";

/** A promotion or a mass generation. */
export type Campaign = Pick<
  Promotion,
  | "name"
  | "discountType"
  | "discountValue"
  | "isSingleUse"
  | "isRenewable"
  | "expiresAt"
  | "isExpired"
  | "renewsAt"
>;

/** A promotion with its times as PostgreSQL formats them for CSV. */
export type PromotionCsvRow = Promotion & {
  createdIso: string;
  createdLocal: string;
  lastDayIso: string | null;
  lastDayLocal: string | null;
};

export type CsvColumn = [heading: string, cell: (promotion: PromotionCsvRow) => Cell];

/** By name in the mass form, in the body of `generate_codes` and in all answers. */
export const promotionFields = {
  name: {
    single: "promotionName",
    copy: () => "",
    answer: ({ name }) => name,
    csv: () => [["Name", ({ name }) => name]],
  },
  discount_type: {
    copy: ({ discountType }) => discountType,
    answer: ({ discountType }) => discountType,
    column: {
      id: "discountType",
      heading: "Discount type",
      text: ({ discountType }) => discountTypeLabels[discountType],
    },
    csv: () => [["Discount type", ({ discountType }) => discountTypeLabels[discountType]]],
  },
  discount_value: {
    single: "discount",
    copy: ({ discountValue }) => String(discountValue),
    answer: ({ discountValue }) => discountValue,
    column: {
      id: "discount",
      heading: "Discount/Free",
      text: ({ discountType, discountValue }) => formatDiscount(discountType, discountValue),
    },
    csv: () => [["Discount", ({ discountValue }) => discountValue]],
  },
  expiration_date: {
    copy: ({ expiresAt, isExpired }, timeZone) =>
      expiresAt && !isExpired ? formatDateInput(lastDay(expiresAt, timeZone)) : "",
    answer: ({ expiresAt }, timeZone) => expiresAt && toApiDate(lastDay(expiresAt, timeZone)),
    column: {
      id: "expiration",
      heading: "Expiration",
      text: ({ expiresAt }, timeZone) => (expiresAt ? formatLastDay(expiresAt, timeZone) : "None"),
    },
    csv: (timeZone) => [
      ["Valid until (ISO)", ({ lastDayIso }) => lastDayIso],
      [`Valid until (${timeZone})`, ({ lastDayLocal }) => lastDayLocal],
    ],
  },
  is_single_use: {
    copy: ({ isSingleUse }) => isSingleUse,
    answer: ({ isSingleUse }) => isSingleUse,
    column: {
      id: "oneTime",
      heading: "One-time",
      text: ({ isSingleUse }) => (isSingleUse ? "Yes" : "No"),
    },
    csv: () => [["One-time", ({ isSingleUse }) => (isSingleUse ? "Yes" : "No")]],
  },
  is_renewable: {
    copy: ({ isRenewable }) => isRenewable,
    answer: ({ isRenewable }) => isRenewable,
    column: {
      id: "renewable",
      heading: "Renewable",
      // The next renewal: the first of the coming month.
      text: ({ renewsAt }, timeZone) =>
        renewsAt ? `Yes, ${formatDate(renewsAt, timeZone).slice(0, 6)}` : "No",
    },
    csv: () => [["Renewable", ({ isRenewable }) => (isRenewable ? "Yes" : "No")]],
  },
} as const satisfies Record<
  string,
  {
    /** Name in the single form and in the body of `create_promotion`, where it differs. */
    single?: string;
    /** Value that the form of a copy begins with. */
    copy: (campaign: Campaign, timeZone: string) => string | boolean;
    answer: (campaign: Campaign, timeZone: string) => string | number | boolean | null;
    /** Column of the list that can be hidden; the name never is. */
    column?: {
      id: string;
      heading: string;
      text: (campaign: Campaign, timeZone: string) => string;
    };
    csv: (timeZone: string) => CsvColumn[];
  }
>;

type Fields = typeof promotionFields;
export type PromotionField = keyof Fields;
type FieldColumn = Extract<Fields[PromotionField], { column: unknown }>["column"];

const fieldColumns = Object.values(promotionFields).flatMap((field): FieldColumn[] =>
  "column" in field ? [field.column] : [],
);

/** Makes a value for each column. */
export function byColumn<Value>(valueOf: (column: FieldColumn) => Value) {
  const entries = fieldColumns.map((column) => [column.id, valueOf(column)]);
  return Object.fromEntries(entries) as Record<FieldColumn["id"], Value>;
}

/** Writes the fields as the API answers them. */
export function answerFields(campaign: Campaign, timeZone: string) {
  const entries = Object.entries(promotionFields);
  return Object.fromEntries(
    entries.map(([name, { answer }]) => [name, answer(campaign, timeZone)]),
  );
}

export type CreatingForm = "single" | "mass";

/** Names of the fields in each of the forms. */
export const inputNames = Object.entries(promotionFields).map(([mass, field]) => ({
  ...{ mass, single: "single" in field ? field.single : mass },
  copy: field.copy,
}));

/** Fills a form from a promotion. */
export function copyFields(campaign: Campaign, form: CreatingForm, timeZone: string) {
  const entries = inputNames.map(({ copy, ...names }) => [names[form], copy(campaign, timeZone)]);
  return Object.fromEntries(entries) as Record<string, string | boolean>;
}
