import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { stack } from "../../../styles/mixins";
import { label } from "../../ui/form/form.css";
import { actions } from "../../ui/layout/layout.css";
import { color, family, line, radius, size, space, text, weight } from "#styles/tokens.css";

export const skip = style({
  position: "absolute",
  selectors: { "&:not(:focus)": { clipPath: "inset(50%)", insetInlineStart: 0 } },
});
export const search = style(stack(space.xs));
globalStyle(`fieldset > ${search}`, { margin: `${space.md} 0` });
export const searchRow = actions;
export const searchInput = style({ flex: `1 1 ${size.short}`, width: "auto", minWidth: 0 });
export const panels = style({
  display: "grid",
  gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
  gap: space.lg,
  "@media": { [media.narrow]: { gridTemplateColumns: "minmax(0, 1fr)" } },
});
export const panel = style({
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.control,
  overflow: "hidden",
  display: "flex",
  flexDirection: "column",
});
export const panelHead = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: `${space.xs} ${space.sm}`,
  minHeight: `calc(${size.action} + 2 * ${space.sm})`,
  padding: `${space.sm} ${space.sm} ${space.sm} ${space.md}`,
  borderBottom: `${line.thin} ${color.border}`,
  background: color.sunken,
});
/** Beside a button even at half the form's width. */
export const panelTitle = label;
export const count = style({ color: color.muted, fontWeight: weight.normal });
export const list = style({
  listStyle: "none",
  maxHeight: size.machineList,
  overflowY: "auto",
  padding: `${space.xs} 0`,
});
// Beside a longer panel, a list takes the room that it has.
globalStyle(`${panel} > ${list}:last-child`, {
  "@media": { [media.notNarrow]: { flex: `1 1 ${size.machineList}`, maxHeight: "none" } },
});

/** Before the machines of a panel: the groups. */
export const groupsTitle = style([
  label,
  { margin: 0, padding: `${space.sm} ${space.md} ${space.none}` },
]);
/** Short, so that the machines stay in sight. */
export const groups = style({
  listStyle: "none",
  maxHeight: `calc(${size.machineList} / 2)`,
  overflowY: "auto",
  padding: `${space.xs} 0`,
  borderBottom: `${line.thin} ${color.border}`,
  selectors: { "&:empty": { display: "none" } },
});
globalStyle(`${groups} ~ ${list}`, { maxHeight: `calc(${size.machineList} / 2)` });
export const choice = style({
  display: "flex",
  gap: space.md,
  alignItems: "center",
  padding: `${space.sm} ${space.md}`,
  cursor: "pointer",
  ":hover": { background: color.sunken },
});
export const words = style({ minWidth: 0, overflowWrap: "anywhere" });
const hint = style({ display: "block", color: color.muted, ...text.small });
export const hints = { machine: style([hint, { fontFamily: family.mono }]), group: hint };
export const empty = style({ color: color.muted, padding: `${space.lg} ${space.md}` });
export const more = style({
  color: color.muted,
  padding: `${space.sm} ${space.md}`,
  borderTop: `${line.thin} ${color.border}`,
  ...text.label,
});
