const messages = {
  machine_unknown: "This machine is unknown.",
  unknown: "This code does not exist.",
  deleted: "This promotion is deleted.",
  inactive: "This promotion is inactive.",
  expired: "This promotion has expired.",
  used_up: "This code is used up.",
  not_assigned: "This promotion is not valid at this machine.",
};
export type RefusalReason = keyof typeof messages;

/** Refusal reasons in order of precedence: the first that holds applies. */
export const refusalReasons = Object.keys(messages) as RefusalReason[];

export function refusalMessage(reason: RefusalReason): string {
  return messages[reason];
}

/** The reasons in one or two words, for counts and filters. */
export const refusalLabels: Record<RefusalReason, string> = {
  machine_unknown: "Unknown machine",
  unknown: "Unknown code",
  deleted: "Deleted",
  inactive: "Inactive",
  expired: "Expired",
  used_up: "Used up",
  not_assigned: "Not assigned",
};
