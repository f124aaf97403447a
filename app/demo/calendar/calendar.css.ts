import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { row } from "../demo.css";

const onPhones = (rules: object) => ({ "@media": { [media.narrow]: rules } });

export const head = style([row, { marginBottom: space.md }]);
globalStyle(`${head} > h2`, { marginInlineEnd: "auto", ...onPhones({ flexBasis: "100%" }) });

/** Seven columns; on phones the days stand one beneath the other. */
export const table = style({
  width: "100%",
  marginBottom: space.md,
  tableLayout: "fixed",
  borderCollapse: "collapse",
  background: color.surface,
});
globalStyle(`${table} th`, { padding: space.xs, color: color.muted, ...text.small });
globalStyle(`${table} :is(thead)`, onPhones({ display: "none" }));
globalStyle(`${table}, ${table} :is(tbody, tr, td)`, onPhones({ display: "block" }));
export const cell = style({
  height: size.cell,
  padding: space.xs,
  border: `${line.thin} ${color.border}`,
  verticalAlign: "top",
  ...onPhones({ height: "auto", marginTop: "-1px" }),
});
/** A day of another month; phones leave it out. */
export const otherCell = style([
  cell,
  {
    background: color.sunken,
    ...onPhones({ selectors: { [`${table} td&`]: { display: "none" } } }),
  },
]);
export const number = style({
  display: "inline-grid",
  placeItems: "center",
  minWidth: size.target,
  minHeight: size.target,
  borderRadius: radius.full,
  ...text.small,
  textDecoration: "none",
  selectors: {
    "&:hover": { textDecoration: "underline" },
    "&[aria-current]": {
      background: color.accent,
      color: color.onAccent,
      fontWeight: weight.strong,
    },
  },
});
/** The day of the week beside the number, where the table has no columns. */
export const weekday = style({
  display: "none",
  marginInlineStart: space.xs,
  color: color.muted,
  ...text.small,
  ...onPhones({ display: "inline" }),
});
export const events = style({ display: "grid", gap: space.xs, listStyle: "none" });
const eventBase = style({ borderRadius: space.xs, ...text.small });
export const event = styleVariants({
  info: [eventBase, { background: color.infoBg, color: color.info }],
  ok: [eventBase, { background: color.successBg, color: color.success }],
  warn: [eventBase, { background: color.warningBg, color: color.warning }],
  bad: [eventBase, { background: color.dangerBg, color: color.danger }],
});
export const eventLink = style({
  display: "block",
  minHeight: size.target,
  padding: space.xs,
  overflowWrap: "anywhere",
  textDecoration: "none",
  selectors: { "&:hover": { textDecoration: "underline" } },
});
