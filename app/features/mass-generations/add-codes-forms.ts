/** The rules of the form that adds codes to a campaign, for browser and server alike. */
import * as z from "zod/mini";
import { wholeNumber } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";

/** @param max codes that the campaign may still get */
export function addCodesValidator(max: number) {
  return formValidator(z.object({ num_codes: wholeNumber("Number of codes", max) }));
}
