import { formatDate, formatDateTime } from "../../format/date";
import { countOf, formatNumber, formatShare } from "../../format/number";
import { formatCode, formatCodes, formatDiscount, formatUsesLeft } from "../../format/promotion";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import { type Assigned, effectiveLabel, whyNobodyAccepts } from "../assignments/assigned";
import { formatExpiry } from "./expiry-date";
import { describeClosed, describeSchedule, describeStart, toCampaignTimes } from "./schedule";
import type { Campaign, Promotion, PromotionStatus } from "./promotion";
import { byColumn, promotionFields, type CsvColumn } from "./promotion-fields";

export const statusLabels: Record<PromotionStatus, string> = {
  deleted: "Deleted",
  inactive: "Inactive",
  expired: "Expired",
  used_up: "Used up",
  not_assigned: "Not assigned",
  scheduled: "Scheduled",
  active: "Active",
};

/** A promotion as a row of the list shows it, every value as text. */
export type PromotionView = ReturnType<typeof toPromotionView>;

export function toPromotionView(promotion: Promotion, timeZone: string, reader: Reader) {
  const { campaign } = promotion;
  const uses = campaign
    ? describeUses(campaign, promotion.numberOfCodes!)
    : {
        used: formatNumber(promotion.activationCount),
        usesLeft: formatUsesLeft(promotion.remainingUses),
      };
  return {
    id: promotion.id,
    name: promotion.name,
    code: campaign
      ? formatCodes(promotion.numberOfCodes!)
      : formatCode(codeFor(reader, promotion.code)),
    massGenerationId: promotion.massGenerationId,
    numberOfCodes: promotion.numberOfCodes,
    created: formatDate(promotion.createdAt, timeZone),
    isNew: promotion.isNew,
    type: promotion.massGenerationId ? "Mass Gen" : "Single",
    ...byColumn(({ text }) => text(promotion, timeZone)),
    ...uses,
    status: promotion.status,
    statusNote: noteOn(promotion),
    /** The row stands for a whole mass generation. */
    isGeneration: campaign !== undefined,
  };
}

/** Says why a deleted code has no 'Delete', as readable text as well as in the tooltip of its icon. */
export const deletedNote = "This promotion is deleted";

/** Says beneath the status that a code is deleted, or why an active one is refused now. */
function noteOn({ status, times, isCapReached }: Promotion): string | null {
  if (status === "deleted") return deletedNote;
  if (status !== "active") return null;
  if (times?.isOpen === false) return "Outside its hours";
  return isCapReached ? "Cap reached" : null;
}

function describeUses(
  { used, isCapped, left }: NonNullable<Promotion["campaign"]>,
  numberOfCodes: number,
) {
  const codesLeft = left === null ? formatUsesLeft(null) : formatCodes(left);
  return isCapped
    ? {
        used: `${formatNumber(used)}+`,
        usesLeft: left === null ? codesLeft : `Under ${codesLeft}`,
      }
    : { used: `${formatNumber(used)} (${formatShare(used, numberOfCodes)})`, usesLeft: codesLeft };
}

/** Says what stays as it is printed (RULES P4). */
export const printedTerms = "Code, discount and kind of use are printed and can't be changed.";

/** How often a code was used and still can be, as figures of its page. */
export function toUseFigures(promotion: Promotion) {
  const { discountType, discountValue, isSingleUse, remainingUses, renewsAt } = promotion;
  const drinks = discountType === "free_drink" && !isSingleUse ? discountValue : 1;
  const left = formatUsesLeft(remainingUses);
  return [
    { name: "Used", value: formatNumber(promotion.activationCount) },
    {
      name: renewsAt ? "Left this month" : "Uses left",
      value: drinks > 1 ? `${left} of ${formatNumber(drinks)}` : left,
    },
  ];
}

export function csvColumns(timeZone: string, reader: Reader): CsvColumn[] {
  return [
    ["ID", ({ id }) => id],
    ["Code", ({ code }) => formatCode(codeFor(reader, code))],
    ...campaignColumns(timeZone),
    ["Used", ({ activationCount }) => activationCount],
    ["Uses left", ({ remainingUses }) => remainingUses ?? formatUsesLeft(null)],
    ["Status", ({ status }) => statusLabels[status]],
  ];
}

/** Counts codes in every row, so that the numbers of single codes and mass generations add up. */
export function campaignCsvColumns(timeZone: string, reader: Reader): CsvColumn[] {
  return [
    ["Code", ({ code, campaign }) => (campaign ? null : formatCode(codeFor(reader, code)))],
    ...campaignColumns(timeZone),
    ["Number of codes", ({ numberOfCodes }) => numberOfCodes ?? 1],
    [
      "Used codes",
      ({ campaign, activationCount }) => campaign?.used ?? Math.min(1, activationCount),
    ],
    ["Codes left", (row) => codesLeft(row) ?? formatUsesLeft(null)],
    ["Status", ({ status }) => statusLabels[status]],
    ["Created by", ({ campaign }) => campaign?.createdBy ?? null],
  ];
}

/** Codes with uses left; null is 'Unlimited'. */
function codesLeft({ campaign, remainingUses }: Promotion): number | null {
  if (campaign) return campaign.left;
  return remainingUses === null ? null : Math.min(1, remainingUses);
}

function campaignColumns(timeZone: string): CsvColumn[] {
  const { name, discount_type, discount_value, ...others } = promotionFields;
  return [
    ...name.csv(),
    ["Type", ({ massGenerationId }) => (massGenerationId ? "Mass Gen" : "Single")],
    ["Campaign number", ({ massGenerationId }) => massGenerationId],
    ...discount_type.csv(),
    ...discount_value.csv(),
    ["Created (ISO, UTC)", ({ createdIso }) => createdIso],
    [`Created (${timeZone})`, ({ createdLocal }) => createdLocal],
    ...Object.values(others).flatMap(({ csv }): CsvColumn[] => csv(timeZone)),
  ];
}

/** Describes what the page of a promotion, or of a mass generation, says about its fields, by headings. */
export function toFacts(campaign: Campaign, timeZone: string): Record<string, string> {
  return {
    Discount: describeDiscount(campaign),
    "One-time": campaign.isSingleUse ? "Yes" : "No",
    Renewable: describeRenewal(campaign.renewsAt, timeZone),
    Start: describeStart(campaign.times, timeZone),
    Hours: describeSchedule(toCampaignTimes(campaign.times).schedule, timeZone),
    Expiration: describeValidity(campaign.expiresAt, timeZone),
  };
}

/** Describes what a code gives: '25% off', '5 free drinks a month'. */
export function describeDiscount({
  discountType,
  discountValue,
  isRenewable,
}: Pick<Campaign, "discountType" | "discountValue" | "isRenewable">): string {
  if (discountType === "percentage") return `${formatDiscount(discountType, discountValue)} off`;
  return `${countOf(discountValue, "free drink")}${isRenewable ? " a month" : ""}`;
}

/** Describes the renewal: 'On the first day of each month, next on 01.12.2026', or 'No'. */
export function describeRenewal(renewsAt: Date | null, timeZone: string): string {
  return renewsAt
    ? `On the first day of each month, next on ${formatDate(renewsAt, timeZone)}`
    : "No";
}

/** @param expiresAt exclusive, or YYYY-MM-DD of the last day */
export function describeValidity(expiresAt: Date | string | null, timeZone: string): string {
  return expiresAt ? `valid until ${formatExpiry(expiresAt, timeZone)}` : "None";
}

/** Says when a campaign was created, and by whom, unless that user was deleted. */
export function describeCreation(
  { createdAt, createdBy }: { createdAt: Date; createdBy: string | null },
  timeZone: string,
): string {
  return formatDateTime(createdAt, timeZone) + (createdBy ? ` by ${createdBy}` : "");
}

/** Says that codes are not to be printed yet: 'No machine accepts these 200 codes yet. ...' */
export function noMachineYet(codes: number): string {
  const these = codes === 1 ? "this code" : `these ${formatCodes(codes)}`;
  return `No machine accepts ${these} yet. Assign machines first.`;
}

/** Returns true if nothing but a machine is missing for codes to be redeemed. */
export function isMachineMissing(
  status: PromotionStatus,
  { effective }: Pick<Assigned, "effective">,
): boolean {
  return status === "not_assigned" || (status === "active" && effective.count === 0);
}

/** Actions that the reader may take about a status on the page that shows it. */
export type Remedies = { isAdmin: boolean; canReactivate: boolean };

/**
 * Explains the status of a promotion and its consequence at a machine (RULES S1, M1).
 * @param remedies given where the page has the buttons; then the text ends with what to press
 */
export function statusReason(
  promotion: Promotion,
  details: Parameters<typeof whyNobodyAccepts>[0] &
    Pick<Assigned, "effective"> & { isGenerationActive: boolean },
  timeZone: string,
  remedies?: Remedies,
): string {
  const { status, expiresAt, renewsAt, massGenerationId } = promotion;
  switch (status) {
    case "deleted":
      return `This code is deleted${massGenerationId ? " with its campaign" : ""}. ${remedies?.isAdmin ? "Machines refuse it. Restore it to use it again." : "Machines refuse it; an admin can restore it."}`;
    case "inactive":
      if (!details.isGenerationActive)
        return "The campaign of this code was deactivated. Machines refuse its codes until an admin reactivates it.";
      return `This code was deactivated. ${remedies?.canReactivate ? "Machines refuse it. Reactivate it to use it again." : "Machines refuse it; an admin can reactivate it."}`;
    case "expired":
      return `This code was valid until ${formatExpiry(expiresAt!, timeZone)}. Machines refuse it.${remedies ? " Edit the expiration to use it again." : ""}`;
    case "used_up":
      return renewsAt
        ? `All uses of this month are used up. This code renews on ${formatDate(renewsAt, timeZone)}.`
        : `All its uses are gone. Machines refuse it.${remedies ? " Duplicate it for a new code." : ""}`;
    case "not_assigned":
      return remedies ? noMachineYet(1) : "No machine is assigned, so no machine accepts it.";
    case "scheduled":
      return `This code starts on ${describeStart(promotion.times, timeZone)}. Machines refuse it until then.${remedies ? ` ${massGenerationId === null ? "Edit the start" : "Change the start of its campaign"} to use it now.` : ""}`;
    case "active": {
      const why = whyNobodyAccepts(details);
      if (why) return `${why}, so no machine accepts it.`;
      return [`${effectiveLabel(details, true)}.`, describeClosed(promotion, timeZone)]
        .filter(Boolean)
        .join(" ");
    }
  }
}
