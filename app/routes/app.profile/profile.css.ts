import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const overview = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-start",
  gap: space.xl,
});
