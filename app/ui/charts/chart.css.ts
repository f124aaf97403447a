import { createVar, globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, family, space } from "#styles/tokens.css";

/** Colours of charts; they follow the theme and forced colours. */
export const paint = { bar: createVar(), grid: createVar(), words: createVar() };

export const chart = style({
  vars: { [paint.bar]: color.accent, [paint.grid]: color.border, [paint.words]: color.muted },
  "@media": {
    [media.forcedColors]: {
      forcedColorAdjust: "none",
      vars: { [paint.bar]: "CanvasText", [paint.grid]: "GrayText", [paint.words]: "CanvasText" },
    },
  },
});
globalStyle(`${chart} svg`, { width: "100%", height: "auto" });
globalStyle(`${chart} text`, { fontFamily: family.sans, fontSize: "12px" });

// Letters in a picture shrink with it: a phone gets one that was drawn for its width.
export const wide = style({ "@media": { [media.narrow]: { display: "none" } } });
export const narrow = style({
  display: "none",
  "@media": { [media.narrow]: { display: "block" } },
});

export const table = style({ marginTop: space.md });
