import { globalStyle, style } from "@vanilla-extract/css";
import { color, line, space } from "#styles/tokens.css";

export const views = style({ display: "grid", gap: space.lg, listStyle: "none" });
globalStyle(`${views} > li`, {
  display: "grid",
  justifyItems: "start",
  gap: space.sm,
  paddingBottom: space.lg,
  borderBottom: `${line.thin} ${color.border}`,
  overflowWrap: "anywhere",
});
export const rename = style({ display: "grid", gap: space.xs, width: "100%" });
