import { style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, family, size, space, text, weight } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";
import { card, cardBody } from "../../ui/layout/layout.css";

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
      [media.belowMedium]: { gridTemplateColumns: "minmax(0,1fr)", justifyItems: "start" },
    },
  },
]);
export const code = style({
  fontFamily: family.mono,
  letterSpacing: ".04em",
  textTransform: "uppercase",
});

/** Under the form, above everything about the code. */
export const answer = style({ display: "grid", gap: space.lg, marginTop: space.xl });

export const head = style([
  wrappingRow,
  { gap: `${space.xs} ${space.md}`, marginBottom: space.lg },
]);
export const codeTitle = style({
  fontFamily: family.mono,
  ...text.title,
  fontWeight: weight.title,
  letterSpacing: ".04em",
  overflowWrap: "anywhere",
  "@media": { [media.narrow]: text.titleNarrow },
});
export const verdict = style({ ...text.heading });
export const aside = style({ ...text.label, fontWeight: weight.normal, color: color.text });
export const similar = style({
  display: "flex",
  flexWrap: "wrap",
  gap: space.sm,
  listStyle: "none",
  marginTop: space.sm,
  minHeight: size.target,
});
