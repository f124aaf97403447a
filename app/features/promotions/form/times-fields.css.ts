import { style } from "@vanilla-extract/css";
import { wrappingRow } from "#styles/global.css";
import { space, text } from "#styles/tokens.css";

export const folded = style({ display: "grid", gap: space.lg, paddingTop: space.sm });
/** The days and the times of a window; the times wrap beneath the days where it is narrow. */
export const row = style([wrappingRow, { gap: `${space.xs} ${space.xl}` }]);
export const days = style([wrappingRow, { gap: `${space.none} ${space.md}` }]);
export const time = style({ ...text.label, display: "flex", alignItems: "center", gap: space.sm });
