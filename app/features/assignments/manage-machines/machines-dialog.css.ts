import { globalStyle, style } from "@vanilla-extract/css";
import { stack } from "../../../../styles/mixins";
import { actions } from "../../../ui/layout/layout.css";
import { color, line, space, text } from "#styles/tokens.css";

export const form = style(stack(space.lg));
export const about = style({ display: "grid", gap: space.xs });
export const tools = actions;
export const row = style({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.sm,
  padding: `${space.sm} ${space.sm} ${space.sm} ${space.md}`,
});
globalStyle(`${row} > button`, { flex: "none" });
export const panelFoot = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: space.sm,
  // Keeps it at the bottom of a panel that is as high as a longer one beside it.
  marginTop: "auto",
  padding: `${space.sm} ${space.md}`,
  borderTop: `${line.thin} ${color.border}`,
});
export const note = style({
  color: color.muted,
  padding: `${space.sm} ${space.md}`,
  borderBottom: `${line.thin} ${color.border}`,
  ...text.label,
});
export const question = style({
  display: "grid",
  gap: space.sm,
  padding: `${space.md}`,
  borderBottom: `${line.thin} ${color.border}`,
  background: color.dangerBg,
});
