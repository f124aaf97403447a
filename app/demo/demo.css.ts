import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../styles/breakpoints";
import { wrappingRow } from "#styles/global.css";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";

/** Cards beside each other, as many as there is room for. */
export const grid = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.popover}),1fr))`,
  gap: space.lg,
});
const columnsBase = style({ columnGap: space.lg });
globalStyle(`${columnsBase} > div`, { breakInside: "avoid", marginBottom: space.lg });
/** Cards of different heights in columns, without holes between them. */
export const columns = styleVariants({
  medium: [columnsBase, { columnWidth: size.popover }],
  narrow: [columnsBase, { columnWidth: size.name }],
});
/** Samples in a row. */
export const row = style([wrappingRow, { gap: space.md }]);
/** A link that is high enough to be pressed. */
export const target = style({
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  minWidth: size.target,
  minHeight: size.target,
});
/** Samples one beneath the other. */
export const stack = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.md,
  justifyItems: "start",
});
export const intro = style({ marginBottom: space.lg });
/** An icon before text that may wrap. */
export const iconLine = style({ display: "flex", alignItems: "baseline", gap: space.sm });
export const wide = style({ gridColumn: "1 / -1" });
/** A piece of code that shows how something is used. */
export const usage = style({
  margin: 0,
  padding: space.md,
  borderRadius: radius.control,
  background: color.sunken,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  ...text.small,
});

/** Four beside each other from the medium width on, as on the product grid. */
export const tiles = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.lg,
  listStyle: "none",
  "@media": {
    [media.notNarrow]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" },
    [media.medium]: { gridTemplateColumns: "repeat(4,minmax(0,1fr))" },
  },
});
// Cards of one row are equally high.
globalStyle(`${tiles} > li`, { display: "grid" });
export const picture = style({
  width: "100%",
  height: "auto",
  borderRadius: radius.control,
  background: color.sunken,
});
/** Ends the tools of a table, as far from the edge as its last column. */
export const edge = style({ "@media": { [media.notNarrow]: { marginInlineEnd: space.sm } } });
export const strong = style({ fontWeight: weight.strong });
/** A small mark at the corner of what it counts. */
export const corner = style({
  position: "relative",
  display: "inline-block",
  padding: `${space.sm} ${space.lg} 0 0`,
});
globalStyle(`${corner} > :last-child`, {
  position: "absolute",
  top: 0,
  insetInlineEnd: 0,
  minWidth: size.iconSmall,
  padding: `0 ${space.xs}`,
  borderRadius: radius.full,
  background: color.accent,
  color: color.onAccent,
  ...text.small,
  textAlign: "center",
});
export const chip = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.xs,
  minHeight: size.action,
  padding: `0 ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.full,
  textDecoration: "none",
});
export const search = style({ display: "grid", gap: space.xs, marginBottom: space.lg });
/** The picture of a row, which stands beside its name in a card. */
export const beforeName = style({});
globalStyle(`table tbody > tr > ${beforeName}`, { "@media": { [media.cards]: { order: 0 } } });
export const thumbnail = style({
  flex: "none",
  borderRadius: radius.control,
  background: color.sunken,
});
/** A thumbnail above its name. */
export const imageChoice = style({
  display: "grid",
  justifyItems: "center",
  gap: space.xs,
  paddingBlock: space.xs,
  ...text.small,
});
// The gap between choices is wider than the one between a radio button and its picture.
globalStyle(`fieldset > div:has(${imageChoice})`, {
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.short}),1fr))`,
  gap: `${space.sm} ${space.xl}`,
});
/** Links one beneath the other. */
export const links = style({ display: "grid", justifyItems: "start", listStyle: "none" });
globalStyle(`${links} a`, { display: "inline-flex", alignItems: "center", minHeight: size.target });
export const section = style({ display: "grid", gap: space.md, marginBlock: space.lg });
export const plainRow = style([row, { listStyle: "none" }]);
/** The name of a means of payment, in the place of its logo. */
export const payment = style({
  padding: `${space.xs} ${space.sm}`,
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  background: color.sunken,
  fontWeight: weight.strong,
});
export const filters = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.short}),1fr))`,
  alignItems: "end",
  gap: space.md,
});

/** The picture of a person. */
export const face = style({ borderRadius: radius.full });
