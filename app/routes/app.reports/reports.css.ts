import { style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size, space } from "#styles/tokens.css";

/** Shows time and filters on paper alone: on the screen the page is as old as its visit, and filters have their bar. */
export const onPaper = style({
  display: "none",
  "@media": { [media.print]: { display: "block", marginBottom: space.md } },
});

/** Short cards beside each other, where there is room. */
export const cards = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.popover}),1fr))`,
  gap: space.lg,
});
