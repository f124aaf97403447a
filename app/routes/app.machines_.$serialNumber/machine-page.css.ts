import { globalStyle, style } from "@vanilla-extract/css";
import { size, space, weight } from "#styles/tokens.css";
import { media } from "../../../styles/breakpoints";

/** Counts of refused attempts by reason. */
export const reasons = style({
  display: "grid",
  gridTemplateColumns: "max-content minmax(0,1fr)",
  gap: `${space.xs} ${space.md}`,
});
export const count = style({ textAlign: "right", fontWeight: weight.strong });

/** Name of a row's promotion, with its code beneath. */
export const subject = style({});
globalStyle(`tbody td.${subject}.${subject}`, {
  minWidth: size.name,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
  "@media": { [media.narrow]: { minWidth: 0 } },
});
globalStyle(`${subject} > *`, { display: "block" });
