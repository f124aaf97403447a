import { globalStyle, keyframes, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../styles/breakpoints";
import { stack } from "../../styles/mixins";
import { wrappingRow } from "#styles/global.css";
import { color, line, motion, radius, size, space, text } from "#styles/tokens.css";

/** Samples of different heights in columns, without holes between them. */
export const columns = style({
  columnGap: space.lg,
  columnWidth: size.popover,
  listStyle: "none",
});
globalStyle(`${columns} > *`, { breakInside: "avoid", marginBottom: space.lg });
/** Two samples beside each other. */
export const pair = style({
  ...stack(space.lg),
  alignItems: "start",
  "@media": { [media.medium]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" } },
});
/** Four beside each other from the medium width on; those of one row are equally high. */
export const tiles = style({
  ...stack(space.lg),
  listStyle: "none",
  "@media": {
    [media.notNarrow]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" },
    [media.medium]: { gridTemplateColumns: "repeat(4,minmax(0,1fr))" },
  },
});
globalStyle(`${tiles} > li`, { display: "grid" });
export const row = style([wrappingRow, { gap: space.md }]);
export const list = style({ display: "grid", gap: space.sm, listStyle: "none" });
export const intro = style({ marginBottom: space.lg });
export const section = style({ display: "grid", gap: space.md, marginBlock: space.lg });
/** A link that is high enough to be pressed. */
export const target = style({
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  minWidth: size.target,
  minHeight: size.target,
});
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
/** A form of one field and its button. */
export const searchLine = style([
  row,
  { alignItems: "end", gap: space.sm, marginBottom: space.md },
]);

export const picture = style({
  width: "100%",
  height: "auto",
  borderRadius: radius.control,
  background: color.sunken,
});
export const face = style({ borderRadius: radius.full });
/** The map of the world, whose picture leaves the sea out. */
export const sea = style([picture, { maxWidth: "1288px", background: color.infoBg }]);
/** Room for the map of the service. */
export const map = style({ minHeight: size.scrollRegion });
/** The picture of a row, which stands beside its name in a card. */
export const beforeName = style({});
globalStyle(`table tbody > tr > ${beforeName}`, { "@media": { [media.cards]: { order: 0 } } });
/** A picture above its name. */
export const imageChoice = style({
  display: "grid",
  justifyItems: "center",
  gap: space.xs,
  paddingBlock: space.xs,
  ...text.small,
});
globalStyle(`fieldset > div:has(${imageChoice})`, {
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.short}),1fr))`,
  gap: `${space.sm} ${space.xl}`,
});
export const filters = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.short}),1fr))`,
  alignItems: "end",
  gap: space.md,
});

export const textSize = styleVariants(text);
export const swatch = style({
  width: size.action,
  height: size.target,
  border: `${line.thin} ${color.control}`,
  borderRadius: space.xs,
  forcedColorAdjust: "none",
});
export const equal = style({
  display: "grid",
  gridTemplateColumns: "repeat(3,minmax(0,1fr))",
  gap: space.md,
});
/** 12, 4, 3 and 2 of twelve columns: one, three, four and six icons beside each other. */
export const icons = style({
  ...stack(space.lg),
  marginBlock: space.lg,
  listStyle: "none",
  "@media": {
    [media.notNarrow]: { gridTemplateColumns: "repeat(3,minmax(0,1fr))" },
    [media.medium]: { gridTemplateColumns: "repeat(4,minmax(0,1fr))" },
    [media.twoColumns]: { gridTemplateColumns: "repeat(6,minmax(0,1fr))" },
  },
});
globalStyle(`${icons} > li`, {
  display: "grid",
  justifyItems: "center",
  gap: space.xs,
  overflowWrap: "anywhere",
  textAlign: "center",
});
globalStyle(`${icons} svg`, { width: size.action, height: size.action, fill: "currentColor" });
export const chip = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.xs,
  minHeight: size.action,
  padding: `0 ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.full,
  textDecoration: "none",
  selectors: {
    "&[aria-current]": {
      borderColor: color.accent,
      background: color.tint,
      color: color.onTint,
    },
  },
});
export const expanding = style({
  width: size.short,
  transition: `width ${motion.fade}`,
  ":focus": { width: size.medium },
});

export const dot = style([target, { textDecoration: "none" }]);
/** The current picture as wide as its place, above its neighbours. */
export const slides = style([row]);
globalStyle(`${slides} > a`, { width: size.row });
globalStyle(`${slides} > a[aria-current]`, { order: -1, width: "100%" });

export const horizontal = style({ display: "grid", gap: space.lg });
globalStyle(`${horizontal} > div:has(> label)`, {
  "@media": {
    [media.medium]: { gridTemplateColumns: `${size.name} minmax(0,1fr)`, alignItems: "center" },
  },
});
globalStyle(`${horizontal} > div > p`, {
  "@media": { [media.medium]: { gridColumn: "2", gridRow: "2" } },
});

export const result = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr)",
  alignItems: "start",
  gap: space.lg,
});

/** A chart that grows with its card: its lines and letters stay as they are. */
export const plot = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr)",
  gap: space.sm,
  marginTop: space.lg,
  ...text.small,
  color: color.muted,
});
globalStyle(`${plot} > svg`, { width: "100%", height: size.menu, overflow: "visible" });
globalStyle(`${plot} path`, { fill: "none", vectorEffect: "non-scaling-stroke" });
export const plotSteps = style({
  display: "flex",
  flexDirection: "column",
  justifyContent: "space-between",
  marginBlock: `calc(-0.5 * ${size.iconSmall})`,
  textAlign: "end",
});
export const gridLine = style({ stroke: color.border });
export const drawnLine = style({ stroke: color.accent, strokeWidth: 2 });

const turn = keyframes({ to: { rotate: "1turn" } });
const slideOver = keyframes({
  from: { transform: "translateX(-100%)" },
  to: { transform: "translateX(300%)" },
});
export const circular = style({
  width: size.action,
  height: size.action,
  border: `4px solid ${color.accent}`,
  borderTopColor: "transparent",
  borderRadius: radius.full,
  animation: `${turn} 1.2s linear infinite`,
});
export const linear = style({
  height: space.xs,
  borderRadius: radius.full,
  background: color.sunken,
  overflow: "hidden",
  "::before": {
    content: "''",
    display: "block",
    width: "34%",
    height: "100%",
    background: color.accent,
    animation: `${slideOver} 1.8s linear infinite`,
  },
});
export const paused = style({
  animationPlayState: "paused",
  "::before": { animationPlayState: "paused" },
});

export const scrolling = style({
  display: "grid",
  gap: space.md,
  maxHeight: size.scrollRegion,
  paddingBlock: space.sm,
  borderBlock: `${line.thin} ${color.border}`,
  overflowY: "auto",
});
/** The title by which a widget is dragged. */
export const handle = style({ cursor: "grab" });
