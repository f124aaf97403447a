import * as z from "zod/mini";
import { formRule, rule, text, tick } from "../../../forms/fields";
import { formValidator } from "../../../forms/form-validator";
import { parseDateInput } from "../../../forms/date-input";
import { targetTexts } from "../../assignments/target-errors";
import { chosenFields, type ChosenTargets, noTargets } from "../../assignments/targets";
import { dateError } from "../expiry-date";
import { timesTexts, type TimesInput } from "../form/times-form";
import { needsTargets, type LifecycleAction } from "./bulk-actions";

export type BulkValues = {
  expirationDate: string | null;
  /** The fields as they are typed; null without any. */
  times?: (TimesInput & { changes_start: boolean; changes_hours: boolean }) | null;
} & ChosenTargets;

/** The button that does it; every other one only changes the form. */
export const applyIntent = "apply";

/** @param today YYYY-MM-DD in the site's zone */
export function bulkValidator(action: LifecycleAction, today: string) {
  const isExtension = action === "extend";
  const dayError = (input: string) => {
    if (!isExtension) return null;
    return input.trim() === "" ? "Date is required" : dateError(input, today);
  };
  const fields = z.object({
    expiration_date: text.check(rule(dayError)),
    changes_start: tick,
    changes_hours: tick,
    ...timesTexts,
    ...targetTexts,
  });
  return formValidator(
    z.pipe(
      fields.check(
        formRule("machines", ["machines", "groups"], (chosen) =>
          needsTargets(action) && chosenFields(chosen).length === 0
            ? "Choose at least one machine or group"
            : null,
        ),
        formRule("changes_start", [], ({ changes_start, changes_hours }) =>
          action === "reschedule" && !changes_start && !changes_hours
            ? "Choose what to change"
            : null,
        ),
        // Refuses typed values without their tick, rather than drop them.
        formRule("changes_start", [], ({ changes_start, changes_hours, starts_at }) =>
          changes_hours && !changes_start && starts_at.trim() !== ""
            ? "Tick this to change the start, or empty its field"
            : null,
        ),
        formRule("changes_hours", [], ({ changes_start, changes_hours, ...times }) => {
          const { hours_days, hours_from, hours_to, closed_on } = times;
          const typed = [...hours_days, ...hours_from, ...hours_to, closed_on].join("").trim();
          return changes_start && !changes_hours && typed !== ""
            ? "Tick this to change the hours, or empty their fields"
            : null;
        }),
      ),
      z.transform(({ expiration_date, machines, groups, ...times }): BulkValues => ({
        expirationDate: isExtension ? parseDateInput(expiration_date) : null,
        times: action === "reschedule" ? times : null,
        ...(needsTargets(action) ? { machines, groups } : noTargets),
      })),
    ),
    applyIntent,
  );
}
