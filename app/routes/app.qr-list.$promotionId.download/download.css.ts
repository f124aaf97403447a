import { style } from "@vanilla-extract/css";
import { family, size, space, text, weight } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";

export const figure = style([wrappingRow, { gap: space.xl }]);
export const caption = style({ flex: "1", minWidth: size.short });
export const code = style({
  fontFamily: family.mono,
  fontWeight: weight.strong,
  ...text.heading,
});
