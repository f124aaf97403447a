import { style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size, space } from "#styles/tokens.css";

/** Shows the time on paper alone: a page on the screen is as old as its visit. */
export const asOf = style({
  display: "none",
  "@media": { [media.print]: { display: "block", marginBottom: space.md } },
});

/** Short cards beside each other, where there is room. */
export const cards = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.popover}),1fr))`,
  gap: space.lg,
});
