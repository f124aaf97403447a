import { style } from "@vanilla-extract/css";
import { color, size } from "#styles/tokens.css";

/** In the place of a control that there is no use for. */
export const unavailable = style({
  display: "inline-grid",
  placeItems: "center",
  width: size.action,
  height: size.action,
  color: color.muted,
  opacity: 0.4,
});
