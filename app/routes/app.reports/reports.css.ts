import { style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

/** Short cards beside each other, where there is room. */
export const cards = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.popover}),1fr))`,
  gap: space.lg,
});
