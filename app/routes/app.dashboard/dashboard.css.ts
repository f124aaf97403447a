import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size, space, text } from "#styles/tokens.css";
import { cardGrid, detail, parts as pageParts } from "../../ui/layout/layout.css";

/** Four beside each other; two where amounts of thousands would not fit, beside the sidebar and on paper. */
export const figures = style([
  cardGrid,
  {
    marginBottom: space.lg,
    "@media": {
      [`${media.compact}, print`]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" },
      [media.narrow]: {
        gridTemplateColumns: `repeat(auto-fit,minmax(min(100%,${size.short}),1fr))`,
        gap: space.sm,
      },
    },
  },
]);
globalStyle(`${figures} > *`, { "@media": { [media.narrow]: { padding: space.md } } });
export const figure = style({
  textDecoration: "none",
  overflowWrap: "anywhere",
  // Two of them stay whole beside each other on a phone.
  "@media": { [media.narrow]: text.titleNarrow },
});
globalStyle(`${figure}:hover, ${figure}:focus-visible`, { textDecoration: "underline" });

/** Links to what a figure is made of. */
export const parts = style({ display: "flex", flexWrap: "wrap", columnGap: space.md });

export const columns = style([detail]);
export const main = pageParts;

/** Labels with their numbers at the right; each label is high enough to be pressed. */
export const counts = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr) auto",
  gap: `${space.xs} ${space.md}`,
  alignItems: "center",
});
globalStyle(`${counts} dd`, { textAlign: "end" });
export const count = style({
  display: "inline-flex",
  alignItems: "center",
  minHeight: size.target,
});

/** Stands at the edge of the table's cells. */
export const all = style([
  count,
  { "@media": { [media.notNarrow]: { marginInlineEnd: space.sm } } },
]);

export const first = style({ marginBottom: space.lg });
export const steps = style({ paddingInlineStart: space.xl, display: "grid", gap: space.sm });

/** Numbers of rows to choose from. */
export const choices = style({ display: "flex", gap: space.xs, alignItems: "center" });
globalStyle(`${choices} a`, { minWidth: size.target, justifyContent: "center" });
