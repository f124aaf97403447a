import { style } from "@vanilla-extract/css";
import { color, space } from "#styles/tokens.css";
import { card } from "../../ui/layout/layout.css";

export const bar = style([
  card,
  {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space.sm} ${space.lg}`,
    marginTop: space.lg,
    padding: `${space.sm} ${space.lg}`,
  },
]);
export const status = style({ color: color.muted });
export const actions = style({ display: "flex", flexWrap: "wrap", gap: space.sm });
