import { style } from "@vanilla-extract/css";
import { color, radius, size, space, text, weight } from "#styles/tokens.css";

export const page = style({
  display: "grid",
  alignContent: "center",
  justifyItems: "center",
  gap: space.xl,
  minHeight: "100vh",
  padding: space.lg,
});
export const product = style({
  display: "flex",
  alignItems: "center",
  gap: space.sm,
  ...text.heading,
  fontWeight: weight.title,
});
export const mark = style({ color: color.accent });
export const card = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap: space.xl,
  width: "100%",
  maxWidth: size.narrowPage,
  padding: space.xl,
});
/** Another way to sign in, on a line of its own. */
export const otherWay = style({ flexBasis: "100%" });
export const refusal = style({ borderRadius: radius.card });
