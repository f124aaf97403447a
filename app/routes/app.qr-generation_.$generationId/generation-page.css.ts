import { style } from "@vanilla-extract/css";
import { text } from "#styles/tokens.css";

/** Short enough for one line of a phone's card. */
export const code = style(text.label);
