import type { FieldColumn } from "../promotion-fields";
import type { PromotionView } from "../promotion-view";

/** Columns that cost a query of their own, and are hidden until they are chosen. */
export const optionalColumns = {
  groups: "Machine groups",
  createdBy: "Created by",
  lastRedeemed: "Last redeemed",
  redeemedInWeek: "Redeemed in 7 days",
};

/** The columns that can be hidden: properties of `PromotionRow`. Name and actions are always shown. */
export const listColumns = {
  created: "Created",
  type: "Type",
  discountType: "Discount type",
  discount: "Discount/Free",
  expiration: "Expiration",
  oneTime: "One-time",
  renewable: "Renewable",
  used: "Used",
  usesLeft: "Uses left",
  status: "Status",
  ...optionalColumns,
} satisfies Record<FieldColumn["id"], string> & Record<string, string>;

/** A row of the list, every value as text. */
export type PromotionRow = PromotionView & { [Name in keyof typeof optionalColumns]?: string };
