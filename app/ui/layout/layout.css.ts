import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { stack } from "../../../styles/mixins";
import { color, layer, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { forcedCurrent, wrappingRow } from "#styles/global.css";

/** Holds links that are seen while they have the focus. */
export const skipLinks = style({ "@media": { [media.print]: { display: "none" } } });
globalStyle(`${skipLinks} a`, {
  position: "fixed",
  zIndex: layer.overlay,
  top: space.sm,
  insetInlineStart: space.sm,
  padding: `${space.sm} ${space.lg}`,
  borderRadius: radius.control,
  background: color.accent,
  color: color.onAccent,
  fontWeight: weight.strong,
});
globalStyle(`${skipLinks} a:not(:focus)`, { clipPath: "inset(50%)" });

export const head = style([
  wrappingRow,
  {
    justifyContent: "space-between",
    gap: space.md,
    marginBottom: space.lg,
    // A long name takes a second line; the actions stay at its right.
    "@media": { [media.twoColumns]: { flexWrap: "nowrap", alignItems: "flex-start" } },
  },
]);
// Names may be one long word.
globalStyle(`${head} h1`, { minWidth: 0, overflowWrap: "anywhere" });
/** A heading and what stands beside it. */
export const title = style([wrappingRow, { gap: `${space.xs} ${space.md}`, minWidth: 0 }]);
// Its middle is that of the buttons.
globalStyle(`${head} > ${title}`, { minHeight: size.control });
/** Buttons beside each other. */
export const actions = style({
  display: "flex",
  flexWrap: "wrap",
  gap: space.sm,
  "@media": { [media.print]: { display: "none" } },
});
globalStyle(`${head} > ${actions}`, {
  flexShrink: 0,
  "@media": { [media.narrow]: { position: "relative", flexShrink: 1 } },
});
globalStyle(`${head} > ${actions} > :is(a, button), ${head} > ${actions} summary`, {
  "@media": { [media.narrow]: { minWidth: size.touch, paddingInline: space.sm } },
});
// On a phone a menu is as wide as the actions: beside its button it would leave the window.
globalStyle(`${head} > ${actions} > details`, {
  "@media": { [media.narrow]: { position: "static" } },
});
globalStyle(`${head} > ${actions} > details > div`, {
  "@media": { [media.narrow]: { insetInline: 0, top: "auto", marginTop: space.xs } },
});
/** Parts of a screen, one beneath the other. */
export const parts = style(stack(space.lg));

export const card = style({
  background: color.surface,
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.card,
  boxShadow: color.shadow,
});
export const cardBody = style({ padding: space.lg });

/** A card as wide as the fields of a form. */
export const formCard = style({ maxWidth: `calc(${size.form} + 2 * ${space.lg})` });

export const cardGrid = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.name}),1fr))`,
  gap: space.lg,
});

export const facts = style({
  display: "grid",
  gridTemplateColumns: "minmax(min-content,max-content) minmax(0,1fr)",
  gap: `${space.md} ${space.xl}`,
  "@media": { [media.narrow]: { gridTemplateColumns: "minmax(0,1fr)", gap: space.none } },
});
globalStyle(`${facts} dt`, { color: color.muted });
globalStyle(`${facts} dd:not(:last-child)`, {
  "@media": { [media.narrow]: { marginBottom: space.md } },
});
globalStyle(`${facts} dd`, { overflowWrap: "anywhere" });

/** Notes of a screen above its content. */
export const notes = style({ display: "grid", gap: space.sm, marginBottom: space.lg });
/** Short things, in as many columns as there is room for. */
export const columns = style({
  listStyle: "none",
  columnWidth: size.popover,
  columnGap: space.xl,
});
/** Things that happened, one beneath the other. */
export const entries = style({ display: "grid", gap: space.lg, listStyle: "none" });
globalStyle(`${entries} > li`, { overflowWrap: "anywhere" });
globalStyle(`${entries} > li > :is(form, button)`, { marginTop: space.sm });
/** Entries that have one control each, which stands at their right. */
export const actionEntries = style([entries]);
globalStyle(`${actionEntries} > li`, {
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr) auto",
  columnGap: space.lg,
});
globalStyle(`${actionEntries} > li > *`, { gridColumn: 1 });
globalStyle(`${actionEntries} > li > :is(form, button)`, {
  gridArea: "1 / 2 / span 2",
  alignSelf: "center",
});

export const figure = style({ ...text.figure, fontWeight: weight.title, letterSpacing: "-.01em" });

export const smallFigure = style({
  ...text.title,
  fontWeight: weight.title,
  "@media": { [media.narrow]: text.titleNarrow },
});
export const figureNote = style({
  display: "block",
  ...text.label,
  fontWeight: weight.normal,
  color: color.muted,
});
const columnsOf = (width: string) => `repeat(auto-fit,minmax(min(100%,${width}),1fr))`;
/** Four beside each other, two on a phone. */
export const figures = style({
  display: "grid",
  gridTemplateColumns: columnsOf(size.figure),
  gap: space.md,
  "@media": { [media.narrow]: { gridTemplateColumns: columnsOf(size.short) } },
});

/** Says on paper what the screen has in its fields or needs no words for. */
export const onPaper = style({
  display: "none",
  "@media": { [media.print]: { display: "block", marginBottom: space.md } },
});

/** A card that begins with its heading. */
export const cardSection = style({ ...stack(space.md), alignContent: "start" });
// Keeps what can't be edited apart from the fields beneath.
globalStyle(`${cardSection} > dl + form`, { marginTop: space.sm });
const besideEachOther = (aside: string) => ({ gridTemplateColumns: `minmax(0,1fr) ${aside}` });
export const detail = style({
  ...stack(space.lg),
  alignItems: "start",
  "@media": {
    [media.detail]: besideEachOther(size.scrollRegion),
    // Everything about one thing fits one sheet.
    [media.print]: { ...besideEachOther(size.popover), zoom: 0.75 },
  },
});
/** The open part stands beneath the button that opened it, whose words begin where the rows do. */
export const more = style({});
globalStyle(`${more} > summary`, { marginInlineStart: `calc(-1 * ${space.md})` });
globalStyle(`${more}[open] > summary`, { marginBottom: space.sm });
// Paper can't be unfolded.
globalStyle(`${more}::details-content`, {
  "@media": { [media.print]: { contentVisibility: "visible" } },
});

/** Events, newest first: when, what, and a value at the right. */
export const events = style({ listStyle: "none" });
globalStyle(`${events} > li`, {
  display: "grid",
  alignItems: "start",
  gridTemplateColumns: `${size.name} minmax(0,1fr) auto`,
  gap: `${space.xxs} ${space.md}`,
  padding: `${space.sm} 0`,
  borderTop: `${line.thin} ${color.border}`,
  overflowWrap: "anywhere",
  "@media": { [media.compact]: { gridTemplateColumns: "minmax(0,1fr) auto" } },
});
globalStyle(`${events}:first-child > li:first-child`, { borderTop: 0, paddingTop: 0 });
globalStyle(`${events} > li > :first-child`, {
  color: color.muted,
  "@media": { [media.compact]: { gridColumn: "1 / -1" } },
});

export const tabs = style({
  display: "flex",
  // A row that scrolls instead would hide the current one.
  flexWrap: "wrap",
  columnGap: space.xl,
  marginBottom: space.md,
  borderBottom: `${line.thin} ${color.border}`,
  "@media": { [media.narrow]: { columnGap: space.md } },
});
export const tab = style({
  display: "grid",
  placeItems: "center",
  minWidth: size.target,
  minHeight: size.touch,
  marginBottom: `-${space.px}`,
  borderBottom: `${line.thick} transparent`,
  color: color.muted,
  fontWeight: weight.strong,
  textDecoration: "none",
  // A view may have any name.
  overflowWrap: "anywhere",
  selectors: {
    "&:hover": { color: color.text },
    "&[aria-current]": { color: color.onTint, borderBottomColor: color.accent },
  },
});
globalStyle(tab, { "@media": { [media.forcedColors]: { borderBottomColor: "Canvas" } } });
globalStyle(`${tab}[aria-current]`, { "@media": forcedCurrent });

/** The <summary> of something that unfolds. */
export const summary = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.sm,
  minHeight: size.action,
  "@media": { [media.narrow]: { minHeight: size.touch } },
});

/** A QR code: a reader needs dark on light, whatever the theme or the system's colours. */
export const qrImage = style({
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  background: "white",
  forcedColorAdjust: "none",
  imageRendering: "pixelated",
});

export const avatar = style({
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: size.action,
  height: size.action,
  borderRadius: radius.full,
  background: color.tint,
  color: color.onTint,
});
export const largeAvatar = style({ width: size.illustration, height: size.illustration });
globalStyle(`${largeAvatar} > svg`, { width: size.action, height: size.action });

export const avatarImage = style({
  display: "block",
  width: "100%",
  height: "100%",
  borderRadius: radius.full,
  objectFit: "cover",
});

/** Takes the height of the title of the top bar; a wide one gets smaller. */
export const logo = style({
  display: "inline-block",
  width: "auto",
  maxWidth: size.short,
  height: size.action,
  objectFit: "contain",
  verticalAlign: "middle",
});

export const errorContent = style({
  display: "grid",
  justifyItems: "center",
  gap: space.md,
  maxWidth: size.dialog,
  margin: "0 auto",
  paddingBlock: space.xxl,
  textAlign: "center",
  textWrap: "balance",
});
export const errorStatus = style([figure, { color: color.accent }]);
export const errorActions = style([actions, { marginTop: space.md }]);
