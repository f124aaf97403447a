import { style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

/** As wide as one column of fields. */
export const card = style({ maxWidth: `calc(${size.form} + 2 * ${space.lg})` });
