import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, layer, line, motion, radius, size, space, text } from "#styles/tokens.css";
import { chip, row } from "../demo.css";

export const searchLine = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "end",
  gap: space.sm,
  marginBottom: space.md,
});
/** 12, 4, 3 and 2 of twelve columns: one, three, four and six icons beside each other. */
export const icons = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.lg,
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

export const slides = style({
  display: "flex",
  gap: space.sm,
  overflowX: "auto",
  scrollSnapType: "x mandatory",
});
export const slide = style({ flex: "0 0 100%", minWidth: 0, scrollSnapAlign: "start" });
export const noPicture = style({
  aspectRatio: "5 / 3",
  borderRadius: radius.control,
  background: color.sunken,
});
export const steps = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr) auto",
  alignItems: "center",
  gap: space.sm,
  textAlign: "center",
});
// Narrow windows show the indicator above the links.
globalStyle(`${steps} > :nth-child(2)`, {
  "@media": { [media.narrow]: { gridColumn: "1 / -1", gridRow: "1" } },
});
globalStyle(`${steps} > :last-child`, { gridColumn: "3" });
globalStyle(`${steps} progress`, { accentColor: color.accent, width: "100%" });
export const dots = style({ display: "flex", flexWrap: "wrap", justifyContent: "center" });
export const dot = style({
  display: "grid",
  placeItems: "center",
  width: size.target,
  height: size.target,
  borderRadius: radius.full,
  selectors: {
    "&::before": {
      content: "''",
      width: space.sm,
      height: space.sm,
      border: `${line.thin} ${color.control}`,
      borderRadius: radius.full,
    },
    "&[aria-current]::before": { background: color.accent, borderColor: color.accent },
  },
});
export const summary = style({
  display: "flex",
  alignItems: "center",
  gap: space.sm,
  minHeight: size.touch,
});

export const positions = style({
  display: "grid",
  gridTemplateColumns: "repeat(3,minmax(0,1fr))",
  gap: space.sm,
  listStyle: "none",
});
export const position = style({
  display: "grid",
  placeItems: "center",
  height: "100%",
  minHeight: size.action,
  padding: space.xs,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.control,
  textAlign: "center",
  textDecoration: "none",
});
globalStyle(`:is(${chip}, ${position})[aria-current]`, {
  borderColor: color.accent,
  background: color.tint,
  color: color.onTint,
});
/** Takes no room among the cards. */
export const liveRegion = style({ position: "absolute" });
const snackbarBase = style({
  position: "fixed",
  zIndex: layer.floating,
  maxWidth: size.dialog,
  borderRadius: radius.card,
  boxShadow: color.overlayShadow,
});
// The toast of the product is at a place of its own; here its wrapper is.
globalStyle(`${snackbarBase} > div`, { position: "static", margin: 0 });
const edges = {
  top: { top: `calc(${size.topBar} + ${space.lg})` },
  bottom: { bottom: space.lg },
  left: { insetInlineStart: space.lg },
  center: { insetInline: space.lg, marginInline: "auto", width: "fit-content" },
  right: { insetInlineEnd: space.lg },
};
export const snackbar = styleVariants({
  "top-left": [snackbarBase, edges.top, edges.left],
  "top-center": [snackbarBase, edges.top, edges.center],
  "top-right": [snackbarBase, edges.top, edges.right],
  "bottom-left": [snackbarBase, edges.bottom, edges.left],
  "bottom-center": [snackbarBase, edges.bottom, edges.center],
  "bottom-right": [snackbarBase, edges.bottom, edges.right],
});
export const dismiss = style({
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: size.target,
  height: size.target,
  borderRadius: radius.control,
});
const noteList = style({ display: "grid", gap: space.sm, listStyle: "none" });
export const notes = styleVariants({
  contained: [noteList],
  rounded: [noteList],
  plain: [noteList],
});
globalStyle(`${noteList} > li`, {
  display: "flex",
  alignItems: "center",
  gap: space.md,
  padding: space.sm,
});
globalStyle(`${notes.contained} > li`, {
  borderRadius: radius.control,
  background: color.infoBg,
  color: color.info,
});
globalStyle(`${notes.rounded} > li`, {
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.full,
  paddingInline: space.lg,
});

export const stackWide = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.lg,
});
export const bar = style([
  row,
  {
    gap: space.lg,
    minHeight: size.topBar,
    padding: `${space.sm} ${space.lg}`,
    borderRadius: radius.control,
    background: color.sunken,
  },
]);
globalStyle(`${bar} > b`, { marginInlineEnd: "auto" });
globalStyle(`${bar} > a`, { display: "inline-flex", alignItems: "center", minHeight: size.target });
globalStyle(`${bar} > form`, { marginBottom: 0 });
export const disabledLink = style({ color: color.muted });
export const expanding = style({
  width: size.short,
  transition: `width ${motion.fade}`,
  ":focus": { width: size.medium },
});

/** Room around the buttons, so that what appears beside them covers nothing. */
export const tips = style({
  display: "grid",
  gridTemplateColumns: "repeat(2,minmax(0,1fr))",
  justifyItems: "center",
  gap: `${size.row} ${space.lg}`,
  paddingBlock: size.row,
});
const tipBase = style({ position: "relative", display: "inline-block" });
export const tip = styleVariants({
  top: [tipBase],
  right: [tipBase],
  bottom: [tipBase],
  left: [tipBase],
});
export const tipText = style({
  position: "absolute",
  zIndex: layer.floating,
  width: "max-content",
  padding: `${space.xs} ${space.sm}`,
  borderRadius: radius.control,
  background: color.text,
  color: color.surface,
  ...text.small,
  visibility: "hidden",
  selectors: { [`${tipBase}:is(:hover, :focus-within) > &`]: { visibility: "visible" } },
});
// Narrow windows show those at the sides above and below.
globalStyle(`:is(${tip.top}, ${tip.left}) > ${tipText}`, {
  bottom: `calc(100% + ${space.xs})`,
  left: "50%",
  transform: "translateX(-50%)",
});
globalStyle(`:is(${tip.bottom}, ${tip.right}) > ${tipText}`, {
  top: `calc(100% + ${space.xs})`,
  left: "50%",
  transform: "translateX(-50%)",
});
globalStyle(`${tip.left} > ${tipText}`, {
  "@media": {
    [media.wide]: {
      inset: "auto 100% auto auto",
      top: 0,
      transform: `translateX(-${space.xs})`,
    },
  },
});
globalStyle(`${tip.right} > ${tipText}`, {
  "@media": {
    [media.wide]: { inset: "0 auto auto 100%", transform: `translateX(${space.xs})` },
  },
});

const sides = ["top", "right", "bottom", "left"] as const;
const anchored = (side: string) => ({ anchorName: `--${side}` }) as object;
export const popoverAnchor = styleVariants({
  top: anchored("top"),
  right: anchored("right"),
  bottom: anchored("bottom"),
  left: anchored("left"),
});
const popoverBase = style({
  maxWidth: size.popover,
  padding: space.md,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.card,
  background: color.surface,
  color: color.text,
  boxShadow: color.overlayShadow,
});
// Browsers that can't place a popover beside its button show it in the middle of the window.
export const popover = styleVariants(
  Object.fromEntries(sides.map((side) => [side, side])) as Record<(typeof sides)[number], string>,
  (side) => [
    popoverBase,
    {
      "@supports": {
        "(position-area: top)": {
          positionAnchor: `--${side}`,
          positionArea: side,
          positionTryFallbacks: "flip-block, flip-inline, --below",
          margin: space.xs,
        } as object,
      },
    },
  ],
);

export const fullTabs = style({});
globalStyle(`${fullTabs} a`, { flex: 1, justifyContent: "center" });
export const iconTab = style({
  display: "grid",
  justifyItems: "center",
  gap: space.xs,
  minWidth: size.cell,
  padding: space.sm,
  borderRadius: radius.control,
  color: color.muted,
  textDecoration: "none",
  selectors: { "&[aria-current]": { background: color.tint, color: color.onTint } },
});
export const panels = style({ display: "grid", gap: space.sm });
globalStyle(`${panels} > *`, {
  padding: `0 ${space.md}`,
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
});
globalStyle(`${panels} details[open]`, { paddingBottom: space.md });
export const disabledPanel = style({
  display: "flex",
  alignItems: "center",
  minHeight: size.touch,
  background: color.sunken,
  color: color.muted,
});
