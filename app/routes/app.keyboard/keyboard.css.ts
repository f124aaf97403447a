import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, family, line, radius, size, space, text } from "#styles/tokens.css";
import { formCard } from "../../ui/layout/layout.css";

export const card = style([formCard, { display: "grid", gap: space.lg }]);
// Both lists share their columns. Keys stand beside what they do, also on a phone.
globalStyle(`${card} > dl`, {
  gridTemplateColumns: `${size.short} minmax(0,1fr)`,
  "@media": {
    [media.narrow]: { gridTemplateColumns: "max-content minmax(0,1fr)", columnGap: space.md },
  },
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
