/** The questions before a promotion of the list is deleted or restored. */
import type { Question } from "../../../forms/question";
import { formatCodes } from "../../../format/promotion";
import { paths } from "../../../paths";
import type { PromotionView } from "../promotion-view";

/** Names what a code is deleted or restored with: a code of a mass generation never goes alone. */
export function lifecycleNoun({ massGenerationId }: { massGenerationId: string | null }): string {
  return massGenerationId === null ? "Promotion" : "Mass Generation";
}

export function askDeletion({ id, name, code, numberOfCodes }: PromotionView): Question {
  const isGeneration = numberOfCodes !== null;
  const codes = formatCodes(numberOfCodes ?? 1);
  return {
    pageTitle: "Confirm deletion - QR List",
    title: isGeneration ? "Confirm deletion of mass generation" : "Confirm deletion",
    consequences: [
      isGeneration
        ? `The code ${code} belongs to the mass generation ‘${name}’ of ${codes}. All associated promotions are also marked deleted, and machines refuse them from then on.`
        : `‘${name}’ (${code}) is marked deleted. Machines refuse it from then on.`,
      "An admin can restore it.",
    ],
    verb: isGeneration ? `Delete ${codes}` : "Delete",
    pendingVerb: "Deleting...",
    isDangerous: true,
    closeTo: paths.qrList,
    returnFocusTo: `delete-${id}`,
    failure: `Error deleting ${isGeneration ? "mass generation" : "promotion"}`,
  };
}

export function askRestoring({ id, name, code, numberOfCodes }: PromotionView): Question {
  const isGeneration = numberOfCodes !== null;
  const codes = formatCodes(numberOfCodes ?? 1);
  return {
    pageTitle: "Confirm restoring - QR List",
    title: isGeneration ? "Restore the whole mass generation?" : "Restore the promotion?",
    consequences: [
      isGeneration
        ? `The code ${code} belongs to the mass generation ‘${name}’. All its ${codes} are restored, each as it was before.`
        : `‘${name}’ (${code}) is restored as it was before.`,
    ],
    verb: isGeneration ? `Restore ${codes}` : "Restore",
    pendingVerb: "Restoring...",
    isDangerous: false,
    closeTo: paths.qrList,
    returnFocusTo: `restore-${id}`,
    failure: "Error restoring promotion",
  };
}
