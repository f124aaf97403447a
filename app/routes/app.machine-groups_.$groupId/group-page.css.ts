import { style } from "@vanilla-extract/css";
import { color, line, size, space } from "#styles/tokens.css";

/** Actions on ticked rows, after the rows. */
export const bar = style({
  display: "grid",
  justifyItems: "start",
  gap: space.sm,
  padding: `${space.sm} ${space.lg}`,
  borderTop: `${line.thin} ${color.border}`,
});
/** Column of check boxes. */
export const box = style({ width: size.row });
export const list = style({ listStyle: "none", overflowWrap: "anywhere" });
