import { globalStyle, style } from "@vanilla-extract/css";
import { color, radius, size, space } from "#styles/tokens.css";
import { card } from "../layout/layout.css";

export const empty = style([
  card,
  {
    display: "grid",
    justifyItems: "center",
    gap: space.md,
    padding: `${space.xxl} ${space.lg}`,
    textAlign: "center",
  },
]);
globalStyle(`${card} > ${empty}`, { border: 0, boxShadow: "none" });
export const emptyIcon = style({
  display: "grid",
  placeItems: "center",
  width: size.row,
  height: size.row,
  borderRadius: radius.full,
  background: color.sunken,
  color: color.muted,
});
