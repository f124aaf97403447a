import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, radius, size, space } from "#styles/tokens.css";

const cards = (rules: object) => ({ "@media": { [media.cards]: rules } });

export const rowActions = style({
  display: "flex",
  justifyContent: "flex-end",
  "@media": {
    [media.cards]: { flexWrap: "wrap" },
    [media.narrow]: {
      position: "relative",
      justifyContent: "flex-start",
      marginInlineStart: `-${space.sm}`,
    },
  },
});
// On phones a tooltip begins where the actions do, and may take a second line: beside its icon it would be cut off.
globalStyle(`${rowActions}${rowActions} :focus-visible`, {
  "@media": { [media.narrow]: { position: "static" } },
});
globalStyle(`${rowActions}${rowActions} :focus-visible::after`, {
  "@media": { [media.narrow]: { insetInline: "0 auto", whiteSpace: "normal" } },
});
globalStyle(`${rowActions} > form`, cards({ display: "contents" }));
// Puts the reason why an action failed beside the actions, over values of the row, or on a line of its own in a card.
globalStyle(`${rowActions} [role="alert"]:not(:empty)`, {
  "@media": {
    [media.cards]: { order: 1, width: "100%", paddingInline: space.sm },
    [media.wideCards]: { justifyContent: "flex-end" },
    [media.notCards]: {
      position: "absolute",
      insetBlock: space.xxs,
      insetInlineEnd: `calc(4 * ${size.action} + ${space.lg})`,
      alignItems: "center",
      width: size.dialog,
      paddingInline: space.sm,
      background: color.dangerBg,
      borderRadius: radius.control,
      textAlign: "start",
      whiteSpace: "normal",
    },
  },
});
