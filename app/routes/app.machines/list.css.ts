import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size } from "#styles/tokens.css";

/** Beneath the tools, while there is anything in it. */
export const failure = style({ flexBasis: "100%", selectors: { "&:empty": { display: "none" } } });

/** Figures end where the class begins, and a name may take a second line, even one long word. */
export const rows = style({});
export const name = style({});
globalStyle(`${rows} td.${name}`, {
  minWidth: size.name,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
  "@media": { [media.cards]: { minWidth: 0 } },
});
