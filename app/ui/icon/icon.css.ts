import { style } from "@vanilla-extract/css";
import { size } from "#styles/tokens.css";

export const iconRules = {
  width: size.icon,
  height: size.icon,
  flex: "none",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.6,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
export const icon = style(iconRules);

export const small = style({ width: size.iconSmall, height: size.iconSmall });
