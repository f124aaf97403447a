import { style } from "@vanilla-extract/css";
import { size, space, weight } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";

export const view = style([
  wrappingRow,
  { justifyContent: "space-between", gap: `${space.xs} ${space.lg}` },
]);
export const name = style({
  flex: `1 1 ${size.short}`,
  fontWeight: weight.strong,
  overflowWrap: "anywhere",
});
