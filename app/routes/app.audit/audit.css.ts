import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size, space } from "#styles/tokens.css";

/** Fits most email addresses on one line. */
export const actor = style({ "@media": { [media.notCards]: { minWidth: size.medium } } });

/** The changes of an action may be long. */
export const action = style({ "@media": { [media.notCards]: { width: "20%" } } });

/** Fits the name and the code of most subjects on one line. */
export const subject = style({ "@media": { [media.notCards]: { width: "30%" } } });

/** Columns of who did what, which a phone has no room for beside each other. */
export const line = style({});

/** Two values beside each other in cards, so that their rows share two columns. */
export const half = style({});
globalStyle(`tbody td.${half}.${half}`, {
  "@media": { [media.cards]: { flex: `0 0 calc(50% - ${space.md} / 2)` } },
});
globalStyle(`tbody td.${line}.${line}.${half}`, {
  "@media": { [media.narrow]: { flexBasis: "100%" } },
});
