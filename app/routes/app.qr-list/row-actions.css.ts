import { style } from "@vanilla-extract/css";
import { color, size } from "#styles/tokens.css";

/** Placeholder of a control that does not apply. */
export const unavailable = style({
  display: "inline-grid",
  placeItems: "center",
  width: size.action,
  height: size.action,
  color: color.muted,
  opacity: 0.4,
});
