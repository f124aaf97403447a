import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, radius, size, space } from "#styles/tokens.css";

const cards = (rules: object) => ({ "@media": { [media.cards]: rules } });

export const rowActions = style({
  display: "flex",
  justifyContent: "flex-end",
  ...cards({ flexWrap: "wrap", justifyContent: "flex-start", marginInlineStart: `-${space.sm}` }),
});
globalStyle(`${rowActions} > form`, cards({ display: "contents" }));
// Puts the reason why an action failed beside the actions, over values of the row, or on a line of its own in a card.
globalStyle(`${rowActions} [role="alert"]:not(:empty)`, {
  "@media": {
    [media.cards]: { order: 1, width: "100%", paddingInlineStart: space.sm },
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
