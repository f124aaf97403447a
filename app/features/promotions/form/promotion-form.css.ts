import { style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

/** Limits the card to one column of fields. */
export const card = style({ maxWidth: `calc(${size.form} + 2 * ${space.lg})` });

const freeDrinks = 'form:has(input[name="discount_type"][value="free_drink"]:checked)';
const singleUse = ':has(input[name="is_single_use"]:checked)';
const renewable = 'form:has(input[name="is_renewable"]:checked)';

export const forPercentage = style({
  selectors: { [`${freeDrinks} &`]: { display: "none" } },
});
export const forFreeDrinks = style({
  display: "none",
  selectors: { [`${freeDrinks} &`]: { display: "inline" } },
});
export const forOneDrink = style({
  display: "none",
  selectors: { [`${freeDrinks}${singleUse} &`]: { display: "inline" } },
});
export const choices = style({ display: "grid", gap: space.sm });
/** Hides the date field while Renewable is on; its value is ignored then. */
export const expiry = style({
  selectors: { [`${renewable} &`]: { display: "none" } },
});
