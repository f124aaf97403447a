import { globalStyle, style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

export const gallery = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.menu}),1fr))`,
  gap: space.lg,
  listStyle: "none",
});
export const photo = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  justifyItems: "start",
  alignContent: "start",
  gap: space.sm,
});
export const name = style({ maxWidth: "100%", overflowWrap: "anywhere" });
globalStyle(`${name} > span`, { whiteSpace: "nowrap" });
