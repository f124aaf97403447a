import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { within } from "../../../styles/mixins";
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
  padding: `${space.xxs} ${space.lg}`,
  borderBottom: `${line.thin} ${color.border}`,
  color: color.muted,
  "@media": { [media.narrow]: { gap: `0 ${space.xs}` } },
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

/** A value that something small may follow, on a second line where there is no room beside it. */
export const withNote = style({});
within(table, {
  "& th, & td": {
    // Between 4 and 8: twelve columns fit beside the sidebar.
    padding: `${space.xs} calc(${space.xs} + ${space.xxs})`,
    borderBottom: `${line.thin} ${color.border}`,
    textAlign: "left",
  },
  // Only names and headings may take a second line: what is scanned stays on one.
  "& td": { whiteSpace: "nowrap", ...cards({ whiteSpace: "normal" }) },
  // Outweighs the rules for moments and for the headers of rows.
  [`&& .${withNote}`]: { overflowWrap: "break-word", whiteSpace: "normal" },
});
/** A fact beneath the value that it belongs to, such as the code beneath a name. */
export const detail = style({
  display: "block",
  ...text.small,
  fontWeight: weight.normal,
  color: color.muted,
});
// A code that is longer than the line breaks at its hyphens.
globalStyle(`${detail} code`, { display: "inline-block" });
/** A value that something is said about, beneath. */
export const twoLines = style({ minWidth: size.name });
export const actions = style({});
within(table, {
  [`& .${twoLines}`]: { whiteSpace: "normal", overflowWrap: "anywhere" },
  [`& td.${twoLines}`]: cards({ flexBasis: "100%", marginBottom: space.xxs }),
  [`& .${twoLines} > span`]: { display: "block" },
  [`& .${twoLines} > a + span`]: cards({ display: "inline" }),
  [`& .${twoLines} > .${detail}`]: { "@media": { [media.twoColumns]: { whiteSpace: "nowrap" } } },
  // Leaves room for all columns beside the sidebar.
  [`& :where(tr:has(> .${actions})) > :is(th, td)`]: {
    "@media": { [media.tight]: { paddingInline: space.xs } },
  },
  "& th:first-child, & td:first-child": { paddingInlineStart: space.lg },
  "& th:last-child, & td:last-child": { paddingInlineEnd: space.lg },
  "& thead th": {
    height: size.touch,
    ...text.small,
    fontWeight: weight.strong,
    color: color.muted,
  },
  "& tbody tr:last-child > *": { borderBottom: 0 },
  "& tbody > tr > *": { height: size.row, "@media": { [media.print]: { height: size.touch } } },
  "& tbody tr": { background: color.surface },
  "& tbody tr:hover": { background: color.bg },
  "& tbody tr:has(input:checked)": {
    background: color.tint,
    // The tint is nearly that of some badges. A rule about the badges themselves would style all of them anew whenever a
    // script touches a box.
    vars: Object.fromEntries(
      [color.successBg, color.warningBg, color.dangerBg, color.infoBg, color.neutralBg].map(
        (back) => [back, color.surface],
      ),
    ),
  },
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
export const number = style({});
/** A moment or an address in the place of a name: on one line where there is room. */
export const timestamp = style({});
export const status = style({});

// Under 1100 px a row is a card: what ticks it, its name and its status on top; then the values; then
// the actions. Lines break where they have to. Of the head, the orders are left.
// A doubled class outweighs the wide rules for first and last cells.
within(table, {
  [`& .${notInCards}`]: cards({ display: "none" }),
  "& thead:has(a, input)": cards({
    display: "block",
    padding: `${space.xs} ${space.lg}`,
    borderBottom: `${line.thin} ${color.border}`,
  }),
  "& thead tr": cards({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    columnGap: space.lg,
  }),
  "&& thead th": cards({
    display: "flex",
    alignItems: "center",
    height: size.action,
    padding: 0,
    border: 0,
  }),
  "&& thead th:not(:has(a, input))": cards({ position: "absolute", clipPath: "inset(50%)" }),
  "& thead tr:has(a)::before": cards({ content: "'Sort by'", ...text.small, color: color.muted }),
  // Keeps beside the box what wraps, too.
  "& thead tr:has(input)": cards({
    position: "relative",
    minHeight: size.action,
    paddingInlineStart: `calc(${size.icon} + ${space.md})`,
  }),
  "&& thead th:has(input)": cards({ position: "absolute", insetInlineStart: 0, top: 0 }),
  "& tbody": cards({ display: "block" }),
  "& tbody tr": cards({
    display: "flex",
    flexWrap: "wrap",
    gap: `${space.xxs} ${space.md}`,
    padding: `${space.md} ${space.lg}`,
    borderBottom: `${line.thin} ${color.border}`,
  }),
  // Ends the first line, whatever it holds.
  "& tbody tr::before": cards({ content: "''", order: 1, width: "100%" }),
  "& tbody tr > *": cards({ order: 2 }),
  [`& tbody .${selection}`]: cards({
    order: 0,
    position: "absolute",
    insetInlineStart: space.lg,
  }),
  // Lines up everything beside a box with the name.
  [`& tbody tr:has(> .${selection})`]: cards({
    position: "relative",
    paddingInlineStart: `calc(${space.lg} + ${size.icon} + ${space.md})`,
  }),
  "& tbody tr:last-child": cards({ borderBottom: 0 }),
  [`&& tbody tr > :not(.${notInCards}, .${wideOnly})`]: cards({
    display: "block",
    height: "auto",
    padding: 0,
    border: 0,
    textAlign: "left",
    overflowWrap: "anywhere",
  }),
  "& td::before": cards({ content: "attr(data-label) ' '", color: color.muted, ...text.small }),
});

within(table, {
  [`& .${number}`]: { textAlign: "right" },
  [`& :is(.${notInCards}, .${number})`]: { "@media": { [media.tight]: { whiteSpace: "normal" } } },
  // The column after a number begins at the left.
  [`& .${number} + :not(.${number})`]: {
    "@media": { [media.notCards]: { paddingInlineStart: space.lg } },
  },
  // The row's header: what the row is about, with its code beneath.
  "& tbody th": {
    minWidth: size.name,
    fontWeight: weight.strong,
    overflowWrap: "anywhere",
    "@media": {
      [media.tight]: { minWidth: size.short },
      [media.cards]: { order: 0, flex: `1 1 ${size.short}`, minWidth: 0 },
    },
  },
  "& tbody th > a:not(:hover, :focus)": { textDecoration: "none" },
  // A long name takes two lines; its page has the rest.
  "& tbody th > a": {
    "@media": {
      [media.screen]: {
        display: "-webkit-box",
        WebkitBoxOrient: "vertical",
        WebkitLineClamp: 2,
        overflow: "hidden",
      },
    },
  },
  [`& tbody .${timestamp}`]: {
    "@media": { [media.notCards]: { minWidth: 0, whiteSpace: "nowrap" } },
  },
  [`& tbody .${status}`]: cards({ order: 0 }),
  [`& tbody .${actions}`]: {
    "@media": {
      [media.cards]: { order: 3, width: "100%", marginTop: space.xs },
      // The buttons are higher than the line of the values, which they share: they reach into the space below it.
      [media.wideCards]: { width: "auto", margin: `0 0 calc(-1 * ${space.xs}) auto` },
    },
  },
  [`& .${actions}`]: {
    textAlign: "right",
    "@media": {
      [media.notCards]: { position: "sticky", insetInlineEnd: 0, background: "inherit" },
      [media.print]: { display: "none" },
    },
  },
  // The status stays beside the actions, which would lie over it.
  [`& tr:has(> .${actions}) > .${status}`]: {
    "@media": {
      [media.tight]: {
        position: "sticky",
        insetInlineEnd: `calc(4 * ${size.action} + ${space.lg} + ${space.xs})`,
        background: "inherit",
      },
    },
  },
  [`& .${actions} > form`]: {
    justifyContent: "flex-end",
    flexWrap: "nowrap",
    ...cards({ justifyContent: "flex-start", flexWrap: "wrap" }),
  },
  "& thead tr": { background: color.surface },
});
