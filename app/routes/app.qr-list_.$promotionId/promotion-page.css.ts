import { style } from "@vanilla-extract/css";
import { family, text, weight } from "#styles/tokens.css";

export const code = style({
  fontFamily: family.mono,
  ...text.heading,
  fontWeight: weight.strong,
  letterSpacing: ".04em",
});
export const image = style({ margin: "0 auto" });
export const downloads = style({ justifyContent: "center" });
