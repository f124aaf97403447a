import { style } from "@vanilla-extract/css";
import { space, weight } from "#styles/tokens.css";

export const items = style({
  marginTop: space.xs,
  paddingInlineStart: space.lg,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
});
