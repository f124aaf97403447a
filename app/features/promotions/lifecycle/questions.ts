/** The questions before promotions are deleted or restored. */
import { answered, type Question } from "../../../forms/question";
import { allCodes, formatCodes } from "../../../format/promotion";
import { paths } from "../../../paths";
import type { PromotionView } from "../promotion-view";

type Noun = "code" | "campaign";

/** Names what a code is deleted or restored with: a code of a mass generation never goes alone. */
export function lifecycleNoun({ massGenerationId }: { massGenerationId: string | null }): Noun {
  return massGenerationId === null ? "code" : "campaign";
}

const specifiedMessages: Record<string, string> = {
  "code deactivated": "Promotion successfully deactivated",
  "code deleted": "Promotion successfully deleted",
  "campaign deleted": "Mass Generation successfully deleted",
};

/** Says what succeeded, in the words of the specification where it has some. */
export function describeSuccess(noun: Noun, done: string): string {
  const subject = noun === "code" ? "Code" : "Campaign";
  return specifiedMessages[`${noun} ${done}`] ?? `${subject} successfully ${done}`;
}

/** Says that a repeated request has nothing left to do. */
export function alreadyDone(noun: string, done: string): string {
  return `This ${noun} is already ${done}.`;
}

export function askDeletion(view: PromotionView): Question {
  const { name, code, status, ...promotion } = view;
  const codes = promotion.numberOfCodes === null ? null : formatCodes(promotion.numberOfCodes);
  const question = {
    pageTitle: "Confirm deletion - QR List",
    title: codes ? "Confirm deletion of mass generation" : "Confirm deletion",
    question: codes ? deletionOf(name, codes) : `Delete "${name}"?`,
    consequences: [
      codes
        ? `The code ${code} belongs to this campaign. ${allDeleted}`
        : status === "active" || status === "scheduled"
          ? `Machines will refuse the code ${code} until an admin restores it.`
          : `The code ${code} will be hidden until an admin restores it.`,
    ],
    verb: deletionVerb(promotion.numberOfCodes),
    pendingVerb: "Deleting...",
    isDangerous: true,
    closeTo: paths.qrList,
    ...(status !== "inactive" && deactivation(view)),
    failure: `Error deleting ${codes ? "mass generation" : "promotion"}`,
  };
  return status === "deleted"
    ? answered(question, alreadyDone(lifecycleNoun(promotion), "deleted"))
    : question;
}

/** Offers the milder way for a code that would be deleted with all others of its mass generation. */
function deactivation({ id, massGenerationId, numberOfCodes }: PromotionView) {
  if (massGenerationId === null || numberOfCodes === null || numberOfCodes < 2) return null;
  return {
    alternative: {
      text: "To keep the codes in the list, deactivate instead.",
      button: {
        label: "Deactivate only this code",
        pendingLabel: "Deactivating...",
        action: paths.promotionDeactivation(id),
      },
      link: {
        label: `Deactivate ${allCodes(numberOfCodes)}`,
        to: paths.codesDeactivation(massGenerationId),
      },
    },
  };
}

/** 'Delete all 1,000 codes'; null is a single code. */
function deletionVerb(numCodes: number | null): string {
  return `Delete ${numCodes === null ? "code" : allCodes(numCodes)}`;
}

const deletionOf = (name: string, codes: string) => `Delete "${name}" and its ${codes}?`;
const restoringOf = (name: string, codes: string) => `Restore "${name}" and its ${codes}?`;
const allDeleted =
  "All associated promotions are also marked deleted: machines will refuse them until an admin restores the campaign.";
const allRestored = "The codes are no longer deleted. All else stays as it is.";

export function askRestoring(promotion: PromotionView): Question {
  const { name, code, status, numberOfCodes } = promotion;
  const codes = numberOfCodes === null ? null : formatCodes(numberOfCodes);
  const question = {
    ...askDeletion(promotion),
    alternative: undefined,
    pageTitle: "Confirm restore - QR List",
    title: codes ? "Confirm restore of campaign" : "Confirm restore",
    question: codes ? restoringOf(name, codes) : `Restore "${name}"?`,
    consequences: [
      codes ? allRestored : `The code ${code} is no longer deleted. All else stays as it is.`,
    ],
    verb: `Restore ${codes ?? "code"}`,
    pendingVerb: "Restoring...",
    isDangerous: false,
    failure: "Error restoring code",
  };
  return status === "deleted"
    ? question
    : answered(question, alreadyDone(lifecycleNoun(promotion), "restored"));
}

type Generation = { id: string; name: string; numCodes: number; isDeleted: boolean };

export function askGenerationDeletion({ id, name, numCodes, isDeleted }: Generation): Question {
  const codes = formatCodes(numCodes);
  const question = {
    pageTitle: "Confirm deletion of mass generation - QR Generation",
    title: "Confirm deletion of mass generation",
    question: deletionOf(name, codes),
    consequences: [allDeleted],
    verb: deletionVerb(numCodes),
    pendingVerb: "Deleting...",
    isDangerous: true,
    closeTo: paths.generation(id),
    returnFocusTo: "retire",
    failure: "Error deleting mass generation",
  };
  return isDeleted ? answered(question, alreadyDone("campaign", "deleted")) : question;
}

export function askGenerationRestoring(generation: Generation): Question {
  const codes = formatCodes(generation.numCodes);
  const question = {
    ...askGenerationDeletion(generation),
    pageTitle: "Confirm restore - QR Generation",
    title: "Confirm restore of campaign",
    question: restoringOf(generation.name, codes),
    consequences: [allRestored],
    verb: `Restore ${codes}`,
    pendingVerb: "Restoring...",
    isDangerous: false,
    failure: "Error restoring campaign",
  };
  return generation.isDeleted ? question : answered(question, alreadyDone("campaign", "restored"));
}
