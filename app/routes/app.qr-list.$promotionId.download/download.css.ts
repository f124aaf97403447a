import { style } from "@vanilla-extract/css";
import { family, size, space, text, weight } from "#styles/tokens.css";

export const figure = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: space.xl,
});
export const caption = style({ flex: "1", minWidth: size.short });
export const code = style({
  fontFamily: family.mono,
  fontWeight: weight.strong,
  ...text.heading,
});
