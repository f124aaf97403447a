/** Refused attempts in relation to all (RULES D8). */
import { formatShare } from "../../format/number";
import {
  countRefused,
  refusalLabels,
  refusalReasons,
  type RefusalReason,
} from "../redemptions/refusal-reason";

/** Least number of attempts of which a rate says anything. */
export const minAttempts = 20;
export const maxRefusedPercent = 20;

/** Activity at a machine: redemptions that were not rolled back, and refusals by reason. */
export type Attempts = { redemptions: number; refused: Record<RefusalReason, number> };

/** Sums of attempts as figures and texts. */
export function toRefusalRate({ redemptions, refused }: Attempts) {
  const count = countRefused(refused);
  const attempts = redemptions + count;
  // The first of equal ones, in the order of precedence.
  const reason = refusalReasons.reduce((best, next) =>
    refused[next] > refused[best] ? next : best,
  );
  return {
    attempts,
    refused: count,
    rate: attempts === 0 ? "–" : formatShare(count, attempts),
    reason: count === 0 ? null : reason,
    reasonLabel: count === 0 ? "–" : refusalLabels[reason],
    isOften: attempts >= minAttempts && count * 100 > attempts * maxRefusedPercent,
  };
}
