/** Refusals: why an action leaves a code as it is. SQL and conditions name them by their codes. */
import { maxRefusalsShown, type Refusals } from "./bulk-actions";

/** `{It}` stands for the code or the campaign. */
const messages = {
  already_active: "{It} is already active",
  already_assigned: "{It} is already assigned to these",
  already_being_deactivated: "{It} is already being deactivated",
  already_deleted: "{It} is already deleted",
  already_expires_later: "{It} already expires on that day or later",
  already_has_name: "{It} already has this name",
  already_has_times: "{It} already has this start and these hours",
  already_inactive: "{It} is already inactive",
  deleted: "{It} is deleted",
  expires_before_start: "{It} expires before this start",
  has_no_expiration: "{It} has no expiration date",
  has_own_expiration: "{It} has its own expiration date",
  inactive_campaign: "Its campaign is inactive",
  changed_campaign: "Its campaign was changed in the meantime",
  not_assigned: "None of these is assigned to it directly",
  not_deleted: "{It} is not deleted",
  renewable: "A renewable code has no expiration date",
};

export type RefusalCode = keyof typeof messages;

/** A refusal, and the condition in SQL under which it holds. */
export type Refusal = [code: RefusalCode, condition: string];

/** @param subject names the code or the campaign */
export function describeRefusal(code: RefusalCode, subject = "It"): string {
  return messages[code].replace("{It}", subject);
}

/** Replaces codes by messages, as outcomes are stored: instances of another release may lack a code. */
export function describeRefusals({ reasons, shown }: Refusals<RefusalCode>): Refusals {
  const describe = (code: RefusalCode) => `${describeRefusal(code)}.`;
  return {
    reasons: reasons.map(({ reason, count }) => ({ reason: describe(reason), count })),
    shown: shown.map((code) => ({ ...code, reason: describe(code.reason) })),
  };
}

export function mergeRefusals(...parts: Refusals[]): Refusals {
  const counts = new Map<string, number>();
  for (const { reason, count } of parts.flatMap(({ reasons }) => reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  return {
    reasons: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count),
    shown: parts.flatMap(({ shown }) => shown).slice(0, maxRefusalsShown),
  };
}
