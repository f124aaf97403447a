import { style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

/** What is done to the ticked rows stands after them. */
export const bar = style({ display: "grid", justifyItems: "start", gap: space.sm });
/** As narrow as its boxes. */
export const box = style({ width: size.row });
export const parts = style({ display: "grid", gap: space.lg });
export const list = style({ listStyle: "none", overflowWrap: "anywhere" });
