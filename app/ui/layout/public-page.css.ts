import { globalStyle, style } from "@vanilla-extract/css";
import { stack } from "../../../styles/mixins";
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
  overflowWrap: "anywhere",
});
globalStyle(`${product} > svg`, { color: color.accent });
export const card = style({
  ...stack(space.xl),
  width: "100%",
  maxWidth: size.narrowPage,
  padding: space.xl,
});
/** A button over the width of the card. */
export const wide = style({ flexBasis: "100%" });
/** Another way to sign in, apart from the first. */
export const otherWay = style([wide, { marginTop: space.sm }]);
/** A link beside buttons. */
export const textLink = style({
  display: "inline-flex",
  alignItems: "center",
  minHeight: size.target,
});
export const rejection = style({ borderRadius: radius.card });
