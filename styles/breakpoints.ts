// Measured in em, so that a larger text size in the browser moves the layout too.
const em = (pixels: number) => `${pixels / 16}em`;

export const media = {
  /** Under 600 px: controls grow for fingers. */
  narrow: `screen and (max-width: ${em(599.98)})`,
  notNarrow: `screen and (min-width: ${em(600)})`,
  /** Windows in which something may stick to an edge: it leaves room for the rest. */
  roomy: `screen and (min-width: ${em(600)}), screen and (min-height: ${em(600)})`,
  /** Under 900 px: the sidebar is a drawer. */
  belowMedium: `screen and (max-width: ${em(899.98)})`,
  medium: `screen and (min-width: ${em(900)})`,
  lowMedium: `screen and (min-width: ${em(900)}) and (max-height: ${em(860)})`,
  /** From 1000 px: a page about one thing has two columns. */
  detail: `screen and (min-width: ${em(1000)})`,
  /** A page about one thing, wider than a phone, with one column. */
  tablet: `screen and (min-width: ${em(600)}) and (max-width: ${em(999.98)})`,
  /** From 1200 px: forms have their machines beside their fields. */
  twoColumns: `screen and (min-width: ${em(1200)})`,
  /** Under 1100 px: table rows become cards, because beside the sidebar their columns would not fit. */
  cards: `screen and (max-width: ${em(1099.98)})`,
  /** Cards that are wider than a phone. */
  wideCards: `screen and (min-width: ${em(600)}) and (max-width: ${em(1099.98)})`,
  notCards: `screen and (min-width: ${em(1100)})`,
  /** Tables with actions may be wider than their place. */
  tight: `screen and (min-width: ${em(1100)}) and (max-width: ${em(1239.98)})`,
  /** Under 1240 px: there is little room for buttons beside a search. */
  compact: `screen and (max-width: ${em(1239.98)})`,
  /** From 1600 px: lists show all of their columns. */
  wide: `screen and (min-width: ${em(1600)})`,
  belowWide: `screen and (max-width: ${em(1599.98)}), print`,
  screen: "screen",
  print: "print",
  dark: "screen and (prefers-color-scheme: dark)",
  reducedMotion: "(prefers-reduced-motion: reduce)",
  forcedColors: "(forced-colors: active)",
  /** Boxes of our own would lack their colours. */
  systemBoxes: "(forced-colors: active), print",
} as const;
