import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { family, text, weight } from "#styles/tokens.css";

export const code = style({
  fontFamily: family.mono,
  ...text.heading,
  fontWeight: weight.strong,
  letterSpacing: ".04em",
});
export const image = style({ margin: "0 auto" });
export const downloads = style({ justifyContent: "center" });
// Puts what is printed beside its image where the details are beneath the rest.
const beside = (rules: object) => ({ "@media": { [media.tablet]: rules } });
globalStyle(
  `section:has(> ${image})`,
  beside({ gridTemplateColumns: "max-content minmax(0,1fr)", alignItems: "start" }),
);
globalStyle(downloads, beside({ gridArea: "2 / 1" }));
globalStyle(`${downloads} ~ *`, beside({ gridColumn: 2 }));
