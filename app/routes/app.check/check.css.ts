import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, family, size, space, text, weight } from "#styles/tokens.css";
import { actions, card, cardBody, parts, smallFigure, title } from "../../ui/layout/layout.css";

/** Field, field and button in one line where there is room; their edges in one line too. */
export const form = style([
  card,
  cardBody,
  {
    display: "grid",
    gridTemplateColumns: `minmax(0,3fr) minmax(0,2fr) auto`,
    alignItems: "end",
    gap: space.lg,
    "@media": {
      [media.belowMedium]: { gridTemplateColumns: `minmax(0,${size.dialog})` },
    },
  },
]);
globalStyle(`${form} > button`, { justifySelf: "start" });
export const code = style({
  fontFamily: family.mono,
  letterSpacing: ".04em",
  textTransform: "uppercase",
});

/** Under the form, above everything about the code. */
export const answer = style([parts, { marginTop: space.xl }]);

export const head = style([title, { marginBottom: space.lg }]);
export const codeTitle = style([code, smallFigure]);
export const verdict = style(text.heading);
export const aside = style({ ...text.label, fontWeight: weight.normal, color: color.text });
/** Between the form and the answer. */
export const choices = style({ marginTop: space.lg });
export const similar = style([actions, { listStyle: "none", marginTop: space.sm }]);
