import { style } from "@vanilla-extract/css";
import { wrappingRow } from "#styles/global.css";
import { color, size, space } from "#styles/tokens.css";
import { card } from "../../ui/layout/layout.css";

export const bar = style([
  card,
  wrappingRow,
  {
    gap: `${space.sm} ${space.lg}`,
    marginTop: space.lg,
    padding: `${space.sm} ${space.lg}`,
  },
]);

/** Placeholder of a control that does not apply. */
export const unavailable = style({
  display: "inline-grid",
  placeItems: "center",
  width: size.action,
  height: size.action,
  color: color.muted,
  opacity: 0.4,
});
