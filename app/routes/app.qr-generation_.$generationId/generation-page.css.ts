import { style } from "@vanilla-extract/css";
import { color, text } from "#styles/tokens.css";

/** Short enough for one line of a phone's card. */
export const code = style(text.label);
/** At the left of the table's bar. */
export const tableHeading = style({ marginInlineEnd: "auto", color: color.text });
