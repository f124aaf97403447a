/** The body of a call that edits a promotion or a mass generation. */
import * as z from "zod/mini";
import { invalidFields } from "../../errors";
import { parseApiDate } from "../../features/promotions/expiry-date";
import { nameError } from "../../forms/storable-text";

export const editBody = {
  schema: z.strictObject({
    name: z.optional(z.string()),
    expiration_date: z.optional(z.nullable(z.string())),
    version: z.optional(z.int()),
  }),
  messages: {
    name: "Name must be text",
    expiration_date: "Invalid date",
    version: "version must be a whole number",
  },
};

/** @throws DomainError invalid */
export function readEdit({ name, expiration_date }: z.infer<typeof editBody.schema>) {
  const day = typeof expiration_date === "string" ? parseApiDate(expiration_date) : null;
  if (typeof expiration_date === "string" && day === null)
    throw invalidFields({ expiration_date: "Invalid date" });
  const error = name === undefined ? null : nameError(name.trim());
  if (error) throw invalidFields({ name: error });
  return { name: name?.trim() ?? null, day };
}
