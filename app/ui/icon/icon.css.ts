import { style } from "@vanilla-extract/css";
import { size } from "#styles/tokens.css";

export const icon = style({
  width: size.icon,
  height: size.icon,
  flex: "none",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.6,
  strokeLinecap: "round",
  strokeLinejoin: "round",
});

export const smallIcon = style([icon, { width: size.iconSmall, height: size.iconSmall }]);
