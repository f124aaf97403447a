import { formatDate, formatDateTime } from "../../format/date";
import { formatNumber, formatShare } from "../../format/number";
import { formatCode, formatCodes, formatPlaces, formatUsesLeft } from "../../format/promotion";
import { defineList } from "../../lists/list";
import { paths } from "../../paths";
import { whyNobodyAccepts } from "../assignments/assigned";
import { codeFor } from "../sign-in/masked";
import type { Reader } from "../sign-in/user";
import { describeClosed, describeStart } from "../promotions/schedule";
import {
  describeCreation,
  noMachineYet,
  printedTerms,
  type Remedies,
  statusLabels,
  toFacts,
} from "../promotions/promotion-view";
import { countAdded, type AddedCodes } from "./added-codes";
import type {
  GenerationCodes,
  GenerationDetails,
  GenerationOutcome,
} from "./generation-details.server";
import type { MassGeneration } from "./mass-generation.server";

export function toGenerationView(generation: MassGeneration & GenerationOutcome, timeZone: string) {
  const { id, name, numCodes } = generation;
  return {
    id,
    name,
    status: generation.status,
    numCodes,
    /** '9,900 active', with the address of these codes in the list. */
    byStatus: generation.byStatus.map(({ status, codes }) => ({
      text: `${formatNumber(codes)} ${statusLabels[status].toLowerCase()}`,
      to: `${paths.generationCodes(id)}&status=${status}`,
    })),
    facts: toFacts(generation, timeZone),
    /** Says what can't be edited. */
    printed:
      printedTerms +
      (generation.expiresAt === null ? "" : " The expiration can only be moved to a later day."),
    /** Codes that the validity is not about. */
    ownExpirations:
      generation.ownExpirations > 0
        ? `${formatCodes(generation.ownExpirations)} with their own date`
        : null,
    created: describeCreation(generation, timeZone),
  };
}

/** Counts codes and redemptions, as figures of the generation's page. */
export function toGenerationFigures({ generation, used, uses, byStatus }: GenerationDetails) {
  const active = byStatus.find(({ status }) => status === "active")?.codes ?? 0;
  return [
    {
      name: "Codes used",
      value: formatNumber(used),
      note: formatShare(used, generation.numCodes),
    },
    { name: "Redemptions", value: formatNumber(uses) },
    { name: "Active codes", value: formatNumber(active) },
  ];
}

/**
 * Explains why no machine accepts a code of a generation now; null where one does.
 * @param remedies given where the page has the buttons; then the text ends with what to do
 */
export function generationProblem(
  { generation, ...details }: GenerationDetails,
  timeZone: string,
  remedies?: Remedies,
): string | null {
  const { isAdmin, canReactivate } = remedies ?? {};
  switch (details.status) {
    case "deleted":
      return `This campaign is deleted. Machines refuse its codes${isAdmin ? ". Restore it to use them again." : "; an admin can restore it."}`;
    case "inactive":
      return generation.isActive
        ? `All codes were deactivated. Machines refuse them${canReactivate ? ". Reactivate them to use them again." : "; an admin can reactivate them."}`
        : `This campaign was deactivated. Machines refuse its codes${canReactivate ? ". Reactivate it to use them again." : "; an admin can reactivate it."}`;
    case "expired":
      return `All codes have expired. Machines refuse them.${remedies ? " Extend the expiration to use them again." : ""}`;
    case "used_up":
      return generation.renewsAt
        ? `All uses of this month are used up. The codes renew on ${formatDate(generation.renewsAt, timeZone)}.`
        : `All codes are used up. Machines refuse them.${remedies ? " Duplicate the campaign, or add codes." : ""}`;
    case "not_assigned":
      return remedies
        ? noMachineYet(generation.numCodes)
        : "No machine is assigned, so no machine accepts its codes.";
    case "scheduled":
      return `This campaign starts on ${describeStart(generation.times, timeZone)}. Machines refuse its codes until then.`;
    case "active": {
      const why = whyNobodyAccepts(details);
      return why
        ? `${why}, so no machine accepts its codes.`
        : describeClosed(generation, timeZone);
    }
  }
}

/** Codes that were added together, by their time and their places in the archive. */
export function toAddedView(added: AddedCodes, timeZone: string) {
  return {
    id: added.id,
    when: formatDateTime(added.createdAt, timeZone),
    text: `${formatCodes(countAdded(added))}, ${formatPlaces(added)}`,
  };
}

/** A page of the codes as rows of their table. */
export function toCodesView(
  { rows: codes, ...paging }: GenerationCodes,
  total: number,
  reader: Reader,
) {
  const rows = codes.map(({ id, code, status, activationCount, remainingUses }) => ({
    id,
    code: formatCode(codeFor(reader, code)),
    status,
    used: formatNumber(activationCount),
    usesLeft: formatUsesLeft(remainingUses),
  }));
  return { rows, total, ...paging };
}

/** Codes have one order: that in which they were made, which is that of the archive. */
export const codeList = defineList({
  sorts: { made: "ascending" },
});
