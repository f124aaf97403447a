import type * as z from "zod/mini";
import { formValidator } from "../../../forms/validator";
import { singleFormFields, singleFormSchema } from "./promotion-forms";

/** The button that sends a creating form off; every other one only changes it. */
export const createIntent = "create";

/**
 * A form that creates promotions as remix-validated-form checks it, in the browser and on the
 * server.
 */
export function promotionFormValidator<Created>(fields: object, schema: z.ZodMiniType<Created>) {
  return formValidator(Object.keys(fields), schema, createIntent);
}

/**
 * The form 'Single QR Code'.
 * @param today YYYY-MM-DD in the site's zone
 */
export function singleFormValidator(today: string) {
  return promotionFormValidator(singleFormFields, singleFormSchema(today));
}
