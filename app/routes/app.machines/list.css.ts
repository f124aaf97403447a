import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size, space } from "#styles/tokens.css";
import { card, cardBody } from "../../ui/layout/layout.css";

/** Two fields and their buttons in a row; one beneath the other on a phone. */
export const search = style([
  card,
  cardBody,
  {
    display: "grid",
    gridTemplateColumns: `repeat(2,minmax(0,${size.popover})) minmax(0,1fr)`,
    alignItems: "end",
    gap: `${space.md} ${space.lg}`,
    marginBottom: space.lg,
    "@media": { [media.narrow]: { gridTemplateColumns: "minmax(0,1fr)" } },
  },
]);

/** Beneath the tools, while there is anything in it. */
export const failure = style({ flexBasis: "100%", selectors: { "&:empty": { display: "none" } } });

/** Only scripts refresh by themselves: until they run, the button's room is kept. */
export const waiting = style({
  visibility: "hidden",
  "@media": { "(scripting: none)": { display: "none" } },
});

/** Figures end where the class begins, and a name may take a second line, even one long word. */
export const rows = style({});
globalStyle(`${rows} tr > :last-child`, {
  paddingInlineStart: space.xl,
  "@media": { [media.narrow]: { paddingInlineStart: space.none } },
});
export const name = style({});
globalStyle(`${rows} td.${name}`, {
  minWidth: size.name,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
  "@media": { [media.narrow]: { minWidth: 0, gridColumn: "1 / -1" } },
});
