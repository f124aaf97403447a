/** The questions before promotions are deleted or restored. */
import type { Question } from "../../../forms/question";
import { formatCodes } from "../../../format/promotion";
import { paths } from "../../../paths";
import type { PromotionView } from "../promotion-view";

/** Names what a code is deleted or restored with: a code of a mass generation never goes alone. */
export function lifecycleNoun({ massGenerationId }: { massGenerationId: string | null }): string {
  return massGenerationId === null ? "Promotion" : "Mass Generation";
}

export function askDeletion({ id, name, code, numberOfCodes }: PromotionView): Question {
  const codes = numberOfCodes === null ? null : formatCodes(numberOfCodes);
  return {
    pageTitle: "Confirm deletion - QR List",
    title: codes ? "Confirm deletion of mass generation" : "Confirm deletion",
    consequences: [
      codes
        ? `The code ${code} belongs to the mass generation ‘${name}’ of ${codes}. All associated promotions are also marked deleted, and machines refuse them from then on.`
        : `‘${name}’ (${code}) is marked deleted. Machines refuse it from then on.`,
      "An admin can restore it.",
    ],
    verb: codes ? `Delete ${codes}` : "Delete",
    pendingVerb: "Deleting...",
    isDangerous: true,
    closeTo: paths.qrList,
    returnFocusTo: `delete-${id}`,
    failure: `Error deleting ${codes ? "mass generation" : "promotion"}`,
  };
}

export function askRestoring(promotion: PromotionView): Question {
  const { id, name, code, numberOfCodes } = promotion;
  const codes = numberOfCodes === null ? null : formatCodes(numberOfCodes);
  return {
    ...askDeletion(promotion),
    pageTitle: "Confirm restoring - QR List",
    title: codes ? "Restore the whole mass generation?" : "Restore the promotion?",
    consequences: [
      codes
        ? `The code ${code} belongs to the mass generation ‘${name}’. All its ${codes} are restored, each as it was before.`
        : `‘${name}’ (${code}) is restored as it was before.`,
    ],
    verb: codes ? `Restore ${codes}` : "Restore",
    pendingVerb: "Restoring...",
    isDangerous: false,
    returnFocusTo: `restore-${id}`,
    failure: "Error restoring promotion",
  };
}

type Generation = { id: string; name: string; numCodes: number };

export function askGenerationDeletion({ id, name, numCodes }: Generation): Question {
  const codes = formatCodes(numCodes);
  return {
    pageTitle: "Confirm deletion of mass generation - QR Generation",
    title: "Confirm deletion of mass generation",
    consequences: [
      `The mass generation ‘${name}’ of ${codes} is marked deleted. All associated promotions are also marked deleted, and machines refuse them from then on.`,
      "An admin can restore it.",
    ],
    verb: `Delete ${codes}`,
    pendingVerb: "Deleting...",
    isDangerous: true,
    closeTo: paths.generation(id),
    returnFocusTo: "retire",
    failure: "Error deleting mass generation",
  };
}

export function askGenerationRestoring(generation: Generation): Question {
  const codes = formatCodes(generation.numCodes);
  return {
    ...askGenerationDeletion(generation),
    pageTitle: "Confirm restoring - QR Generation",
    title: "Restore the whole mass generation?",
    consequences: [
      `All ${codes} of the mass generation ‘${generation.name}’ are restored, each as it was before.`,
    ],
    verb: `Restore ${codes}`,
    pendingVerb: "Restoring...",
    isDangerous: false,
    failure: "Error restoring mass generation",
  };
}
