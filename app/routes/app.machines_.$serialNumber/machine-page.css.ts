import { globalStyle, style } from "@vanilla-extract/css";
import { size, space, text, weight } from "#styles/tokens.css";
import { media } from "../../../styles/breakpoints";
import { actions, cardGrid, figure } from "../../ui/layout/layout.css";

/** Beside each other; on a phone one beneath the other, each in a line. */
export const figures = style([
  cardGrid,
  { "@media": { [media.narrow]: { gap: space.sm, gridTemplateColumns: "minmax(0,1fr)" } } },
]);
export const figureCard = style({
  "@media": {
    [media.narrow]: {
      display: "flex",
      flexWrap: "wrap",
      alignItems: "center",
      justifyContent: "space-between",
      gap: space.md,
      paddingBlock: space.sm,
    },
  },
});
export const value = style([figure, { "@media": { [media.narrow]: text.title } }]);
export const groups = style({
  display: "flex",
  flexWrap: "wrap",
  gap: `${space.xs} ${space.lg}`,
  listStyle: "none",
});
export const periods = style([actions, text.label]);
/** How often for each reason. */
export const reasons = style({
  display: "grid",
  gridTemplateColumns: "max-content minmax(0,1fr)",
  gap: `${space.xs} ${space.md}`,
});
export const count = style({ textAlign: "right", fontWeight: weight.strong });

/** Name of a row's promotion, with its code beneath. */
export const subject = style({});
globalStyle(`tbody td.${subject}.${subject}`, {
  minWidth: size.name,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
  "@media": { [media.narrow]: { minWidth: 0 } },
});
globalStyle(`${subject} > *`, { display: "block" });
