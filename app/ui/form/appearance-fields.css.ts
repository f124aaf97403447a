import { style } from "@vanilla-extract/css";
import { color, radius, size } from "#styles/tokens.css";

export const swatch = style({
  width: size.iconSmall,
  height: size.iconSmall,
  borderRadius: radius.full,
  background: color.accent,
  forcedColorAdjust: "none",
});
