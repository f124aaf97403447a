import * as z from "zod/mini";
import { isLongerThan, isStorableText } from "../../../forms/storable-text";
import { parseDateInput } from "../../../forms/typed-date";
import { formValidator } from "../../../forms/validator";
import { formatNumber } from "../../../format/number";
import { needsMachines, type BulkAction } from "./bulk-actions";
import { dateError } from "../expiry-date";
import { maxMachines } from "../../assignments/target-errors";
import { singleFormFields } from "../form/promotion-forms";

/** What an action needs to be told. */
export type BulkValues = { expirationDate: string | null; machines: string[] };

/** The button that does it; every other one only changes the form. */
export const applyIntent = "apply";

/**
 * The fields of an action as remix-validated-form checks them.
 * @param today YYYY-MM-DD in the site's zone
 */
export function bulkValidator(action: BulkAction, today: string) {
  const { expiration_date, machines } = singleFormFields;
  const schema = z.pipe(
    z.object({ expiration_date, machines }),
    z.transform((posted, context): BulkValues => {
      const [field, message] = fieldError(action, posted, today) ?? [];
      if (message !== undefined) {
        context.issues.push({ code: "custom", message, path: [field!], input: posted });
        return z.NEVER;
      }
      return {
        expirationDate: action === "extend" ? parseDateInput(posted.expiration_date) : null,
        machines: needsMachines(action) ? [...new Set(posted.machines)] : [],
      };
    }),
  );
  return formValidator(
    ["expiration_date", "machines", "machine_search", "intent", "_once", "expected"],
    schema,
    ({ intent }) => typeof intent === "string" && intent !== applyIntent,
  );
}

function fieldError(
  action: BulkAction,
  posted: { expiration_date: string; machines: string[] },
  today: string,
): [string, string] | null {
  if (action === "extend") {
    const typed = posted.expiration_date;
    const sentence = typed.trim() === "" ? "Date is required" : dateError(typed, today);
    return sentence ? ["expiration_date", sentence] : null;
  }
  if (!needsMachines(action)) return null;
  const { machines } = posted;
  if (machines.length === 0) return ["machines", "Choose at least one machine"];
  if (machines.length > maxMachines)
    return ["machines", `No more than ${formatNumber(maxMachines)} machines can be chosen`];
  const areValid = machines.every((serial) => isStorableText(serial) && !isLongerThan(serial, 100));
  return areValid ? null : ["machines", "A serial number is not valid"];
}
