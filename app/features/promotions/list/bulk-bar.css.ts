import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../../styles/breakpoints";
import { wrappingRow } from "#styles/global.css";
import { layer, size, space, text, weight } from "#styles/tokens.css";
import { card, skipLinks } from "../../../ui/layout/layout.css";
import { section } from "../../../ui/overlay/overlay.css";

export const bar = style([
  card,
  wrappingRow,
  {
    position: "relative",
    gap: space.sm,
    marginTop: space.md,
    padding: `${space.sm} ${space.lg}`,
  },
]);
// Sticks to the bottom of the window while something is selected, on this page or on another. A dialog without scripts
// is a part of the page, and comes first. Not `html:has()`: at each step of hydration, browsers would search the page.
const ticked = "tbody input:checked";
const withSelection = `#list:has(${ticked}, ~ ${bar}[data-selected])`;
globalStyle(`${withSelection} ~ ${bar}:not(${section} ~ *)`, {
  // Messages at the bottom of the window, with their Undo, and open menus stand above it.
  "@media": { [media.roomy]: { position: "sticky", bottom: 0, zIndex: layer.topBar } },
});
// It must not cover what gets the focus. Also without a selection: a rule for what stands in a list with one would make
// browsers style all rows at each tick.
globalStyle("#list :focus", {
  "@media": { [media.roomy]: { scrollMarginBottom: size.short } },
});
globalStyle(`${bar} > span:empty`, { display: "none" });
export const selected = style({ fontWeight: weight.strong });
export const buttons = style([
  wrappingRow,
  {
    gap: space.sm,
    "@media": {
      [media.narrow]: { columnGap: space.xs },
      [media.notCards]: { marginInlineStart: "auto" },
    },
  },
]);
globalStyle(`${bar} :is(button, summary, label)`, { "@media": { [media.cards]: text.label } });
globalStyle(`${buttons} :is(button, summary)`, {
  "@media": { [media.cards]: { gap: space.xs, paddingInline: space.sm } },
});
// Clear would take a line of its own.
globalStyle(`${buttons} > [type="reset"]`, {
  "@media": {
    [media.cards]: { position: "absolute", top: space.sm, insetInlineEnd: 0 },
  },
});
// Leaves room for it: a long label breaks into another line.
globalStyle(`${bar} > label`, {
  "@media": { [media.cards]: { maxWidth: "50%" } },
});
// Without a selection there is nothing to act on, and 25 rows have stops of Tab enough. Without scripts a link stands
// before the box for all rows, which can then be ticked alone.
const idle = `#list:not(:has(${ticked})) ~ ${bar}:not([data-selected], :has([name="all"]:checked))`;
globalStyle(`${idle} :is(${buttons}, span + label)`, { display: "none" });
// Hides the card where scripts have taken its link away: the number of selected rows is for screen readers alone.
globalStyle(`${idle}:not(:has(a), :focus)`, { opacity: 0 });
// Follows a ticked box.
globalStyle(`input:not(:checked) + ${skipLinks}`, { display: "none" });
/** Entries of a menu that are buttons of the form. On a phone they unfold in the bar, where all of them have room. */
export const more = style({});
globalStyle(`${more} > button`, {
  justifyContent: "start",
  width: "100%",
  border: 0,
  fontWeight: weight.normal,
  whiteSpace: "nowrap",
});
const menu = `${bar} details`;
globalStyle(`${menu}[open]`, { "@media": { [media.narrow]: { width: "100%" } } });
globalStyle(`${menu} > div`, {
  "@media": { [media.narrow]: { position: "static", marginTop: space.sm } },
});
