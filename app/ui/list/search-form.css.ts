import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

/** Above a table. */
export const searchRow = style({ display: "flex", gap: space.sm });
