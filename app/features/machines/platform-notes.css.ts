import { style } from "@vanilla-extract/css";
import { size, space, weight } from "#styles/tokens.css";

export const items = style({
  marginTop: space.xs,
  paddingInlineStart: space.lg,
  fontWeight: weight.normal,
  overflowWrap: "anywhere",
});

/** The way to the dialog: at the end of the words, or beneath them. */
export const held = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  gap: `${space.sm} ${space.lg}`,
});
export const heldText = style({ flex: `1 1 ${size.narrowPage}`, minWidth: 0 });
