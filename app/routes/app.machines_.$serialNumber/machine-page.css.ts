import { style } from "@vanilla-extract/css";
import { color, space, text, weight } from "#styles/tokens.css";

export const parts = style({ display: "grid", gap: space.lg });
/** Small, beneath a figure. */
export const note = style({
  display: "block",
  ...text.label,
  fontWeight: weight.normal,
  letterSpacing: "normal",
  color: color.muted,
});
export const groups = style({
  display: "flex",
  flexWrap: "wrap",
  gap: `${space.xs} ${space.lg}`,
  listStyle: "none",
});
/** A heading with what can be chosen at its right. */
export const head = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.sm,
});
export const section = style({ display: "grid", gap: space.md, marginTop: space.xl });
export const periods = style({ display: "flex", flexWrap: "wrap", gap: space.sm, ...text.label });
/** How often for each reason. */
export const reasons = style({
  display: "grid",
  gridTemplateColumns: "max-content minmax(0,1fr)",
  gap: `${space.xs} ${space.md}`,
});
export const count = style({ textAlign: "right", fontWeight: weight.strong });
