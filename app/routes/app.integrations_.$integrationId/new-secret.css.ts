import { style } from "@vanilla-extract/css";
import { color, family, size, space, text } from "#styles/tokens.css";

export const card = style({ display: "grid", gap: space.lg, marginBottom: space.xl });
export const line = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: space.sm,
  maxWidth: size.wideDialog,
});
/** As many lines as the 53 characters take, so that all of them are seen. */
export const secret = style({
  fieldSizing: "content",
  resize: "none",
  overflowWrap: "anywhere",
  flex: 1,
  minWidth: `min(100%,${size.popover})`,
  fontFamily: family.mono,
});
export const said = style({ ...text.label, color: color.muted });
