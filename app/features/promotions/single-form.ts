import { formValidator } from "../../forms/validator";
import { singleFormFields, singleFormSchema } from "./promotion-forms";

/** The button that sends the form off; every other one only changes it. */
export const createIntent = "create";

/**
 * The form 'Single QR Code' as remix-validated-form checks it, in the browser and on the server.
 * @param today YYYY-MM-DD in the site's zone
 */
export function singleFormValidator(today: string) {
  return formValidator(
    [...Object.keys(singleFormFields), "_once", "intent", "machine_search"],
    singleFormSchema(today),
    ({ intent }) => typeof intent === "string" && intent !== createIntent,
  );
}
