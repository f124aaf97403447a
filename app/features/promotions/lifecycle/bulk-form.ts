import { parseDateInput } from "../../../forms/typed-date";
import { formSchema, formValidator } from "../../../forms/validator";
import { needsMachines, type BulkAction } from "./bulk-actions";
import { dateError } from "../expiry-date";
import { machinesError } from "../../assignments/targets";
import { singleFormFields } from "../form/promotion-forms";

export type BulkValues = { expirationDate: string | null; machines: string[] };

/** The button that does it; every other one only changes the form. */
export const applyIntent = "apply";

/** @param today YYYY-MM-DD in the site's zone */
export function bulkValidator(action: BulkAction, today: string) {
  const { expiration_date, machines } = singleFormFields;
  const schema = formSchema(
    { expiration_date, machines },
    (posted: Posted) => bulkErrors(action, posted, today),
    (posted): BulkValues => ({
      expirationDate: action === "extend" ? parseDateInput(posted.expiration_date) : null,
      machines: needsMachines(action) ? [...new Set(posted.machines)] : [],
    }),
  );
  return formValidator(["expiration_date", "machines"], schema, applyIntent);
}

type Posted = { expiration_date: string; machines: string[] };

function bulkErrors(action: BulkAction, { expiration_date, machines }: Posted, today: string) {
  if (action === "extend") {
    const isEmpty = expiration_date.trim() === "";
    return { expiration_date: isEmpty ? "Date is required" : dateError(expiration_date, today) };
  }
  if (!needsMachines(action)) return {};
  const isEmpty = machines.length === 0;
  return { machines: isEmpty ? "Choose at least one machine" : machinesError(machines) };
}
