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

/**
 * The body of `POST /api/redemptions`. Any text may stand for the code: what can't be one is a
 * refusal, no fault of the request.
 */
export const redemptionBody = {
  schema: z.strictObject({
    code: z.string(),
    serialNumber: z.string().check(z.refine(canBeSerial)),
    /** Cents. */
    originalPrice: z.int().check(z.minimum(0), z.maximum(1_000_000)),
    redemptionId: z.string().check(z.refine(isRedemptionId)),
  }),
  messages: {
    code: "Code must be text",
    serialNumber: "Serial number must be text of 1 to 100 characters",
    originalPrice: "Price must be a whole number of cents from 0 to 1,000,000",
    redemptionId: "Redemption id must be 1 to 100 visible ASCII characters without slashes",
  },
};

/** A request that was checked, with the code as it was typed or scanned. */
export type RedemptionRequest = z.infer<typeof redemptionBody.schema>;
