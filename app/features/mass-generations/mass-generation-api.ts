/** Mass generations as the API reads them, in snake case. */
import * as z from "zod/mini";
import { machinesMessage, sentMachine } from "../machines/machines.server";
import { sentFields, sentPattern, sentRequiredNumber } from "../promotions/promotion-api";

/** A machine may also be its serial number alone. */
const anyMachine = z.union([z.string(), sentMachine], machinesMessage);

/** Body of `POST /api/generate_codes`, which `massFormSchema` checks. */
export const generateCodesBody = z.strictObject({
  ...sentFields,
  ...sentPattern,
  num_codes: sentRequiredNumber(
    "Number of codes must be at least 1",
    "Number of codes must be a whole number",
  ),
  machines: z.pipe(
    z._default(z.array(anyMachine, machinesMessage), []),
    z.transform((machines) =>
      machines.map((machine) => (typeof machine === "string" ? machine : machine.serialNumber)),
    ),
  ),
});

/** Body of `POST /api/mass_generation/{id}/add-codes`. The settings may allow fewer. */
export const addCodesBody = z.strictObject({
  num_codes: z
    .int("Number of codes must be a whole number")
    .check(z.minimum(1, "Number of codes must be at least 1")),
});
