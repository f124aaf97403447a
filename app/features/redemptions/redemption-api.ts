/** The request of a machine to redeem a code. */
import * as z from "zod/mini";
import { canBeSerial } from "../machines/machine";

/**
 * Whether it stands in an address as one step, percent-encoded or not, whatever lies in between:
 * slashes and dots would be taken for steps.
 */
export function isRedemptionId(text: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(text) && !/[/\\]|^\.\.?$/.test(text);
}

const serialMessage = "Serial number must be text of 1 to 100 characters";
const priceMessage = "Price must be a whole number of cents from 0 to 1,000,000";
const idMessage = "Redemption id must be 1 to 100 visible ASCII characters without slashes";

/**
 * The body of `POST /api/redemptions/check`. Any text may stand for the code: what can't be one is a
 * refusal, no fault of the request.
 */
export const checkBody = z.strictObject({
  code: z.string("Code must be text"),
  serialNumber: z.string(serialMessage).check(z.refine(canBeSerial, serialMessage)),
  /** Cents. */
  originalPrice: z
    .int(priceMessage)
    .check(z.minimum(0, priceMessage), z.maximum(1_000_000, priceMessage)),
});

/** The body of `POST /api/redemptions`. */
export const redemptionBody = z.extend(checkBody, {
  redemptionId: z.string(idMessage).check(z.refine(isRedemptionId, idMessage)),
});

/** A request that was checked, with the code as it was typed or scanned. */
export type RedemptionRequest = z.infer<typeof redemptionBody>;
export type RedemptionCheck = z.infer<typeof checkBody>;

/** The answer of `POST /api/redemptions/check` to a code that would be accepted; money in cents. */
export const redemptionCheckSchema = z.object({
  accepted: z.literal(true),
  originalPrice: z.int(),
  discount: z.int(),
  discountedPrice: z.int(),
  savings: z.int(),
  type: z.enum(["percentage", "free_drink"]),
});
