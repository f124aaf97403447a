/** Mass generations as the API reads them, in snake case. */
import * as z from "zod/mini";
import { noTargets } from "../assignments/targets";
import { invalidFields } from "../../errors";
import { dateInput, numberInput, sharedBody, sharedMessages } from "../promotions/promotion-api";
import {
  type NewMassGeneration,
  massFormErrors,
  toNewMassGeneration,
  type MassFormBounds,
} from "./mass-generation-forms";

/**
 * Body of `POST /api/generate_codes`. The platform decides a machine's name; the one that is sent is
 * ignored and may be left out with its object.
 */
export const generateCodesBody = {
  schema: z.strictObject({
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
  }),
  messages: {
    ...sharedMessages,
    name: "Name must be text",
    num_codes: "Number of codes must be a whole number",
    discount_value: "Discount must be a whole number",
    machines: "Machines must be a list of {serialNumber, humanName}",
  },
};

/** @throws DomainError invalid, with a message for each field */
export function toNewMassGenerationOfApi(
  body: z.infer<typeof generateCodesBody.schema>,
  bounds: MassFormBounds,
): NewMassGeneration {
  const { num_codes, discount_value, expiration_date, machines, ...rest } = body;
  const values = {
    ...noTargets,
    ...rest,
    num_codes: numberInput(num_codes),
    discount_value: numberInput(discount_value),
    expiration_date: dateInput(expiration_date),
    machines: machines.map((sent) => (typeof sent === "string" ? sent : sent.serialNumber)),
  };
  const errors = massFormErrors(values, bounds);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return toNewMassGeneration(values);
}
