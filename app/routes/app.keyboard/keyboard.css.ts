import { style } from "@vanilla-extract/css";
import { color, family, line, radius, size, space, text } from "#styles/tokens.css";

export const card = style({
  display: "grid",
  gap: space.lg,
  maxWidth: `calc(${size.form} + 2 * ${space.lg})`,
});
export const key = style({
  display: "inline-block",
  minWidth: size.target,
  padding: `0 ${space.xs}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.control,
  fontFamily: family.mono,
  textAlign: "center",
  color: color.text,
  ...text.label,
});
