import { creatingFormValidator } from "../promotions/single-form";
import { massFormFields, massFormSchema, type MassFormBounds } from "./mass-generation-forms";

/** The form 'Mass Generation', in the browser and on the server. */
export function massFormValidator(bounds: MassFormBounds) {
  return creatingFormValidator(massFormFields, massFormSchema(bounds));
}
