import { creatingForms, type CreatingForm } from "../../support/creating-forms";
import { button, fillOne, type FormCase } from "../lost-answers";
import { integrationForms } from "./integrations";
import { machineForms } from "./machines";
import { peopleForms } from "./people";
import { promotionForms } from "./promotions";

const lostCreation = ({ path, button: label, done, action }: CreatingForm): FormCase => ({
  async fill({ page, visit }, name) {
    await visit(path);
    // A list's search may have the same label.
    const input = page.locator('form[method="post"] [name="name"]');
    return fillOne(input, name, button(page, label));
  },
  done,
  countSql: `select count(*) from audit_log
    where action = '${action}' and details ->> 'name' = $1`,
});

/** Every form of the product, with what it comes to when its answer is lost. */
export const lostForms: Record<string, FormCase> = {
  ...Object.fromEntries(
    Object.entries(creatingForms).map(([name, form]) => [name, lostCreation(form)]),
  ),
  ...promotionForms,
  ...peopleForms,
  ...integrationForms,
  ...machineForms,
};
