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
    // Holds the panels, which never leave it.
    position: "relative",
    "@media": { [media.compact]: { columnGap: space.xs } },
  },
]);
export const search = style({
  flex: `1 1 ${size.short}`,
  // Has a line of its own.
  "@media": { [media.belowMedium]: { flexBasis: "100%" } },
});
globalStyle(`${search} > div`, { gap: 0 });
const anchor = "--group";
export const group = style({ anchorName: anchor, anchorScope: anchor } as object);
// The panel lies beneath its button, within the form; without anchors, and on phones, beneath the form.
const width = "--width";
globalStyle(`${group} > div`, {
  vars: { [width]: size.popover },
  top: `calc(100% + ${space.sm})`,
  insetInline: 0,
  "@media": {
    [media.notNarrow]: {
      top: `calc(anchor(${anchor} bottom) + ${space.sm})`,
      insetInlineStart: `min(anchor(${anchor} start),100% - var(${width}))`,
      width: `var(${width})`,
    },
  },
});
// Many fields have two columns.
globalStyle(`${group} > :has(> * > :nth-child(5))`, { vars: { [width]: size.form } });
export const fields = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.medium}),1fr))`,
  alignItems: "end",
  gap: space.md,
  padding: space.sm,
});
globalStyle(`${fields} > ul`, { gridColumn: "1 / -1" });
globalStyle(`${form} details > summary`, { gap: space.xs });
globalStyle(`${form} details > summary, ${form} > button`, {
  "@media": { [media.compact]: { paddingInline: space.sm, ...text.label } },
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

export const columns = style({
  display: "grid",
  gap: space.sm,
  width: `min(${size.popover},calc(100vw - ${size.short}))`,
  padding: space.sm,
});
// The button beneath them stays in a low window.
globalStyle(`${columns} > fieldset`, {
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.short}),1fr))`,
});
