import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { stack } from "../../../styles/mixins";
import { color, line, radius, size, space } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";

/** The form, and beside it what comes of it. */
export const screen = style({
  ...stack(space.lg),
  alignItems: "start",
  "@media": {
    [media.medium]: { gridTemplateColumns: "minmax(0,1fr) minmax(0,1fr)" },
  },
});
export const options = style({ minWidth: 0 });
export const outcome = style({ display: "grid", gap: space.lg, minWidth: 0 });
export const part = style({ display: "grid", gap: space.md });

/** Fields that the chosen labels don't have; shown by a browser without :has(). */
export const form = style({});
export const onlyGrid = style({});
export const onlySingle = style({});
export const onlySheets = style({});
const unless = (format: string) => `${form}:has(option:checked:not([value="${format}"]))`;
globalStyle(`${unless("grid")} ${onlyGrid}`, { display: "none" });
globalStyle(`${unless("single")} ${onlySingle}`, { display: "none" });
// Formats of single labels are named by their sizes, such as 57x32.
globalStyle(`${form}:has(option:is([value*="x"], [value="single"]):checked) ${onlySheets}`, {
  display: "none",
});

/** Fields of one kind of labels. */
export const own = style({ display: "grid", gap: space.lg, marginTop: space.sm });

/** Short fields side by side. */
export const numbers = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.menu}),1fr))`,
  gap: space.lg,
});

const sheetBase = style({
  height: "auto",
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  // Paper is white in every theme.
  background: "white",
  forcedColorAdjust: "none",
});
export const sheet = styleVariants({
  upright: [sheetBase, { width: size.dialog }],
  lying: [sheetBase, { width: size.scrollRegion }],
});

export const parts = style({ display: "grid", gap: space.sm, listStyle: "none" });
export const filePart = style([wrappingRow, { gap: `${space.xs} ${space.md}` }]);
