import { style } from "@vanilla-extract/css";
import { color, size, space } from "#styles/tokens.css";

export const sortLink = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.xs,
  minHeight: size.target,
  textDecoration: "none",
  selectors: {
    "&:hover": { textDecoration: "underline" },
    "&[aria-current]": { color: color.text },
  },
});
