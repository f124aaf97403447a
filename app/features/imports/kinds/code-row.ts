/** Reads the cells of a printed code. */
import { fieldError, nameText, wholeNumber } from "../../../forms/fields";
import { parseDateInput } from "../../../forms/date-input";
import { normaliseCode } from "../../../forms/code-input";
import { dateError } from "../../promotions/expiry-date";
import type { ImportSteps, StoredRow } from "../import-steps.server";
import { groupNamesOf, joinErrors, listOf, nameIn, serialsError } from "./row-cells";

const nameRule = nameText();
const percentageRule = wholeNumber("Percentage", 100, "%");
const drinksRule = wholeNumber("Number of free drinks", 1_000);

export const readCodeRow: ImportSteps["readRow"] = (cell, today) => {
  const code = normaliseCode(cell("code"));
  const terms = readTerms(cell("discount").trim(), cell("uses").trim().toLowerCase());
  const machines = listOf(cell("machines"));
  const expiration = cell("expiration");
  const row = {
    code,
    name: nameIn(cell("name")),
    ...("error" in terms ? noTerms : terms),
    last_day: parseDateInput(expiration),
    machine_serials: machines,
    group_names: groupNamesOf(cell("groups")),
  };
  const error = joinErrors([
    code === null && "Code must have 8 to 32 letters and digits",
    fieldError(nameRule, row.name),
    "error" in terms && terms.error,
    dateError(expiration, today),
    serialsError(machines),
  ]);
  return { row, error };
};

type Terms = Pick<StoredRow, "discount_type" | "discount_value" | "is_single_use">;

const noTerms: Terms = { discount_type: null, discount_value: null, is_single_use: null };

function readTerms(discount: string, uses: string): Terms | { error: string } {
  if (/^free[\s_-]?drinks?$/i.test(discount)) {
    if (uses === "single")
      return { discount_type: "free_drink", discount_value: 1, is_single_use: true };
    if (!/^\d+$/.test(uses)) return { error: "Uses must be 'single' or the number of free drinks" };
    const error = fieldError(drinksRule, uses);
    if (error !== null) return { error };
    return { discount_type: "free_drink", discount_value: Number(uses), is_single_use: false };
  }
  const percentage = /^(\d+)\s?%?$/.exec(discount)?.[1];
  if (percentage === undefined)
    return { error: "Discount must be a percentage, such as 20%, or 'free drink'" };
  const error = fieldError(percentageRule, percentage);
  if (error !== null) return { error };
  if (uses !== "single" && uses !== "unlimited")
    return { error: "Uses must be 'single' or 'unlimited'" };
  return {
    discount_type: "percentage",
    discount_value: Number(percentage),
    is_single_use: uses === "single",
  };
}
