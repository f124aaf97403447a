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

/**
 * Describes the outcome of a request: what it changed, that nothing was left to do, or that somebody has reversed since
 * what its first attempt did.
 * @param state how the subject is afterwards
 */
export function describeOutcome(
  noun: Noun,
  { done, state = done }: { done: string; state?: string },
  { changed, isReversed = false }: { changed: boolean; isReversed?: boolean },
): { kind: "success" | "info"; text: string } {
  if (isReversed)
    return {
      kind: "info",
      text: `The first attempt ${done} this ${noun}. It was changed afterwards.`,
    };
  return changed
    ? { kind: "success", text: describeSuccess(noun, done) }
    : { kind: "info", text: alreadyDone(noun, state) };
}

/** The parts that say what is deleted. @param numCodes of a mass generation; null is a single code */
function deletionOf(name: string, numCodes: number | null) {
  const isMass = numCodes !== null;
  return {
    title: isMass ? "Confirm deletion of mass generation" : "Confirm deletion",
    question: `Delete "${name}"${isMass ? ` and its ${formatCodes(numCodes)}` : ""}?`,
    verb: `Delete ${isMass ? allCodes(numCodes) : "code"}`,
    pendingVerb: "Deleting...",
    isDangerous: true,
    failure: `Error deleting ${isMass ? "mass generation" : "promotion"}`,
  };
}

/** The same of what is restored. */
function restoringOf(name: string, numCodes: number | null) {
  const isMass = numCodes !== null;
  return {
    title: isMass ? "Confirm restore of campaign" : "Confirm restore",
    question: `Restore "${name}"${isMass ? ` and its ${formatCodes(numCodes)}` : ""}?`,
    verb: `Restore ${isMass ? formatCodes(numCodes) : "code"}`,
    pendingVerb: "Restoring...",
    isDangerous: false,
    failure: `Error restoring ${isMass ? "campaign" : "code"}`,
  };
}

const allDeleted =
  "All associated promotions are also marked deleted: machines will refuse them until an admin restores the campaign.";
const allRestored = "The codes are no longer deleted. All else stays as it is.";

export function askDeletion(view: PromotionView): Question {
  const { name, code, status, numberOfCodes } = view;
  const isAccepted = status === "active" || status === "scheduled";
  const singleDeleted = `${isAccepted ? `Machines will refuse the code ${code}` : `The code ${code} will be hidden`} until an admin restores it.`;
  const question = {
    ...deletionOf(name, numberOfCodes),
    consequences: [
      numberOfCodes === null
        ? singleDeleted
        : `The code ${code} belongs to this campaign. ${allDeleted}`,
    ],
    closeTo: paths.qrList,
    ...(status !== "inactive" && deactivation(view)),
  };
  return status === "deleted"
    ? answered(question, alreadyDone(lifecycleNoun(view), "deleted"))
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

export function askRestoring(view: PromotionView): Question {
  const { name, code, status, numberOfCodes } = view;
  const question = {
    ...restoringOf(name, numberOfCodes),
    consequences: [
      numberOfCodes === null
        ? `The code ${code} is no longer deleted. All else stays as it is.`
        : allRestored,
    ],
    closeTo: paths.qrList,
  };
  return status === "deleted"
    ? question
    : answered(question, alreadyDone(lifecycleNoun(view), "restored"));
}

type Generation = { id: string; name: string; numCodes: number; isDeleted: boolean };

export function askGenerationDeletion({ id, name, numCodes, isDeleted }: Generation): Question {
  const question = {
    ...deletionOf(name, numCodes),
    consequences: [allDeleted],
    closeTo: paths.generation(id),
    returnFocusTo: "retire",
  };
  return isDeleted ? answered(question, alreadyDone("campaign", "deleted")) : question;
}

export function askGenerationRestoring({ id, name, numCodes, isDeleted }: Generation): Question {
  const question = {
    ...restoringOf(name, numCodes),
    consequences: [allRestored],
    closeTo: paths.generation(id),
    returnFocusTo: "retire",
  };
  return isDeleted ? question : answered(question, alreadyDone("campaign", "restored"));
}
