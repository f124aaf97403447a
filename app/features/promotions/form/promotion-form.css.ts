import { globalStyle, style } from "@vanilla-extract/css";
import { wrappingRow } from "#styles/global.css";
import { media } from "../../../../styles/breakpoints";
import { stack } from "../../../../styles/mixins";
import { size, space } from "#styles/tokens.css";
import { formCard } from "../../../ui/layout/layout.css";

/** One column of fields; with room for it, the machines are beside them. */
export const card = style([formCard, { "@media": { [media.twoColumns]: { maxWidth: "none" } } }]);
globalStyle(`${card} > form`, { "@media": { [media.twoColumns]: { maxWidth: "none" } } });
const part = { ...stack(space.lg), alignContent: "start" };
export const columns = style({
  ...part,
  "@media": {
    [media.twoColumns]: {
      gridTemplateColumns: "minmax(0,9fr) minmax(0,11fr)",
      gridTemplateRows: "auto 1fr",
      gap: `${space.lg} ${space.xl}`,
    },
  },
});
export const column = style(part);
/** Beside the fields and the buttons below them, which so fit one window. */
export const machines = style([
  part,
  { "@media": { [media.twoColumns]: { gridRow: "1 / span 2", gridColumn: 2 } } },
]);
/** A name takes what a short field beside it leaves. */
export const nameAndNumber = style({
  display: "grid",
  alignItems: "start",
  gap: space.lg,
  "@media": { [media.notNarrow]: { gridTemplateColumns: `minmax(0,1fr) ${size.menu}` } },
});
/** Fields beside each other; the message of the last one wraps beneath it. */
export const beside = style({
  display: "grid",
  gap: `${space.lg} ${space.xl}`,
  "@media": { [media.notNarrow]: { gridTemplateColumns: "auto minmax(0,1fr)" } },
});

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
/** Folded fields are beside each other, unfolded ones beneath. */
export const folded = style([wrappingRow, { gap: `${space.lg} ${space.xl}` }]);
globalStyle(`${folded} > [open]`, { flexBasis: "100%" });
