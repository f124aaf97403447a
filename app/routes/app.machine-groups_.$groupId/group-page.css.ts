import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, size, space, weight } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";

/** Heading and search, as far from the edges as the rows. */
export const tools = style({});
globalStyle(`${tools}${tools}`, { padding: `${space.sm} ${space.lg}` });
/** Actions on ticked rows, after the rows. */
export const bar = style([
  wrappingRow,
  {
    gap: space.sm,
    padding: `${space.sm} ${space.lg}`,
    borderTop: `${line.thin} ${color.border}`,
  },
]);
// Takes no room while it says nothing, and a line of its own else.
globalStyle(`${bar} > [role="alert"]`, { width: "100%" });
globalStyle(`${bar} > :empty`, { position: "absolute" });
export const selected = style({ fontWeight: weight.strong });
/** Column of check boxes; cards have room for the name of the one that ticks them all. */
export const box = style({ "@media": { [media.notCards]: { width: size.row } } });
globalStyle(`${box} > label`, { display: "flex", alignItems: "center", gap: space.md });
globalStyle(`${box} > label > span`, {
  "@media": { [media.notCards]: { position: "absolute", clipPath: "inset(50%)" } },
});
export const list = style({ listStyle: "none", overflowWrap: "anywhere" });
