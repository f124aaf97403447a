import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { size, space } from "#styles/tokens.css";

/** Two lines at most, beside three buttons. */
export const reason = style({ "@media": { [media.notCards]: { minWidth: size.popover } } });

/** Buttons in one row, which phones wrap. */
export const actions = style({
  display: "flex",
  gap: space.sm,
  "@media": {
    [media.notCards]: { justifyContent: "flex-end" },
    [media.cards]: { flexWrap: "wrap" },
  },
});
globalStyle(`${actions} > form`, { display: "flex", gap: space.sm, flexWrap: "inherit" });
