/** Reads the cells of a printed code. */
import { fieldError, nameText, wholeNumber } from "../../forms/fields";
import { parseDateInput } from "../../forms/typed-date";
import { normaliseCode } from "../../forms/typed-code";
import { canBeSerial } from "../machines/machine";
import { splitEntries } from "../machines/machine-groups-forms";
import { dateError } from "../promotions/expiry-date";
import type { DiscountType } from "../promotions/promotion";

export type CodeRow = {
  code: string | null;
  name: string;
  discount_type: DiscountType | null;
  discount_value: number | null;
  is_single_use: boolean | null;
  last_day: string | null;
  machine_serials: string[];
  group_names: string[];
};

const nameRule = nameText();
const percentageRule = wholeNumber("Percentage", 100, "%");
const drinksRule = wholeNumber("Number of free drinks", 1_000);

/**
 * @param cell returns the text of a column; '' where the file has none
 * @param today YYYY-MM-DD in the site's zone
 */
export function readCodeRow(cell: (column: string) => string, today: string) {
  const code = normaliseCode(cell("code"));
  const terms = readTerms(cell("discount").trim(), cell("uses").trim().toLowerCase());
  const machines = listOf(cell("machines"));
  const expiration = cell("expiration");
  const row: CodeRow = {
    code,
    name: cell("name").trim(),
    ...("error" in terms ? noTerms : terms),
    last_day: parseDateInput(expiration),
    machine_serials: machines,
    group_names: listOf(cell("groups")),
  };
  const problems = [
    code === null && "Code must have 8 to 32 letters and digits",
    fieldError(nameRule, row.name),
    "error" in terms && terms.error,
    dateError(expiration, today),
    !machines.every(canBeSerial) && "A serial number is too long",
  ].filter(Boolean);
  return { row, problem: problems.length > 0 ? problems.join(". ") : null };
}

type Terms = Pick<CodeRow, "discount_type" | "discount_value" | "is_single_use">;

const noTerms: Terms = { discount_type: null, discount_value: null, is_single_use: null };

function readTerms(discount: string, uses: string): Terms | { error: string } {
  if (/^free[ _-]?drinks?$/i.test(discount)) {
    if (uses === "single")
      return { discount_type: "free_drink", discount_value: 1, is_single_use: true };
    if (!/^\d+$/.test(uses)) return { error: "Uses must be 'single' or the number of free drinks" };
    const error = fieldError(drinksRule, uses);
    if (error !== null) return { error };
    return { discount_type: "free_drink", discount_value: Number(uses), is_single_use: false };
  }
  const percentage = /^(\d+) ?%?$/.exec(discount)?.[1];
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

/** The entries in one order, so that equal terms are equal. */
function listOf(text: string): string[] {
  if (text === "") return [];
  const keyed = splitEntries(text, /[\r\n\t,;|]/).map((entry) => [entry.toLowerCase(), entry]);
  const ordered = keyed.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return [...new Set(ordered.map(([, entry]) => entry!))];
}
