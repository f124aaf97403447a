import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const assigned = style({ display: "grid", gap: space.sm });
export const groups = style({ listStyle: "none" });
