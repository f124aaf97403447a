import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { hiddenVisually } from "#styles/global.css";
import { color, layer, line, radius, size, space, text, weight } from "#styles/tokens.css";

/** Says by its colours that a button waits, in words that are as legible as before. */
const disabled = {
  borderColor: color.border,
  background: color.sunken,
  color: color.muted,
  boxShadow: "none",
  cursor: "default",
  // Forced colours would paint what is `aria-disabled` like other buttons.
  "@media": { [media.forcedColors]: { background: "none", color: "GrayText" } },
};

const base = style({
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  gap: space.sm,
  minHeight: size.control,
  padding: `${space.xs} ${space.lg}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.control,
  background: color.surface,
  color: color.text,
  ...text.body,
  fontWeight: weight.strong,
  textAlign: "center",
  textDecoration: "none",
  cursor: "pointer",
  "@media": { [media.narrow]: { minHeight: size.touch } },
});

const filled = (back: string, front: string) => ({
  background: back,
  borderColor: back,
  color: front,
  ":hover": { boxShadow: `0 0 0 ${space.px} ${back}` },
});

export const button = styleVariants({
  default: [base],
  primary: [base, filled(color.accent, color.onAccent)],
  danger: [base, filled(color.danger, color.surface)],
  quiet: [
    base,
    { background: "none", borderColor: "transparent", color: color.muted, paddingInline: space.md },
  ],
});

globalStyle(`${button.default}:hover, ${button.quiet}:hover`, { background: color.bg });
// After the colours of a pointed button, which it replaces.
globalStyle(`${base}:disabled, ${base}[aria-disabled="true"]`, disabled);

export const sizes = styleVariants({
  medium: {},
  small: { minHeight: size.action, paddingInline: space.md },
});

/** Words that are read, but not painted, on a phone: the icon beside them stands for them. */
export const hiddenOnPhone = style({ "@media": { [media.narrow]: hiddenVisually } });

/** A square control that shows an icon only; its name is read, not painted. */
export const iconOnly = style({
  display: "inline-grid",
  placeItems: "center",
  width: size.action,
  height: size.action,
  padding: 0,
  border: `${line.thin} transparent`,
  borderRadius: radius.control,
  background: "none",
  color: color.muted,
  cursor: "pointer",
  "@media": { [media.narrow]: { width: size.touch, height: size.touch } },
  selectors: {
    "&:hover": { background: color.sunken, color: color.text },
    "&[aria-disabled='true']": { cursor: "default" },
    // Browsers show a title under the pointer only.
    "&:focus-visible": { position: "relative" },
    "&:focus-visible::after": {
      content: "attr(title)",
      position: "absolute",
      zIndex: layer.floating,
      insetInlineEnd: 0,
      bottom: "100%",
      padding: `${space.xxs} ${space.sm}`,
      borderRadius: radius.control,
      background: color.text,
      color: color.surface,
      ...text.small,
      whiteSpace: "nowrap",
      pointerEvents: "none",
    },
  },
});

// The label of the control stays legible.
globalStyle(`${iconOnly}[aria-disabled='true'] > svg`, { opacity: 0.4 });

// Forced colours drop backgrounds: without this a filled button's label could be painted in its own colour.
globalStyle(`${button.primary}, ${button.danger}`, {
  "@media": {
    [media.forcedColors]: {
      forcedColorAdjust: "none",
      background: "ButtonText",
      color: "ButtonFace",
      borderColor: "ButtonText",
    },
  },
});
