import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { forcedCurrent, wrappingRow } from "#styles/global.css";

export const bar = style({ display: "grid", gap: space.sm, marginBottom: space.md });

export const form = style([
  wrappingRow,
  {
    alignItems: "start",
    gap: space.sm,
    "@media": { [media.narrow]: { columnGap: space.xs } },
  },
]);
export const search = style({ flex: `1 1 ${size.medium}` });
globalStyle(`${search} > div`, { gap: 0 });
export const group = style({
  position: "relative",
  // On phones the panel takes the width of the form.
  "@media": { [media.narrow]: { position: "static" } },
});
export const fields = style({
  display: "grid",
  gap: space.md,
  width: `min(${size.popover},100vw)`,
  padding: space.sm,
});
globalStyle(`${form} details > summary`, { gap: space.xs });
globalStyle(`${form} details > summary, ${form} > button`, {
  "@media": { [media.narrow]: { paddingInline: space.sm, ...text.label } },
});

export const list = style([
  wrappingRow,
  { gap: space.sm, ...text.label, color: color.muted, listStyle: "none" },
]);

export const chip = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.xs,
  minHeight: size.target,
  maxWidth: "100%",
  padding: `${space.xxs} ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.full,
  background: color.surface,
  color: color.text,
  overflowWrap: "anywhere",
  textDecoration: "none",
  selectors: {
    "&:hover": { background: color.bg },
    "&[aria-current]": { background: color.tint, borderColor: color.accent, color: color.onTint },
  },
});
globalStyle(`${chip}[aria-current]`, { "@media": forcedCurrent });
export const active = style([
  chip,
  {
    background: color.tint,
    borderColor: color.tint,
    color: color.onTint,
    fontWeight: weight.strong,
  },
]);

export const columns = style({ display: "grid", gap: space.sm, padding: space.sm });
