import * as z from "zod/mini";
import { formRule, rule, text } from "../../../forms/fields";
import { formValidator } from "../../../forms/form-validator";
import { parseDateInput } from "../../../forms/typed-date";
import { targetTexts } from "../../assignments/target-errors";
import { type ChosenTargets, noTargets } from "../../assignments/targets";
import { dateError } from "../expiry-date";
import { needsTargets, type LifecycleAction } from "./bulk-actions";

export type BulkValues = { expirationDate: string | null } & ChosenTargets;

/** The button that does it; every other one only changes the form. */
export const applyIntent = "apply";

/** @param today YYYY-MM-DD in the site's zone */
export function bulkValidator(action: LifecycleAction, today: string) {
  const isExtension = action === "extend";
  const dayError = (input: string) => {
    if (!isExtension) return null;
    return input.trim() === "" ? "Date is required" : dateError(input, today);
  };
  const fields = z.object({ expiration_date: text.check(rule(dayError)), ...targetTexts });
  return formValidator(
    z.pipe(
      fields.check(
        formRule("machines", ["machines", "groups"], ({ machines, groups }) =>
          needsTargets(action) && machines.length === 0 && groups.length === 0
            ? "Choose at least one machine or group"
            : null,
        ),
      ),
      z.transform(({ expiration_date, ...targets }): BulkValues => ({
        expirationDate: isExtension ? parseDateInput(expiration_date) : null,
        ...(needsTargets(action) ? targets : noTargets),
      })),
    ),
    applyIntent,
  );
}
