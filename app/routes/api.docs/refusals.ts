/** Answers of a redemption that are no 201, for the table of the guide. */
import {
  refusalMessages,
  refusalReasons,
  type RefusalReason,
} from "../../features/redemptions/refusal-reason";

/** A text for the display of a machine, in at most 40 characters, and the cause. */
const refusals: Record<RefusalReason, [display: string, cause: string]> = {
  machine_unknown: [
    "Machine not in service for codes.",
    "No machine has this serial number, or it is marked as deleted. Tell the operator.",
  ],
  unknown: ["Code not found. Please check it.", "No code has this text."],
  deleted: ["This offer has ended.", "The campaign was deleted."],
  inactive: ["This offer is not available now.", "The campaign was deactivated."],
  expired: ["This code has expired.", "Its last valid day is over."],
  used_up: [
    "This code has been used.",
    "No use is left; a renewable code gets its uses back on the first day of the next month.",
  ],
  not_assigned: [
    "This code is not valid here.",
    "The campaign is not assigned to this machine, nor to a group that it is in.",
  ],
  not_yet: ["This code is not valid yet.", "The start of the campaign lies ahead."],
  outside_hours: [
    "This code is not valid at this time.",
    "It is not one of the hours of the campaign, or a day on which it is closed.",
  ],
  price_too_low: [
    "Choose a more expensive product.",
    "The price is below the lowest one of the campaign's caps.",
  ],
  cap_reached: [
    "This offer is not available now.",
    "A cap of the campaign is reached; `cap` says which: `uses`, `uses_per_day`, `uses_per_machine_and_day`, `money` or, for a free drink, `highest_discount`.",
  ],
  throttled: [
    "Please wait a moment and try again.",
    "Too many codes that do not exist. Nothing was decided: wait for `Retry-After` seconds.",
  ],
};

/** Rows: status and reason, the text for people that the answer has, the display, the cause. */
export const refusalRows = refusalReasons.map((reason) => {
  const [display, cause] = refusals[reason];
  const name = reason === "throttled" ? "429" : `422 \`${reason}\``;
  return [name, refusalMessages[reason], display, cause];
});
