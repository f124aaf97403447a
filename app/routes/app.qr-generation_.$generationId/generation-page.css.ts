import { style } from "@vanilla-extract/css";
import { color, size, space, text, weight } from "#styles/tokens.css";

/** Four beside each other, two on a phone. */
export const figures = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.short}),1fr))`,
  gap: space.lg,
});
/** Small, behind a figure. */
export const note = style({ ...text.body, fontWeight: weight.strong, color: color.muted });
/** Short enough for one line of a phone's card. */
export const code = style(text.label);
