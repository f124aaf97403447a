import { formatDate } from "../../format/date";
import { whyNobodyAccepts } from "../assignments/assigned";
import { describeExpiry } from "./expiry-date";
import type { Promotion } from "./promotion";

/**
 * Explains the status of a promotion and its consequence at a machine (RULES S1, M1).
 * @param assigned the machines that it is assigned to directly, and the groups
 */
export function statusReason(
  promotion: Promotion,
  assigned: Parameters<typeof whyNobodyAccepts>[0],
  timeZone: string,
): string {
  const { status, expiresAt, renewsAt, massGenerationId } = promotion;
  switch (status) {
    case "deleted":
      return `This promotion is deleted${massGenerationId ? " with its mass generation" : ""}. Machines refuse it; an admin can restore it.`;
    case "inactive":
      return "It was deactivated. Machines refuse it; an admin can reactivate it.";
    case "expired":
      return `It was ${describeExpiry(expiresAt!, timeZone)}. Machines refuse it.`;
    case "used_up":
      return renewsAt
        ? `All uses of this month are taken. It renews on ${formatDate(renewsAt, timeZone)}.`
        : "All its uses are taken. Machines refuse it.";
    case "not_assigned":
      return "No machine is assigned, so no machine accepts it.";
    case "active": {
      const why = whyNobodyAccepts(assigned);
      return why ? `${why}, so no machine accepts it.` : "The assigned machines accept it.";
    }
  }
}
