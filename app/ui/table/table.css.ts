import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { card } from "../layout/layout.css";

const narrow = (rules: object) => ({ "@media": { [media.narrow]: rules } });

/** Holds tools, rows and footer. */
export const frame = style([card, { minWidth: 0 }]);

export const tools = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: space.sm,
  padding: `${space.xxs} ${space.sm} ${space.xxs} ${space.lg}`,
  borderBottom: `${line.thin} ${color.border}`,
  color: color.muted,
});

// Positioned, so that names read by assistive technology only do not widen the page.
export const scroll = style({
  position: "relative",
  overflowX: "auto",
  "@media": { [media.print]: { overflow: "visible" } },
});

export const table = style({
  width: "100%",
  borderCollapse: "collapse",
  ...narrow({ display: "block" }),
});

globalStyle(`${table} th, ${table} td`, {
  // Between 4 and 8: twelve columns fit beside the sidebar.
  padding: `${space.xs} calc(${space.xs} + ${space.xxs})`,
  borderBottom: `${line.thin} ${color.border}`,
  textAlign: "left",
});
// Only names and headings may take a second line: what is scanned stays on one.
globalStyle(`${table} td`, { whiteSpace: "nowrap", ...narrow({ whiteSpace: "normal" }) });
/** A value that something small may follow, on a second line where there is no room beside it. */
export const withNote = style({});
globalStyle(`${table} .${withNote}`, { whiteSpace: "normal" });
/** A value that something is said about, beneath. */
export const twoLines = style({});
globalStyle(`${table} .${twoLines}`, { whiteSpace: "normal", overflowWrap: "anywhere" });
globalStyle(`${table} .${twoLines} > span`, { display: "block" });
globalStyle(`${table} th:first-child, ${table} td:first-child`, { paddingInlineStart: space.lg });
globalStyle(`${table} th:last-child, ${table} td:last-child`, { paddingInlineEnd: space.lg });
globalStyle(`${table} thead th`, {
  height: size.touch,
  ...text.small,
  fontWeight: weight.strong,
  color: color.muted,
});
globalStyle(`${table} tbody tr:last-child > *`, { borderBottom: 0 });
globalStyle(`${table} tbody > tr > *`, { height: size.row });
globalStyle(`${table} tbody tr`, { background: color.surface });
globalStyle(`${table} tbody tr:hover`, { background: color.bg });
globalStyle(`${table} tbody tr:has(input:checked)`, { background: color.tint });

/** The number of rows, at the left of the tools. */
export const count = style({ marginInlineEnd: "auto" });
/** Beneath the name of a row. */
export const note = style({ ...text.small, fontWeight: weight.normal, color: color.muted });
/** A column that only wide windows have room for, and what stands in its place elsewhere. */
export const wide = style({});
export const folded = style({ "@media": { [media.wide]: { display: "none" } } });

// Under 600 px a row is a small card: name and status on top, labelled values, then the actions.
globalStyle(
  `${table} thead`,
  narrow({
    position: "absolute",
    clipPath: "inset(50%)",
    width: space.px,
    height: space.px,
    overflow: "hidden",
  }),
);
globalStyle(`${table} tbody`, narrow({ display: "block" }));
globalStyle(
  `${table} tbody tr`,
  narrow({
    display: "grid",
    gridTemplateColumns: `repeat(auto-fill,minmax(min(${size.cell},40%),1fr))`,
    gap: `${space.sm} ${space.md}`,
    padding: space.lg,
    borderBottom: `${line.thin} ${color.border}`,
  }),
);
globalStyle(`${table} tbody tr:last-child`, narrow({ borderBottom: 0 }));
// The doubled class outweighs the wide rules for first and last cells.
globalStyle(
  `${table}${table} tbody tr > *`,
  narrow({
    display: "block",
    height: "auto",
    padding: 0,
    border: 0,
    textAlign: "left",
    overflowWrap: "anywhere",
  }),
);
globalStyle(
  `${table} td[data-label]::before`,
  narrow({ content: "attr(data-label)", display: "block", color: color.muted, ...text.small }),
);

/** Numbers to the right. */
export const number = style({});
globalStyle(`${table} .${number}`, { textAlign: "right" });

/** The row's header: what the row is about, with its code beneath. */
export const name = style(narrow({ gridColumn: "1 / -2", gridRow: "1" }));
globalStyle(`${table} tbody .${name}`, {
  minWidth: size.name,
  fontWeight: weight.strong,
  overflowWrap: "anywhere",
  ...narrow({ minWidth: 0 }),
});
globalStyle(`${table} .${name} > span`, { display: "block" });
globalStyle(`${table} .${name} > a:not(:hover, :focus)`, { textDecoration: "none" });
/** A moment in the place of a name: short, and on one line where there is room. */
export const moment = style({});
globalStyle(`${table} tbody .${moment}`, {
  "@media": { [media.notNarrow]: { minWidth: 0, whiteSpace: "nowrap" } },
});
export const status = style(narrow({ gridColumn: "-2 / -1", gridRow: "1", justifySelf: "end" }));
export const actions = style(narrow({ gridColumn: "1 / -1" }));
globalStyle(`${table} .${actions}`, {
  textAlign: "right",
  "@media": {
    [media.medium]: { position: "sticky", insetInlineEnd: 0, background: "inherit" },
    [media.print]: { display: "none" },
  },
});
globalStyle(`${table} .${wide}`, { "@media": { [media.belowWide]: { display: "none" } } });

export const rowActions = style({
  display: "flex",
  justifyContent: "flex-end",
  ...narrow({ justifyContent: "flex-start", marginInlineStart: `-${space.sm}` }),
});

export const sortLink = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.xs,
  minHeight: size.target,
  textDecoration: "none",
  selectors: {
    "&:hover": { textDecoration: "underline" },
    "[aria-sort] > &": { color: color.text },
  },
});

export const footer = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: `${space.sm} ${space.lg}`,
  padding: `${space.sm} ${space.lg}`,
  borderTop: `${line.thin} ${color.border}`,
  color: color.muted,
});
/** At the left of tools or footer. */
export const range = style({ marginInlineEnd: "auto" });
export const pager = style({ display: "flex", gap: space.sm });
export const rowsForm = style([pager, { alignItems: "center" }]);
export const rowsSelect = style({ width: "auto" });

export const empty = style({
  display: "grid",
  justifyItems: "center",
  gap: space.md,
  padding: `${space.xxl} ${space.lg}`,
  textAlign: "center",
});
export const emptyIcon = style({
  display: "grid",
  placeItems: "center",
  width: size.row,
  height: size.row,
  borderRadius: radius.full,
  background: color.sunken,
  color: color.muted,
});

/** Above a table. */
export const searchForm = style({ maxWidth: size.form, marginBottom: space.lg });
export const searchRow = style({ display: "flex", gap: space.sm });
