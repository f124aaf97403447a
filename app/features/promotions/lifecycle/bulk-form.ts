import { parseDateInput } from "../../../forms/typed-date";
import { formValidator } from "../../../forms/form-validator";
import { formSchema } from "../../../forms/validator";
import { targetErrors } from "../../assignments/target-errors";
import { byField, type ChosenTargets, noTargets } from "../../assignments/targets";
import { dateError } from "../expiry-date";
import { singleFormFields } from "../form/promotion-forms";
import { needsTargets, type LifecycleAction } from "./bulk-actions";

export type BulkValues = { expirationDate: string | null } & ChosenTargets;

/** The button that does it; every other one only changes the form. */
export const applyIntent = "apply";

/** @param today YYYY-MM-DD in the site's zone */
export function bulkValidator(action: LifecycleAction, today: string) {
  const { expiration_date, machines, groups } = singleFormFields;
  const fields = { expiration_date, machines, groups };
  const schema = formSchema(
    fields,
    (posted: Posted) => bulkErrors(action, posted, today),
    (posted): BulkValues => ({
      expirationDate: action === "extend" ? parseDateInput(posted.expiration_date) : null,
      ...(needsTargets(action) ? byField(({ field }) => [...new Set(posted[field])]) : noTargets),
    }),
  );
  return formValidator(Object.keys(fields), schema, applyIntent);
}

type Posted = { expiration_date: string } & ChosenTargets;

function bulkErrors(
  action: LifecycleAction,
  { expiration_date, ...targets }: Posted,
  today: string,
) {
  if (action === "extend") {
    const isEmpty = expiration_date.trim() === "";
    return { expiration_date: isEmpty ? "Date is required" : dateError(expiration_date, today) };
  }
  if (!needsTargets(action)) return {};
  const isEmpty = targets.machines.length === 0 && targets.groups.length === 0;
  return isEmpty ? { machines: "Choose at least one machine or group" } : targetErrors(targets);
}
