import { style } from "@vanilla-extract/css";
import { space } from "#styles/tokens.css";

export const body = style({ display: "grid", gap: space.md, marginBottom: space.lg });
export const machine = style({ breakInside: "avoid", overflowWrap: "anywhere" });
