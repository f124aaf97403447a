/** Refusal reasons in order of precedence: the first that holds applies. */
export const refusalReasons = [
  "machine_unknown",
  "unknown",
  "deleted",
  "inactive",
  "expired",
  "used_up",
  "not_assigned",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

const sentences: Record<RefusalReason, string> = {
  machine_unknown: "This machine is not known here.",
  unknown: "There is no such code.",
  deleted: "This promotion is deleted.",
  inactive: "This promotion is inactive.",
  expired: "This promotion has expired.",
  used_up: "This code is used up.",
  not_assigned: "This promotion is not valid at this machine.",
};

export function refusalMessage(reason: RefusalReason): string {
  return sentences[reason];
}
