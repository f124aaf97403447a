import { keyframes, style, styleVariants } from "@vanilla-extract/css";
import { color, layer, line, radius, size, space, text } from "#styles/tokens.css";

/** Room around the buttons, so that what appears beside them covers nothing. */
export const tips = style({
  display: "grid",
  gridTemplateColumns: "repeat(2,minmax(0,1fr))",
  justifyItems: "center",
  gap: `${size.row} ${space.lg}`,
  paddingBlock: size.row,
});
export const sides = ["top", "right", "bottom", "left"] as const;
const bySide = Object.fromEntries(sides.map((side) => [side, side])) as Record<
  (typeof sides)[number],
  string
>;
export const tipAnchor = styleVariants(bySide, (side) => [
  { anchorName: `--${side}-tip` } as object,
]);
export const popoverAnchor = styleVariants(bySide, (side) => [
  { anchorName: `--${side}-popover` } as object,
]);
const besideAnchor = (side: string, kind: string) => ({
  "@supports": {
    "(position-area: top)": {
      positionAnchor: `--${side}-${kind}`,
      positionArea: side,
      positionTryFallbacks: "flip-block, flip-inline, --below",
      margin: space.xs,
    } as object,
  },
});
const tipBase = style({
  position: "fixed",
  zIndex: layer.floating,
  padding: `${space.xs} ${space.sm}`,
  borderRadius: radius.control,
  background: color.text,
  color: color.surface,
  ...text.small,
  visibility: "hidden",
  selectors: { ":is(:hover, :focus-visible) + &": { visibility: "visible" } },
});
export const tip = styleVariants(bySide, (side) => [tipBase, besideAnchor(side, "tip")]);
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
export const popover = styleVariants(bySide, (side) => [
  popoverBase,
  besideAnchor(side, "popover"),
]);

const snackbarBase = style({
  position: "fixed",
  zIndex: layer.floating,
  maxWidth: size.dialog,
  borderRadius: radius.card,
  boxShadow: color.overlayShadow,
});
const top = { top: `calc(${size.topBar} + ${space.lg})` };
const bottom = { bottom: space.lg };
const center = { insetInline: space.lg, marginInline: "auto", width: "fit-content" };
export const snackbar = styleVariants({
  "top-left": [snackbarBase, top, { insetInlineStart: space.lg }],
  "top-center": [snackbarBase, top, center],
  "top-right": [snackbarBase, top, { insetInlineEnd: space.lg }],
  "bottom-left": [snackbarBase, bottom, { insetInlineStart: space.lg }],
  "bottom-center": [snackbarBase, bottom, center],
  "bottom-right": [snackbarBase, bottom, { insetInlineEnd: space.lg }],
});
const hide = keyframes({ to: { visibility: "hidden" } });
/** Hides after 6 s, but not under the pointer or the focus. */
export const hiding = style({
  animation: `${hide} 1ms 6s forwards`,
  ":hover": { animationPlayState: "paused" },
  ":focus-within": { animationPlayState: "paused" },
});
