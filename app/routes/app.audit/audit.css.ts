import { style } from "@vanilla-extract/css";
import { size } from "#styles/tokens.css";

/** Keeps most email addresses on one line. */
export const actor = style({ minWidth: size.medium });
