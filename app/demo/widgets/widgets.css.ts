import { style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space } from "#styles/tokens.css";
import { row } from "../demo.css";

export const columns = style({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  alignItems: "start",
  gap: space.lg,
  "@media": { [media.notNarrow]: { gridTemplateColumns: "repeat(2,minmax(0,1fr))" } },
});
export const column = style({ display: "grid", gap: space.lg, listStyle: "none" });
/** Phones show the columns as one. */
export const twoColumnsOnly = style({ "@media": { [media.narrow]: { display: "none" } } });
/** An icon beside a title with its date. */
export const news = style({
  display: "grid",
  gridTemplateColumns: "auto minmax(0,1fr)",
  columnGap: space.sm,
  alignItems: "start",
});
/** A face above its name. */
export const person = style({ display: "grid", justifyItems: "center", gap: space.xs });
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
