import { globalStyle, style } from "@vanilla-extract/css";
import { stack } from "../../../styles/mixins";
import { color, line, radius, size, space } from "#styles/tokens.css";

export const gallery = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.menu}),1fr))`,
  gap: space.lg,
  listStyle: "none",
});
export const photo = style({ ...stack(space.sm), justifyItems: "start", alignContent: "start" });
export const name = style({ maxWidth: "100%", overflowWrap: "anywhere" });
globalStyle(`${name} > span`, { whiteSpace: "nowrap" });

// The button of a file input looks like the others.
globalStyle("::file-selector-button", {
  marginInlineEnd: space.md,
  padding: `${space.none} ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.control,
  background: color.bg,
  color: color.text,
  font: "inherit",
  cursor: "pointer",
});
// The button and the name of the file stand in the middle.
globalStyle('input[type="file"]', { lineHeight: size.target });
