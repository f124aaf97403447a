import { style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space } from "#styles/tokens.css";
import { muted } from "#styles/global.css";
import { row } from "../demo.css";

export const columns = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  alignItems: "start",
  gap: space.lg,
  "@media": { [media.medium]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" } },
});
export const column = style({ display: "grid", gap: space.lg, listStyle: "none" });
/** Names a column where the columns stand one beneath the other. */
export const columnName = style([
  muted,
  { marginBottom: space.sm, "@media": { [media.medium]: { display: "none" } } },
]);
/** An icon beside a title with its date. */
export const news = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr)",
  columnGap: space.sm,
  alignItems: "start",
});
/** How long a widget glides to its new place, in ms. */
export const moveMs = 550;
export const widget = style({ position: "relative", minWidth: 0 });
export const moves = style([row, { gap: space.sm }]);
export const handle = style({
  position: "absolute",
  top: space.sm,
  insetInlineEnd: space.sm,
  cursor: "grab",
});
const rounded = { borderRadius: radius.card };
export const dragging = style({ ...rounded, opacity: 0.5 });
export const dropTarget = style({ ...rounded, outline: `${line.thick} ${color.accent}` });
export const loader = style({
  width: size.action,
  height: size.action,
  borderRadius: radius.full,
  border: `4px solid ${color.border}`,
  borderTopColor: color.accent,
});
