import { style } from "@vanilla-extract/css";
import { color, family, line, radius, size, space, text, weight } from "#styles/tokens.css";

export const figure = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: space.xl,
});
export const caption = style({ flex: "1", minWidth: size.short });
export const image = style({
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  // A reader needs dark on light, whatever the theme or the system's colours.
  background: "white",
  forcedColorAdjust: "none",
  imageRendering: "pixelated",
});
export const code = style({
  fontFamily: family.mono,
  fontWeight: weight.strong,
  ...text.heading,
});
