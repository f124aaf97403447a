import { style } from "@vanilla-extract/css";
import { color, size, space, text, weight } from "#styles/tokens.css";

export const page = style({
  display: "grid",
  placeItems: "center",
  minHeight: "100vh",
  padding: space.lg,
});
export const content = style({
  display: "grid",
  justifyItems: "center",
  gap: space.md,
  maxWidth: size.dialog,
  margin: "0 auto",
  paddingBlock: space.xxl,
  textAlign: "center",
  textWrap: "balance",
});
export const status = style({
  ...text.figure,
  fontWeight: weight.title,
  color: color.accent,
});
export const action = style({ marginTop: space.md });
