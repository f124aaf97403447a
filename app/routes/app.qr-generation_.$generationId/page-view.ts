import type {
  GenerationDetails,
  GenerationCodes,
} from "../../features/mass-generations/list-mass-generations.server";
import { toGenerationView } from "../../features/mass-generations/mass-generation-view";
import { toAssignedView } from "../../features/assignments/assigned-machines";
import { whyNobodyAccepts } from "../../features/assignments/targets";
import { promotionStatuses } from "../../features/promotions/promotion";
import { statusLabels } from "../../features/promotions/promotion-view";
import { formatNumber } from "../../format/number";
import { formatCode, formatUsesLeft } from "../../format/promotion";

/** @param timeZone the site's IANA zone */
export function toPageView(
  details: GenerationDetails,
  { codes, ...paging }: GenerationCodes,
  timeZone: string,
) {
  const { generation, outcome } = details;
  const { byStatus } = outcome;
  const view = toGenerationView(generation, outcome.used, timeZone);
  return {
    generation: view,
    reason: reasonOf(details, view.validity),
    figures: [
      { name: "Codes", value: formatNumber(generation.numCodes), note: "" },
      { name: "Used", value: formatNumber(outcome.used), note: view.usedShare },
      { name: "Still usable", value: formatNumber(byStatus.active), note: "" },
      { name: "Deleted", value: formatNumber(byStatus.deleted), note: "" },
    ],
    uses: formatNumber(outcome.uses),
    byStatus: promotionStatuses
      .filter((status) => byStatus[status] > 0)
      .reverse()
      .map((status) => `${formatNumber(byStatus[status])} ${statusLabels[status].toLowerCase()}`)
      .join(", "),
    assigned: toAssignedView(details),
    codes: {
      rows: codes.map((code) => ({
        id: code.id,
        code: formatCode(code.code),
        status: code.status,
        used: formatNumber(code.activationCount),
        usesLeft: formatUsesLeft(code.remainingUses),
      })),
      total: generation.numCodes,
      ...paging,
    },
  };
}

/** Explains the status and its consequence at a machine. */
function reasonOf(details: GenerationDetails, validity: string): string {
  switch (details.generation.status) {
    case "deleted":
      return "Machines refuse its codes; an admin can restore it.";
    case "expired":
      return `It was ${validity}. Machines refuse its codes.`;
    case "not_assigned":
      return "No machine is assigned, so no machine accepts its codes.";
    case "active": {
      const why = whyNobodyAccepts(details);
      return why
        ? `${why}, so no machine accepts its codes.`
        : "The assigned machines accept its codes.";
    }
  }
}
