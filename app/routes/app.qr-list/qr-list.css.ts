import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { wrappingRow } from "#styles/global.css";
import { color, layer, radius, size, space, weight } from "#styles/tokens.css";
import { card } from "../../ui/layout/layout.css";

/** Sticks to the bottom of the window while something is ticked. */
export const bar = style([
  card,
  wrappingRow,
  {
    gap: `${space.sm} ${space.lg}`,
    marginTop: space.md,
    padding: `${space.sm} ${space.lg}`,
    "@media": {
      [media.notNarrow]: {
        selectors: {
          "html:has(tbody input:checked) &": {
            position: "sticky",
            bottom: 0,
            zIndex: layer.floating,
          },
        },
      },
    },
  },
]);
export const selected = style({ fontWeight: weight.strong });
export const buttons = style([wrappingRow, { gap: space.sm, marginInlineStart: "auto" }]);
// Without a selection there is nothing to act on, and 25 rows have stops of Tab enough.
globalStyle(
  `html:not(:has(tbody input:checked)) ${bar}:not([data-selected], :has([name="all"]:checked)) ${buttons}`,
  { display: "none" },
);
/** Follows a ticked box, and is seen while it has the focus. */
export const toBar = style({
  position: "absolute",
  zIndex: layer.floating,
  padding: `${space.xs} ${space.sm}`,
  borderRadius: radius.control,
  background: color.accent,
  color: color.onAccent,
  whiteSpace: "nowrap",
  selectors: {
    "input:not(:checked) + &": { display: "none" },
    "&:not(:focus)": { clipPath: "inset(50%)" },
  },
});
export const more = style({ display: "grid", gap: space.xs });

/** Placeholder of a control that does not apply. */
export const unavailable = style({
  display: "inline-grid",
  placeItems: "center",
  width: size.action,
  height: size.action,
  color: color.muted,
  opacity: 0.4,
  "@media": { [media.narrow]: { width: size.touch, height: size.touch } },
});
