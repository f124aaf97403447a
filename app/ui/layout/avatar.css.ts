import { globalStyle, style } from "@vanilla-extract/css";
import { color, radius, size, space } from "#styles/tokens.css";

export const avatar = style({
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: size.action,
  height: size.action,
  borderRadius: radius.full,
  background: color.tint,
  color: color.onTint,
});
export const large = style({ width: size.illustration, height: size.illustration });
globalStyle(`${large} > svg`, { width: size.action, height: size.action });

/** A card about somebody. */
export const person = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  gap: space.xl,
  maxWidth: size.form,
});
