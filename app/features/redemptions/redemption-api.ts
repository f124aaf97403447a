/** The request of a machine to redeem a code. */
import * as z from "zod/mini";
import { DomainError } from "../../errors";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import type { RedemptionRequest } from "./redeem.server";

const maxPrice = 1_000_000;

const sentences: Record<keyof RedemptionRequest, string> = {
  code: "Code must be text",
  serialNumber: "Serial number must be text of 1 to 100 characters",
  originalPrice: "Price must be a whole number of cents from 0 to 1,000,000",
  redemptionId: "Redemption id must be 1 to 100 visible ASCII characters without slashes",
};

/**
 * Whether it stands in an address as one step, percent-encoded or not, whatever lies in between:
 * slashes and dots would be taken for steps.
 */
export function isRedemptionId(text: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(text) && !/[/\\]|^\.\.?$/.test(text);
}

const isSerialNumber = (text: string) =>
  text !== "" && !isLongerThan(text, 100) && isStorableText(text);

const redemptionBody = z.strictObject({
  code: z.string(),
  serialNumber: z.string().check(z.refine(isSerialNumber)),
  originalPrice: z.int().check(z.minimum(0), z.maximum(maxPrice)),
  redemptionId: z.string().check(z.refine(isRedemptionId)),
});

/**
 * The body of `POST /api/redemptions`. Any text may stand for the code: what can't be one is a
 * refusal, no fault of the request.
 * @throws DomainError invalid, with a sentence for each field
 */
export function parseRedemption(body: unknown): RedemptionRequest {
  const parsed = redemptionBody.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, 5))
        fields.set(key.slice(0, 100), "This field is not known");
    } else {
      const field = String(issue.path[0]) as keyof RedemptionRequest;
      fields.set(field, sentences[field]);
    }
  }
  const [first = ""] = fields.values();
  throw new DomainError("invalid", first, Object.fromEntries(fields));
}
