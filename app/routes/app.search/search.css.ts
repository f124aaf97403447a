import { style } from "@vanilla-extract/css";
import { size, space } from "#styles/tokens.css";

export const form = style({
  display: "grid",
  gap: space.md,
  maxWidth: size.form,
  justifyItems: "start",
});
export const results = style({ display: "grid", gap: space.lg, marginTop: space.lg });
