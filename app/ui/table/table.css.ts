import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { card } from "../layout/layout.css";

const cards = (rules: object) => ({ "@media": { [media.cards]: rules } });

/** Holds tools, rows and footer. */
export const frame = style([
  card,
  { minWidth: 0, "@media": { [media.print]: { border: 0, boxShadow: "none" } } },
]);

export const tools = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: space.sm,
  minHeight: size.touch,
  padding: `${space.xxs} ${space.sm} ${space.xxs} ${space.lg}`,
  borderBottom: `${line.thin} ${color.border}`,
  color: color.muted,
  "@media": { [media.narrow]: { gap: `0 ${space.xs}`, paddingInlineEnd: space.lg } },
});
globalStyle(`${tools} > :is(p, h2)`, { paddingBlock: space.sm });
globalStyle(`${tools} > p`, { "@media": { [media.narrow]: text.small } });

// Positioned, so that names read by assistive technology only do not widen the page.
export const scroll = style({
  position: "relative",
  overflowX: "auto",
  // Those of the card.
  borderRadius: radius.card,
  "@media": { [media.print]: { overflow: "visible" } },
});

export const table = style({
  width: "100%",
  borderCollapse: "collapse",
  "@media": {
    [media.cards]: { display: "block" },
    // Gives the sheet the width of a window.
    [media.print]: { zoom: 0.75 },
  },
});

globalStyle(`${table} th, ${table} td`, {
  // Between 4 and 8: twelve columns fit beside the sidebar.
  padding: `${space.xs} calc(${space.xs} + ${space.xxs})`,
  borderBottom: `${line.thin} ${color.border}`,
  textAlign: "left",
});
// Only names and headings may take a second line: what is scanned stays on one.
globalStyle(`${table} td`, { whiteSpace: "nowrap", ...cards({ whiteSpace: "normal" }) });
/** A value that something small may follow, on a second line where there is no room beside it. */
export const withNote = style({});
// Outweighs the rules for moments and for the headers of rows.
globalStyle(`${table}${table} .${withNote}`, { overflowWrap: "break-word", whiteSpace: "normal" });
/** A fact beneath the value that it belongs to, such as the code beneath a name. */
export const detail = style({
  display: "block",
  ...text.small,
  fontWeight: weight.normal,
  color: color.muted,
});
globalStyle(`${detail} > code`, { whiteSpace: "nowrap" });
/** A value that something is said about, beneath. */
export const twoLines = style({ minWidth: size.name });
globalStyle(`${table} .${twoLines}`, {
  whiteSpace: "normal",
  overflowWrap: "anywhere",
});
globalStyle(`${table} td.${twoLines}`, cards({ flexBasis: "100%" }));
globalStyle(`${table} .${twoLines} > span`, { display: "block" });
globalStyle(`${table} .${twoLines} > a + span`, cards({ display: "inline" }));
globalStyle(`${table} .${twoLines} > .${detail}`, {
  "@media": { [media.twoColumns]: { whiteSpace: "nowrap" } },
});
export const actions = style({});
// Leaves room for all columns beside the sidebar.
globalStyle(`${table} :where(tr:has(> .${actions})) > :is(th, td)`, {
  "@media": { [media.tight]: { paddingInline: space.xs } },
});
globalStyle(`${table} th:first-child, ${table} td:first-child`, { paddingInlineStart: space.lg });
globalStyle(`${table} th:last-child, ${table} td:last-child`, { paddingInlineEnd: space.lg });
globalStyle(`${table} thead th`, {
  height: size.touch,
  ...text.small,
  fontWeight: weight.strong,
  color: color.muted,
});
globalStyle(`${table} tbody tr:last-child > *`, { borderBottom: 0 });
globalStyle(`${table} tbody > tr > *`, {
  height: size.row,
  "@media": { [media.print]: { height: size.touch } },
});
globalStyle(`${table} tbody tr`, { background: color.surface });
globalStyle(`${table} tbody tr:hover`, { background: color.bg });
globalStyle(`${table} tbody tr:has(input:checked)`, {
  background: color.tint,
  // The tint is nearly that of some badges. A rule about the badges themselves would style all of them anew whenever a
  // script touches a box.
  vars: Object.fromEntries(
    [color.successBg, color.warningBg, color.dangerBg, color.infoBg, color.neutralBg].map(
      (back) => [back, color.surface],
    ),
  ),
});

/** The cell that selects its row. A press anywhere in it ticks the box, which is smaller than a shaky hand needs. */
export const selection = style({ position: "relative" });
globalStyle(`${selection} > input::after`, {
  content: "''",
  position: "absolute",
  inset: 0,
});

/** The number of rows, at the left of the tools. */
export const count = style({
  flex: 1,
  "@media": { [media.narrow]: { flex: "none", maxWidth: "100%", marginInlineEnd: "auto" } },
});
/** Replaces the number of rows where the table is a section. */
export const heading = style({ marginInlineEnd: "auto", color: color.text });
/** A column that only wide windows have room for. */
export const wideOnly = style({});
globalStyle(`${table}${table} .${wideOnly}`, {
  "@media": { [media.belowWide]: { display: "none" } },
});
/** Facts in the place of columns that only wide windows have room for. */
export const folded = style({ "@media": { [media.wide]: { display: "none" } } });
/** A column that cards have no room for. */
export const notInCards = style({});
globalStyle(`${table} .${notInCards}`, cards({ display: "none" }));

// Under 1100 px a row is a card: what ticks it, its name and its status on top; then the values; then
// the actions. Lines break where they have to. Of the head, the orders are left.
globalStyle(
  `${table} thead:has(a, input)`,
  cards({
    display: "block",
    padding: `${space.xs} ${space.lg}`,
    borderBottom: `${line.thin} ${color.border}`,
  }),
);
globalStyle(
  `${table} thead tr`,
  cards({ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: space.lg }),
);
globalStyle(
  `${table}${table} thead th`,
  cards({ display: "flex", alignItems: "center", height: size.action, padding: 0, border: 0 }),
);
globalStyle(
  `${table}${table} thead th:not(:has(a, input))`,
  cards({ position: "absolute", clipPath: "inset(50%)" }),
);
globalStyle(
  `${table} thead tr:has(a)::before`,
  cards({ content: "'Sort by'", ...text.small, color: color.muted }),
);
// Keeps beside the box what wraps, too.
globalStyle(
  `${table} thead tr:has(input)`,
  cards({
    position: "relative",
    minHeight: size.action,
    paddingInlineStart: `calc(${size.icon} + ${space.md})`,
  }),
);
globalStyle(
  `${table}${table} thead th:has(input)`,
  cards({ position: "absolute", insetInlineStart: 0, top: 0 }),
);
globalStyle(`${table} tbody`, cards({ display: "block" }));
globalStyle(
  `${table} tbody tr`,
  cards({
    display: "flex",
    flexWrap: "wrap",
    gap: `${space.xxs} ${space.md}`,
    padding: `${space.md} ${space.lg}`,
    borderBottom: `${line.thin} ${color.border}`,
  }),
);
// Ends the first line, whatever it holds.
globalStyle(`${table} tbody tr::before`, cards({ content: "''", order: 1, width: "100%" }));
globalStyle(`${table} tbody tr > *`, cards({ order: 2 }));
globalStyle(`${table} tbody .${selection}`, cards({ order: 0 }));
// Lines up everything beside a box with the name.
globalStyle(
  `${table} tbody tr:has(> .${selection})`,
  cards({
    position: "relative",
    paddingInlineStart: `calc(${space.lg} + ${size.icon} + ${space.md})`,
  }),
);
globalStyle(
  `${table} tbody .${selection}`,
  cards({ position: "absolute", insetInlineStart: space.lg }),
);
globalStyle(`${table} tbody tr:last-child`, cards({ borderBottom: 0 }));
// The doubled class outweighs the wide rules for first and last cells.
globalStyle(
  `${table}${table} tbody tr > :not(.${notInCards}, .${wideOnly})`,
  cards({
    display: "block",
    height: "auto",
    padding: 0,
    border: 0,
    textAlign: "left",
    overflowWrap: "anywhere",
  }),
);
globalStyle(
  `${table} td::before`,
  cards({ content: "attr(data-label) ' '", color: color.muted, ...text.small }),
);

export const number = style({});
globalStyle(`${table} .${number}`, { textAlign: "right" });
globalStyle(`${table} :is(.${notInCards}, .${number})`, {
  "@media": { [media.tight]: { whiteSpace: "normal" } },
});
// The column after a number begins at the left.
globalStyle(`${table} .${number} + :not(.${number})`, {
  "@media": { [media.notCards]: { paddingInlineStart: space.lg } },
});

// The row's header: what the row is about, with its code beneath.
globalStyle(`${table} tbody th`, {
  minWidth: size.name,
  fontWeight: weight.strong,
  overflowWrap: "anywhere",
  "@media": {
    [media.tight]: { minWidth: size.short },
    [media.cards]: { order: 0, flex: `1 1 ${size.short}`, minWidth: 0 },
  },
});
globalStyle(`${table} tbody th > span`, { display: "block" });
globalStyle(`${table} tbody th > a:not(:hover, :focus)`, { textDecoration: "none" });
// A long name takes two lines; its page has the rest.
globalStyle(`${table} tbody th > a`, {
  "@media": {
    [media.screen]: {
      display: "-webkit-box",
      WebkitBoxOrient: "vertical",
      WebkitLineClamp: 2,
      overflow: "hidden",
    },
  },
});
/** A moment or an address in the place of a name: on one line where there is room. */
export const moment = style({});
globalStyle(`${table} tbody .${moment}`, {
  "@media": { [media.notCards]: { minWidth: 0, whiteSpace: "nowrap" } },
});
export const status = style({});
globalStyle(`${table} tbody .${status}`, cards({ order: 0 }));
globalStyle(`${table} tbody .${actions}`, {
  "@media": {
    [media.cards]: { order: 3, width: "100%" },
    [media.wideCards]: { width: "auto", marginInlineStart: "auto" },
  },
});
globalStyle(`${table} .${actions}`, {
  textAlign: "right",
  "@media": {
    [media.notCards]: { position: "sticky", insetInlineEnd: 0, background: "inherit" },
    [media.print]: { display: "none" },
  },
});
// The status stays beside the actions, which would lie over it.
globalStyle(`${table} tr:has(> .${actions}) > .${status}`, {
  "@media": {
    [media.tight]: {
      position: "sticky",
      insetInlineEnd: `calc(4 * ${size.action} + ${space.lg} + ${space.xs})`,
      background: "inherit",
    },
  },
});
globalStyle(`${table} .${actions} > form`, {
  justifyContent: "flex-end",
  flexWrap: "nowrap",
  ...cards({ justifyContent: "flex-start", flexWrap: "wrap", marginTop: space.xs }),
});
globalStyle(`${table} thead tr`, { background: color.surface });
