import { style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { raised } from "../../../styles/mixins";
import { forcedCurrent } from "#styles/global.css";
import { color, layer, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { iconOnly } from "../form/button.css";

export const popover = style({ zIndex: layer.overlay, padding: space.md, ...raised });
export const dialog = style({ outline: "none" });
export const head = style({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  marginBottom: space.sm,
});
export const month = style({ ...text.body, fontWeight: weight.strong });
export const step = style([iconOnly, { selectors: { "&[data-disabled]": { opacity: 0.4 } } }]);
export const grid = style({ borderCollapse: "collapse" });
export const weekday = style({ ...text.small, color: color.muted, fontWeight: weight.strong });
export const day = style({
  touchAction: "manipulation",
  display: "grid",
  placeItems: "center",
  width: size.control,
  height: size.control,
  borderRadius: radius.control,
  cursor: "pointer",
  selectors: {
    "&[data-hovered]": { background: color.sunken },
    "&[data-today]": { fontWeight: weight.title, textDecoration: "underline" },
    "&[data-disabled]": { opacity: 0.4, cursor: "default" },
    "&[data-outside-month]": { visibility: "hidden" },
    "&[data-selected]": { background: color.accent, color: color.onAccent },
    "&[data-focus-visible]": { outline: `${line.thick} ${color.accent}`, outlineOffset: space.xxs },
  },
  "@media": {
    [media.forcedColors]: {
      selectors: { "&[data-selected]": forcedCurrent[media.forcedColors] },
    },
  },
});
