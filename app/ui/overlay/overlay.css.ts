import { globalStyle, keyframes, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { raised } from "../../../styles/mixins";
import { actions, parts } from "../layout/layout.css";
import { color, layer, line, motion, radius, size, space, text } from "#styles/tokens.css";

const fadeIn = keyframes({ from: { opacity: 0 } });

/** The dialog as a part of the page. */
export const section = style([
  parts,
  {
    maxWidth: size.wideDialog,
    marginBottom: space.xl,
    padding: space.xl,
    background: color.surface,
    border: `${line.thin} ${color.control}`,
    borderRadius: radius.card,
    "@media": { [media.narrow]: { padding: space.lg } },
  },
]);

export const scrim = style({
  position: "fixed",
  inset: 0,
  zIndex: layer.overlay,
  display: "grid",
  justifyItems: "center",
  alignItems: "center",
  padding: space.lg,
  overflowY: "auto",
  // Keeps what gets the focus out from under the buttons.
  scrollPaddingBottom: `calc(${size.touch} + 2 * ${space.lg})`,
  background: color.scrim,
  animation: `${fadeIn} ${motion.fade}`,
});

const modalBase = style({ width: "100%", ...raised });
export const modal = styleVariants({
  medium: [modalBase, { maxWidth: size.dialog }],
  wide: [modalBase, { maxWidth: size.wideDialog }],
});
export const dialog = style([
  parts,
  { padding: space.xl, outline: "none", "@media": { [media.narrow]: { padding: space.lg } } },
]);
export const dialogBody = style([parts]);
/** The question, and the sentence about its consequences. */
export const description = style({ display: "grid", gap: space.sm, overflowWrap: "anywhere" });
// The buttons of a dialog that is longer than the window stay in sight.
globalStyle(`${dialogBody} > ${actions}:last-child, ${dialogBody} > ${description} + form`, {
  position: "sticky",
  // At the edge of the window.
  bottom: `-${space.lg}`,
  marginBottom: `-${space.lg}`,
  paddingBlock: space.lg,
  borderTop: `${line.thin} ${color.border}`,
  background: color.surface,
});
globalStyle(`${description} code`, { display: "inline-block" });
export const question = style(text.titleNarrow);

/** A <details> whose content lies over the page. */
export const menu = style({ position: "relative" });
export const menuButton = style({
  display: "inline-flex",
  // An image and a drawing have other baselines.
  verticalAlign: "top",
  alignItems: "center",
  borderRadius: radius.control,
});
export const panel = style({
  zIndex: layer.floating,
  minWidth: size.menu,
  padding: space.sm,
  ...raised,
  animation: `${fadeIn} ${motion.fade}`,
  "@supports": { "(inset: 0)": { position: "absolute" } },
});
// Menus of a screen hold what stands nowhere else: browsers that can't open them show them in the page.
globalStyle(`main ${menu} > ${panel}`, { display: "block" });
export const placement = styleVariants({
  belowEnd: { top: `calc(100% + ${space.sm})`, insetInlineEnd: 0 },
  aboveStart: { bottom: `calc(100% + ${space.sm})`, insetInlineStart: 0 },
  aboveEnd: { bottom: `calc(100% + ${space.sm})`, insetInlineEnd: 0 },
});
export const menuItem = style({
  display: "flex",
  alignItems: "center",
  gap: space.md,
  width: "100%",
  minHeight: size.touch,
  padding: `${space.xs} ${space.md}`,
  border: 0,
  borderRadius: radius.control,
  background: "none",
  textAlign: "start",
  textDecoration: "none",
  cursor: "pointer",
  selectors: { "&:hover": { background: color.bg } },
});
