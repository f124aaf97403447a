import { globalStyle, keyframes, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, layer, line, motion, radius, size, space, text, weight } from "#styles/tokens.css";

export const badge = styleVariants({
  ok: {},
  warn: {},
  bad: {},
  info: {},
  off: { color: color.neutral, background: color.neutralBg },
  neutral: { color: color.muted, selectors: { "&&": { borderColor: color.border } } },
});
// Rows have badges, so a badge has one class.
globalStyle(
  Object.values(badge)
    .map((tone) => `.${tone}`)
    .join(),
  {
    display: "inline-flex",
    alignItems: "center",
    minHeight: size.badge,
    padding: `0 ${space.sm}`,
    borderRadius: radius.full,
    border: `${line.thin} transparent`,
    ...text.small,
    fontWeight: weight.strong,
    whiteSpace: "nowrap",
    "@media": { [media.narrow]: { whiteSpace: "normal" } },
  },
);

const messageBase = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  gap: space.sm,
  padding: `${space.sm} ${space.lg}`,
  border: `${line.thin} transparent`,
  borderRadius: radius.card,
  fontWeight: weight.strong,
});
export const message = styleVariants({
  success: [messageBase],
  info: [messageBase],
  warning: [messageBase],
  error: [messageBase],
});
globalStyle(`${badge.ok}, ${message.success}`, {
  color: color.success,
  background: color.successBg,
});
globalStyle(`${badge.info}, ${message.info}`, { color: color.info, background: color.infoBg });
globalStyle(`${badge.warn}, ${message.warning}`, {
  color: color.warning,
  background: color.warningBg,
});
globalStyle(`${badge.bad}, ${message.error}`, { color: color.danger, background: color.dangerBg });
// A long word in it widens no grid around it.
export const messageText = style({ flex: 1, minWidth: 0, overflowWrap: "anywhere" });

// The live regions are always there, and take no room while they are empty.
export const block = style({
  margin: `${space.sm} 0 ${space.lg}`,
  borderRadius: radius.card,
});

export const banner = style({
  position: "sticky",
  top: space.sm,
  zIndex: layer.connection,
  selectors: { "&:not(:empty)": { marginBlock: space.sm } },
});

export const retry = style({
  minHeight: size.target,
  padding: `0 ${space.sm}`,
  border: `${line.thin} currentColor`,
  borderRadius: radius.control,
  color: "inherit",
  background: "none",
  fontWeight: weight.strong,
  cursor: "pointer",
  // Beside it the words would be a narrow column.
  "@media": { [media.narrow]: { width: "100%" } },
});

const slideIn = keyframes({ from: { opacity: 0, transform: `translateY(${space.sm})` } });
export const toast = style({
  position: "fixed",
  zIndex: layer.floating,
  insetInline: space.lg,
  bottom: space.lg,
  maxWidth: size.dialog,
  marginInline: "auto",
  borderRadius: radius.card,
  boxShadow: color.overlayShadow,
  animation: `${slideIn} ${motion.fade}`,
});
export const newVersion = style([
  toast,
  { top: `calc(${size.topBar} + ${space.sm})`, bottom: "auto" },
]);
export const dismiss = style({
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: size.target,
  height: size.target,
  margin: `-${space.xxs}`,
  padding: 0,
  border: 0,
  borderRadius: radius.control,
  background: "none",
  cursor: "pointer",
});

const sweep = keyframes({
  from: { transform: "translateX(-100%)" },
  to: { transform: "translateX(300%)" },
});
export const pending = style({
  position: "fixed",
  zIndex: layer.connection,
  insetInline: 0,
  top: 0,
  overflow: "hidden",
  pointerEvents: "none",
});
export const pendingBar = style({
  width: "34%",
  height: space.xxs,
  background: color.accent,
  animation: `${sweep} 1.2s linear infinite`,
  "@media": {
    [media.reducedMotion]: { width: "100%" },
    [media.forcedColors]: { background: "Highlight" },
  },
});
export const pendingText = style({
  width: "max-content",
  margin: `${space.xs} auto`,
  padding: `${space.xxs} ${space.md}`,
  borderRadius: radius.full,
  background: color.text,
  color: color.surface,
  ...text.small,
  fontWeight: weight.strong,
  // Stands beneath the top bar, whose name it would cover.
  "@media": { [media.narrow]: { marginTop: size.topBar } },
});
// A region that waits for a message leaves no gap.
globalStyle('[role="alert"]:empty', { position: "absolute" });

export const progress = style({ width: "100%", accentColor: color.accent });
