import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { scripted } from "#styles/global.css";
import { size } from "#styles/tokens.css";

/** Beneath the tools, while there is anything in it. */
export const failure = style({ flexBasis: "100%", selectors: { "&:empty": { display: "none" } } });

/** Only scripts refresh by themselves: until they run, the button's room is kept. */
export const waiting = style([scripted, { visibility: "hidden" }]);

/** Figures end where the class begins, and a name may take a second line, even one long word. */
export const rows = style({});
export const name = style({});
globalStyle(`${rows} td.${name}`, {
  minWidth: size.name,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
  "@media": { [media.cards]: { minWidth: 0 } },
});
