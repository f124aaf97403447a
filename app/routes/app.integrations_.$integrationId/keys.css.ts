import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const card = style({ display: "grid", gap: space.lg });
