import { promotionFormValidator } from "../promotions/form/single-form";
import { massFormFields, massFormSchema, type MassFormBounds } from "./mass-generation-forms";

/** The form 'Mass Generation', in the browser and on the server. */
export function massFormValidator(bounds: MassFormBounds) {
  return promotionFormValidator(massFormFields, massFormSchema(bounds));
}
