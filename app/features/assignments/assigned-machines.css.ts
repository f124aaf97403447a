import { style } from "@vanilla-extract/css";
import { note } from "#styles/global.css";
import { color, line, radius, space } from "#styles/tokens.css";

/** A serial number stays on one line. */
export const hint = style([note, { whiteSpace: "nowrap" }]);
export const assigned = style({ display: "grid", gap: space.sm });
export const chips = style({ display: "flex", flexWrap: "wrap", gap: space.sm, listStyle: "none" });
export const chip = style({
  minWidth: 0,
  padding: `${space.xs} ${space.md}`,
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  overflowWrap: "anywhere",
});
