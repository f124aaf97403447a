import { style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

/** Limits the card to one column of fields. */
export const card = style({ maxWidth: `calc(${size.form} + 2 * ${space.lg})` });
