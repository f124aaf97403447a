import { style } from "@vanilla-extract/css";
import { color, line, space } from "#styles/tokens.css";

export const footer = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: `${space.sm} ${space.lg}`,
  padding: `${space.sm} ${space.lg}`,
  borderTop: `${line.thin} ${color.border}`,
  color: color.muted,
});
/** At the left of tools or footer. */
export const range = style({ marginInlineEnd: "auto" });
export const pager = style({ display: "flex", gap: space.sm });
export const rowsForm = style([pager, { alignItems: "center" }]);
export const rowsSelect = style({ width: "auto" });
