import { style } from "@vanilla-extract/css";
import { color, family, line, radius, size, space, text } from "#styles/tokens.css";
import { formCard } from "../../ui/layout/layout.css";

export const card = style([formCard, { display: "grid", gap: space.lg }]);
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
