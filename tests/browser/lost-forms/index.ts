import type { FormCase } from "../lost-answers";
import { integrationForms } from "./integrations";
import { machineForms } from "./machines";
import { peopleForms } from "./people";
import { promotionForms } from "./promotions";

/** Every form of the product, with what it comes to when its answer is lost. */
export const lostForms: Record<string, FormCase> = {
  ...promotionForms,
  ...peopleForms,
  ...integrationForms,
  ...machineForms,
};
