import { globalStyle, keyframes, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { picture, row } from "../demo.css";

export const heading = styleVariants({
  h1: { ...text.figure, fontWeight: weight.title },
  h2: { ...text.title, fontWeight: weight.title },
  h3: { ...text.titleNarrow, fontWeight: weight.title },
  h4: { ...text.heading, fontWeight: weight.title },
  h5: { ...text.body, fontWeight: weight.strong },
  h6: { ...text.label, fontWeight: weight.strong },
});
export const tone = styleVariants({
  text: { color: color.text },
  muted: { color: color.muted },
  accent: { color: color.onTint },
  success: { color: color.success },
  warning: { color: color.warning },
  danger: { color: color.danger },
  info: { color: color.info },
});
export const setting = styleVariants({
  cursive: { fontStyle: "italic" },
  uppercase: { textTransform: "uppercase" },
  lowercase: { textTransform: "lowercase" },
  light: { fontWeight: weight.normal },
  medium: { fontWeight: weight.medium },
  bold: { fontWeight: weight.title },
});
export const textSize = styleVariants({
  SM: text.small,
  MD: text.body,
  LG: text.heading,
  XL: text.title,
  XXL: text.figure,
});
const swatchBase = style({
  display: "inline-block",
  width: size.action,
  height: size.target,
  border: `${line.thin} ${color.control}`,
  borderRadius: space.xs,
  forcedColorAdjust: "none",
});
export const swatch = styleVariants({
  accent: [swatchBase, { background: color.accent }],
  success: [swatchBase, { background: color.success }],
  warning: [swatchBase, { background: color.warning }],
  danger: [swatchBase, { background: color.danger }],
  info: [swatchBase, { background: color.info }],
  neutral: [swatchBase, { background: color.neutral }],
  text: [swatchBase, { background: color.text }],
  muted: [swatchBase, { background: color.muted }],
  onAccent: [swatchBase, { background: color.onAccent }],
});
export const cell = style({
  padding: space.md,
  borderRadius: radius.control,
  background: color.tint,
  color: color.onTint,
  textAlign: "center",
});
export const equal = style({
  display: "grid",
  gridTemplateColumns: "repeat(3,minmax(0,1fr))",
  gap: space.md,
});
const tall = style({ display: "flex", gap: space.md, minHeight: size.cell });
export const alignItems = styleVariants({
  start: [tall, { alignItems: "flex-start" }],
  center: [tall, { alignItems: "center" }],
  end: [tall, { alignItems: "flex-end" }],
});
const flexRow = style({ display: "flex", flexWrap: "wrap", gap: space.md });
export const justify = styleVariants({
  start: [flexRow, { justifyContent: "flex-start" }],
  center: [flexRow, { justifyContent: "center" }],
  end: [flexRow, { justifyContent: "flex-end" }],
  "space between": [flexRow, { justifyContent: "space-between" }],
});
export const sort = style({ display: "inline-flex", alignItems: "center", minHeight: size.target });
export const horizontal = style({ display: "grid", gap: space.lg });
globalStyle(`${horizontal} > div:not(:last-child)`, {
  "@media": {
    [media.medium]: {
      gridTemplateColumns: `${size.name} minmax(0,1fr)`,
      alignItems: "center",
    },
  },
});
export const addons = style({ display: "flex", alignItems: "center", gap: space.sm });
globalStyle(`${addons} > input`, { flex: 1, minWidth: 0 });
export const addon = style({ color: color.muted, fontWeight: weight.strong });
globalStyle(`${horizontal} > div > p`, {
  "@media": { [media.medium]: { gridColumn: "2", gridRow: "2" } },
});

/** Two cards beside each other. */
export const pair = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.lg,
  "@media": { [media.medium]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" } },
});
// A picture that is much wider than it was drawn for has letters that are too large.
globalStyle(`${pair} figure > div`, { width: "100%", maxWidth: size.dialog, marginInline: "auto" });
/** Measures the width of the chart that follows. */
export const barPictures = style({ containerType: "inline-size" });
/** Pictures above the bars of a chart, with the insets of its plot. */
export const aboveBars = style({
  display: "grid",
  gridTemplateColumns: "repeat(3,minmax(0,1fr))",
  justifyItems: "center",
  paddingInline: "5.2% 3.1%",
  "@container": {
    "(max-width: 459.98px)": { paddingInline: "10.3% 6.3%" },
    "(min-width: 860px)": { paddingInline: "3.1% 1.9%" },
  },
});
globalStyle(`${aboveBars} > img`, {
  maxWidth: "90%",
  height: "auto",
  borderRadius: radius.control,
});
export const timeline = style({
  display: "grid",
  gap: space.lg,
  listStyle: "none",
  "@media": { [media.medium]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" } },
});
// Posts stand at the left and at the right by turns.
globalStyle(`${timeline} > li:nth-child(even)`, {
  "@media": { [media.medium]: { marginTop: size.row } },
});
export const likes = style([row, { alignItems: "flex-start", marginBlock: space.sm }]);
globalStyle(`${likes} > details[open]`, { flexBasis: "100%" });
globalStyle(`${likes} > details > form`, { marginBlock: `${space.sm} 0` });
globalStyle(`${likes} summary`, { listStyle: "none" });
export const aside = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  alignItems: "start",
  gap: space.lg,
  "@media": { [media.medium]: { gridTemplateColumns: `${size.menu} minmax(0,1fr)` } },
});
globalStyle(`${aside} ul`, { listStyle: "none" });
globalStyle(`${aside} li > a`, {
  display: "inline-flex",
  alignItems: "center",
  minHeight: size.target,
});
globalStyle(`${aside} li > a[aria-current]`, { fontWeight: weight.strong });
export const result = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr) auto",
  alignItems: "start",
  gap: space.lg,
  "@media": { [media.narrow]: { gridTemplateColumns: "auto minmax(0,1fr)", rowGap: space.sm } },
});
// The price of a result stands beneath its text on phones.
globalStyle(`${result} > :last-child`, { "@media": { [media.narrow]: { gridColumn: "2" } } });
export const invoice = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.lg,
});
/** The items of an invoice: on phones without their numbers, and with quantity and price beneath the item. */
export const items = style({ width: "100%", borderCollapse: "collapse" });
const onPhones = (rules: object) => ({ "@media": { [media.narrow]: rules } });
globalStyle(`${items} :is(th, td)`, {
  padding: `${space.sm} ${space.lg} ${space.sm} 0`,
  borderBottom: `${line.thin} ${color.border}`,
  textAlign: "start",
  verticalAlign: "top",
});
export const figure = style({});
globalStyle(`${items} .${figure}`, { textAlign: "end", whiteSpace: "nowrap" });
export const quantity = style([figure]);
export const total = style([figure]);
globalStyle(`${items} .${total}`, { paddingInlineEnd: 0 });
export const itemNumber = style({});
globalStyle(`${items} thead th`, { ...text.small, fontWeight: weight.strong, color: color.muted });
globalStyle(`${items} tbody th`, { width: "50%", fontWeight: weight.strong });
export const description = style({
  display: "block",
  ...text.small,
  fontWeight: weight.normal,
  color: color.muted,
});
globalStyle(`${items} thead, ${items} .${itemNumber}`, onPhones({ display: "none" }));
globalStyle(`${items}, ${items} tbody`, onPhones({ display: "block" }));
globalStyle(
  `${items} tbody tr`,
  onPhones({
    display: "grid",
    gridTemplateColumns: "auto minmax(0,1fr) auto",
    columnGap: space.xs,
    paddingBlock: space.sm,
    borderBottom: `${line.thin} ${color.border}`,
  }),
);
globalStyle(
  `${items} tbody :is(th, td)`,
  onPhones({ width: "auto", padding: 0, border: 0, textAlign: "start" }),
);
globalStyle(`${items} tbody th`, onPhones({ gridColumn: "1 / 3", gridRow: "1" }));
globalStyle(
  `${items} td.${figure}`,
  onPhones({ gridRow: "2", color: color.muted, textAlign: "start" }),
);
globalStyle(`${items} .${quantity}::after`, onPhones({ content: "' ×'" }));
globalStyle(
  `${items} td.${total}`,
  onPhones({ gridArea: "1 / 3", color: color.text, textAlign: "end" }),
);
export const sums = style({
  display: "grid",
  gridTemplateColumns: "auto auto",
  justifyContent: "end",
  gap: `${space.xs} ${space.xl}`,
  textAlign: "end",
});
export const actions = style([row, { justifyContent: "end" }]);
/** 4.6 of five stars: full ones are cut off above empty ones. */
export const stars = style({
  position: "relative",
  justifySelf: "start",
  color: color.warning,
  ...text.heading,
  "::before": { content: "'☆☆☆☆☆'" },
  "::after": {
    content: "'★★★★★'",
    position: "absolute",
    insetBlock: 0,
    insetInlineStart: 0,
    width: "92%",
    overflow: "hidden",
    whiteSpace: "nowrap",
  },
});
/** The map of the world, whose picture leaves the sea out. */
export const sea = style([picture, { background: color.infoBg }]);
/** Room for the map of the service. */
export const map = style({ minHeight: size.scrollRegion });
export const legend = style([row, { listStyle: "none", gap: space.lg }]);
const legendColors = [
  color.accent,
  color.success,
  color.warning,
  color.danger,
  color.neutral,
  color.info,
];
globalStyle(`${legend} > li::before`, {
  content: "''",
  display: "inline-block",
  width: space.md,
  height: space.md,
  marginInlineEnd: space.xs,
  borderRadius: space.xxs,
});
for (const [index, paint] of legendColors.entries())
  globalStyle(`${legend} > li:nth-child(${index + 1})::before`, { background: paint });

const turn = keyframes({ to: { rotate: "1turn" } });
const slideOver = keyframes({
  from: { transform: "translateX(-100%)" },
  to: { transform: "translateX(300%)" },
});
export const progress = styleVariants({
  default: { color: color.accent },
  secondary: { color: color.neutral },
  warning: { color: color.warning },
  success: { color: color.success },
  info: { color: color.info },
});
export const circle = style({
  width: size.action,
  height: size.action,
  animation: `${turn} 1.2s linear infinite`,
});
globalStyle(`${circle} circle`, {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 4,
  strokeDasharray: "70 30",
});
export const track = style({
  width: "100%",
  height: space.xs,
  borderRadius: radius.full,
  background: color.sunken,
  overflow: "hidden",
  "::before": {
    content: "''",
    display: "block",
    width: "34%",
    height: "100%",
    background: "currentColor",
    animation: `${slideOver} 1.8s linear infinite`,
  },
});
export const paused = style({
  animationPlayState: "paused",
  "::before": { animationPlayState: "paused" },
});
export const bar100 = style({ width: "100%", accentColor: color.accent });
/** A chart that grows with its card: its lines and letters stay as they are. */
export const plot = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr)",
  gap: space.sm,
  marginTop: space.lg,
  paddingInlineEnd: space.lg,
  ...text.small,
  color: color.muted,
});
globalStyle(`${plot} > svg`, {
  width: "100%",
  height: size.menu,
  overflow: "visible",
  "@media": { [media.narrow]: { height: size.name } },
});
globalStyle(`${plot} path`, { fill: "none", vectorEffect: "non-scaling-stroke" });
export const plotSteps = style({
  display: "flex",
  flexDirection: "column",
  justifyContent: "space-between",
  marginBlock: `calc(-0.5 * ${size.iconSmall})`,
  textAlign: "end",
});
/** A place for each day; what is wider stands over its neighbours. */
export const plotDays = style({
  display: "grid",
  gridAutoFlow: "column",
  gridAutoColumns: "minmax(0,1fr)",
  gridColumn: "2",
});
globalStyle(`${plotDays} > span`, { display: "grid", justifyContent: "center" });
export const gridLine = style({ stroke: color.border, strokeWidth: 1 });
export const drawnLine = style({ stroke: color.accent, strokeWidth: 2 });
export const drawnDots = style({ stroke: color.accent, strokeWidth: 5, strokeLinecap: "round" });
export const scrolling = style({
  display: "grid",
  gap: space.md,
  maxHeight: size.scrollRegion,
  paddingBlock: space.sm,
  borderBlock: `${line.thin} ${color.border}`,
  overflowY: "auto",
});
export const newsList = style({ display: "grid", gap: space.sm, listStyle: "none" });
