/** Test codes, which test keys alone redeem (RULES X). */
import { formatDateTime } from "../../format/date";
import { formatCents } from "../../format/money";
import { countOf } from "../../format/number";
import { formatCode, formatDiscount } from "../../format/promotion";
import type { SiteFormat } from "../../format/site";
import type { DiscountType } from "../promotions/promotion";
import { refusalLabels, type RefusalReason } from "../redemptions/refusal-reason";

export const testMachineSerial = "TEST-MACHINE";

/** Purposes of a test code: to be redeemed, or to be refused for a reason. */
export const testPurposes = {
  redeemable: "Redeemable",
  not_yet: "Starts in a year",
  expired: "Expired",
  inactive: "Inactive",
  used_up: "Used up",
  not_assigned: "Not assigned to the test machine",
  deleted: "Deleted",
};

export type TestPurpose = keyof typeof testPurposes;

export type TestCode = {
  id: string;
  code: string;
  discountType: DiscountType;
  discountValue: number;
  isSingleUse: boolean;
  purpose: TestPurpose;
  /** Accepted and not rolled back. */
  uses: number;
  /** Null is unlimited. */
  maxUses: number | null;
  createdAt: Date;
};

export type TestAttempt = {
  id: string;
  code: string;
  /** Cents. */
  originalPrice: number;
  outcome: "accepted" | RefusalReason;
  /** Cents; null for a refusal. */
  discount: number | null;
  isRolledBack: boolean;
  occurredAt: Date;
};

export type NewTestCode = Pick<
  TestCode,
  "discountType" | "discountValue" | "isSingleUse" | "purpose"
>;

export type TestCodeView = ReturnType<typeof toTestCodeView>;

export function toTestCodeView(testCode: TestCode, { timeZone }: Pick<SiteFormat, "timeZone">) {
  const { id, code, discountType, discountValue, purpose, uses, maxUses, createdAt } = testCode;
  return {
    id,
    code: formatCode(code),
    discount: formatDiscount(discountType, discountValue),
    purpose: testPurposes[purpose],
    uses: maxUses === null ? `${countOf(uses, "use")}, no limit` : `${uses} of ${maxUses} used`,
    created: formatDateTime(createdAt, timeZone),
  };
}

export type TestAttemptView = ReturnType<typeof toTestAttemptView>;

export function toTestAttemptView(
  attempt: TestAttempt,
  { timeZone, currency }: Pick<SiteFormat, "timeZone" | "currency">,
) {
  const { id, code, originalPrice, outcome, discount, isRolledBack, occurredAt } = attempt;
  const accepted = isRolledBack
    ? "Rolled back"
    : `Redeemed, ${formatCents(discount ?? 0, currency)} off`;
  return {
    id,
    occurred: formatDateTime(occurredAt, timeZone),
    code: formatCode(code),
    price: formatCents(originalPrice, currency),
    result: outcome === "accepted" ? accepted : refusalLabels[outcome],
  };
}
