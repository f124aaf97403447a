import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const content = style({ display: "grid", gap: space.sm, justifyItems: "start" });
