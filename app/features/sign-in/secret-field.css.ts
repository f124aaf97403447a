import { style } from "@vanilla-extract/css";
import { family, size, space } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";

export const line = style([wrappingRow, { gap: space.sm, maxWidth: size.wideDialog }]);
/** Wraps, so that all 53 characters are visible. */
export const secret = style({
  fieldSizing: "content",
  resize: "none",
  overflowWrap: "anywhere",
  flex: 1,
  minWidth: `min(100%,${size.popover})`,
  fontFamily: family.mono,
});
