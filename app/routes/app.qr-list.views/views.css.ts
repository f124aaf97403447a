import { style } from "@vanilla-extract/css";
import { color, line, space } from "#styles/tokens.css";

export const view = style({
  display: "grid",
  justifyItems: "start",
  gap: space.sm,
  paddingBottom: space.lg,
  borderBottom: `${line.thin} ${color.border}`,
});
export const rename = style({ display: "grid", gap: space.xs, width: "100%" });
