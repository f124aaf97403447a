import { createVar, globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, family, line, size, space, text } from "#styles/tokens.css";

/** Colours of charts; they follow the theme and forced colours. */
export const paint = {
  bar: createVar(),
  /** The dashed line of the period before. */
  before: createVar(),
  grid: createVar(),
  text: createVar(),
  /** Numbers on the lighter cells of a heat map, and on the darkest. */
  figures: createVar(),
  onHeat: createVar(),
};

/** Shades of a heat map, from the fewest to the most: numbers are readable on each of them. */
export const heatOpacities = [0.12, 0.26, 0.4, 1] as const;

export const chart = style({
  vars: {
    [paint.bar]: color.accent,
    [paint.before]: color.muted,
    [paint.grid]: color.border,
    [paint.text]: color.muted,
    [paint.figures]: color.text,
    [paint.onHeat]: color.onAccent,
  },
  "@media": {
    [media.forcedColors]: {
      forcedColorAdjust: "none",
      vars: {
        [paint.bar]: "CanvasText",
        [paint.before]: "CanvasText",
        [paint.grid]: "GrayText",
        [paint.text]: "CanvasText",
        [paint.figures]: "CanvasText",
        [paint.onHeat]: "Canvas",
      },
    },
  },
});
globalStyle(`${chart} svg`, { width: "100%", height: "auto" });
globalStyle(`${chart} text`, { fontFamily: family.sans, fontSize: "12px" });

/** Holds one picture for each width that it may have. */
export const figure = style({ containerType: "inline-size" });

// Letters in a picture shrink with it, so each width gets one that was drawn for it; browsers that can't
// measure it get the medium one.
const isNarrow = "(max-width: 459.98px)";
const isWide = "(min-width: 860px)";
export const wide = style({
  display: "none",
  "@container": { [isWide]: { display: "block" } },
});
export const medium = style({
  "@container": { [isNarrow]: { display: "none" }, [isWide]: { display: "none" } },
});
export const narrow = style({
  display: "none",
  "@container": { [isNarrow]: { display: "block" } },
});

/** Names of the lines, each after a piece of its line. */
export const series = style({
  display: "flex",
  flexWrap: "wrap",
  gap: `${space.xs} ${space.lg}`,
  margin: 0,
  padding: 0,
  listStyle: "none",
  color: color.muted,
  ...text.small,
});
const sample = { display: "inline-block", width: size.icon, verticalAlign: "middle" };
globalStyle(`${series} i`, { ...sample, borderTop: `${line.thick} ${color.accent}` });
globalStyle(`${series} li + li i`, { borderTop: `2px dashed ${color.muted}` });

export const table = style({ marginTop: space.md, "@media": { print: { display: "none" } } });
