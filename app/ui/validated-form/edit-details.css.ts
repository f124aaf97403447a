import { globalStyle, style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const editButton = style({ width: "100%" });
globalStyle(`details[open] > ${editButton}`, { marginBottom: space.lg });
/** Label of the button while the form is folded up, and while it is open. */
export const whenClosed = style({});
export const whenOpen = style({});
globalStyle(`details[open] ${whenClosed}, details:not([open]) ${whenOpen}`, { display: "none" });
