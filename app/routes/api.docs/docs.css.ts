import { globalStyle, style } from "@vanilla-extract/css";
import { color, radius, size, space, text } from "#styles/tokens.css";

export const page = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.lg,
  maxWidth: `calc(${size.form} * 1.5)`,
  margin: "0 auto",
  padding: space.xl,
});
export const search = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "end",
  gap: space.sm,
});
globalStyle(`${search} > div`, { flex: "1 1 0" });
export const call = style({ overflowWrap: "anywhere" });
globalStyle(`${call} > summary`, {
  display: "list-item",
  minHeight: size.target,
  // The marker that other menus don't have: it shows that a call opens.
  listStyle: "disclosure-closed inside",
});
globalStyle(`${call}[open] > summary`, { listStyleType: "disclosure-open" });
globalStyle(`${call} > summary > span`, { display: "block" });
globalStyle(`${call}[open] > *`, { marginBottom: space.md });
export const code = style({
  overflowX: "auto",
  padding: space.md,
  background: color.sunken,
  borderRadius: radius.control,
  whiteSpace: "pre-wrap",
  ...text.label,
});
