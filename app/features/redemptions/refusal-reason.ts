import { normaliseCode } from "../../forms/code-input";
import { formatCode } from "../../format/promotion";
import { type ReachableCap, reachedLabels } from "../caps/cap";
import { codeFor } from "../sign-in/masked";
import { canEdit, type Reader } from "../sign-in/user";

/** The sentences that machines and screens show. */
export const refusalMessages = {
  machine_unknown: "This machine is unknown.",
  unknown: "This code does not exist.",
  deleted: "This code is deleted.",
  inactive: "This code is inactive.",
  expired: "This code has expired.",
  used_up: "This code is used up.",
  not_assigned: "This code is not valid at this machine.",
  not_yet: "This code is not valid yet.",
  outside_hours: "This code is not valid at this time.",
  price_too_low: "The price is below the lowest one that this code is for.",
  cap_reached: "A cap of this campaign is reached.",
  throttled: "Too many codes that do not exist. Please wait.",
};
export type RefusalReason = keyof typeof refusalMessages;

/**
 * Refusal reasons in order of precedence: the first that holds applies. A throttled attempt stands apart: its
 * code was not judged, and its redemption id stays free.
 */
export const refusalReasons = Object.keys(refusalMessages) as RefusalReason[];

/** The reasons in a few words, as lists, counts and filters have them. */
export const refusalLabels: Record<RefusalReason, string> = {
  machine_unknown: "Unknown machine",
  unknown: "Unknown code",
  deleted: "Deleted",
  inactive: "Inactive",
  expired: "Expired",
  used_up: "Used up",
  not_assigned: "Not assigned",
  not_yet: "Before its start",
  outside_hours: "Outside its hours",
  price_too_low: "Price too low",
  cap_reached: "Cap reached",
  throttled: "Throttled",
};

/** Names the reason of an attempt, and the cap that it had reached: 'Cap reached: money in all'. */
export function describeRefusal(reason: RefusalReason, cap: ReachableCap | null): string {
  const label = refusalLabels[reason];
  return cap === null ? label : `${label}: ${reachedLabels[cap]}`;
}

export function countRefused(refused: Record<RefusalReason, number>): number {
  return refusalReasons.reduce((sum, reason) => sum + refused[reason], 0);
}

/** Shows what was asked for: a code with dashes, another text as it is; to viewers nothing of it, as it may be nearly a code. */
export function formatAttempted(text: string, reader: Reader): string {
  if (text === "") return "(empty)";
  if (normaliseCode(text) === text) return formatCode(codeFor(reader, text));
  return canEdit(reader) ? text : "••••";
}
