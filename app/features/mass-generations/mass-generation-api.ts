/** Mass generations as the API speaks of them: snake_case of core §3, §7. */
import * as z from "zod/mini";
import {
  asTyped,
  bodyErrors,
  dateAsTyped,
  invalidFields,
  sharedBody,
  sharedMessages,
} from "../promotions/promotion-api";
import type { NewMassGeneration } from "./mass-generation";
import { massFormErrors, toNewMassGeneration, type MassFormBounds } from "./mass-generation-forms";

const sentences: Record<string, string> = {
  ...sharedMessages,
  name: "Name must be text",
  num_codes: "Number of codes must be a whole number",
  discount_value: "Discount must be a whole number",
  machines: "Machines must be a list of {serialNumber, humanName}",
};

const generateCodesBody = z.strictObject({
  ...sharedBody,
  name: z._default(z.string(), ""),
  num_codes: z._default(z.nullable(z.number()), null),
  discount_value: z._default(z.nullable(z.number()), null),
  machines: z._default(
    z.array(
      z.union([
        z.string(),
        z.strictObject({ serialNumber: z.string(), humanName: z.optional(z.string()) }),
      ]),
    ),
    [],
  ),
});

/**
 * The body of `POST /api/generate_codes` (core §3). A machine's name is what the platform says; the
 * one that is sent counts for nothing, and may be left out with its object.
 * @throws DomainError invalid, with a sentence for each field
 */
export function parseGenerateCodes(body: unknown, bounds: MassFormBounds): NewMassGeneration {
  const parsed = generateCodesBody.safeParse(body);
  if (!parsed.success) throw invalidFields(bodyErrors(parsed.error.issues, sentences));
  const { num_codes, discount_value, expiration_date, machines, ...rest } = parsed.data;
  const values = {
    ...rest,
    num_codes: asTyped(num_codes),
    discount_value: asTyped(discount_value),
    expiration_date: dateAsTyped(expiration_date),
    groups: [],
    machines: machines.map((sent) => (typeof sent === "string" ? sent : sent.serialNumber)),
  };
  const errors = massFormErrors(values, bounds);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return toNewMassGeneration(values);
}
