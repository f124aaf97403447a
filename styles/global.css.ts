import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "./breakpoints";
import { color, family, line, size, space, text, weight } from "./tokens.css";

globalStyle("*, ::before, ::after", { boxSizing: "border-box" });

globalStyle("html", {
  // Neither the sticky top bar nor the floating theme button may cover what focus scrolls to.
  scrollPaddingTop: `calc(${size.topBar} + ${space.lg})`,
  scrollPaddingBottom: `calc(${size.touch} + 2 * ${space.lg})`,
  WebkitTextSizeAdjust: "100%",
  textSizeAdjust: "100%",
});

globalStyle("body", {
  margin: 0,
  minHeight: "100vh",
  background: color.bg,
  color: color.text,
  fontFamily: family.sans,
  ...text.body,
  fontVariantNumeric: "tabular-nums",
  overflowWrap: "break-word",
  "@media": { [media.print]: { background: color.surface } },
});

globalStyle("h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset", { margin: 0, padding: 0 });
globalStyle("fieldset", { border: 0, minWidth: 0 });
globalStyle("legend", { padding: 0 });
globalStyle("h1", {
  ...text.title,
  fontWeight: weight.title,
  letterSpacing: "-.01em",
  "@media": { [media.narrow]: text.titleNarrow },
});
globalStyle("h2, h3", { ...text.heading, fontWeight: weight.title });
globalStyle("h3", text.body);
globalStyle("b, strong", { fontWeight: weight.strong });
globalStyle("a", { color: "inherit", textUnderlineOffset: "2px" });
globalStyle("button, input, select, textarea", { font: "inherit", color: "inherit" });
globalStyle("code", { fontFamily: family.mono, letterSpacing: ".02em" });
globalStyle("img, svg", { display: "block", maxWidth: "100%" });
globalStyle("summary", { display: "block", cursor: "pointer", listStyle: "none" });
globalStyle("summary::-webkit-details-marker", { display: "none" });
// Closes them in browsers that don't know <details>, such as NetSurf. Others also find text in closed ones.
globalStyle("details:not([open]) > :not(summary)", {
  display: "none",
  "@supports": { "(content-visibility: hidden)": { display: "revert" } },
});
globalStyle("[hidden]", { display: "none !important" as "none" });

globalStyle(":focus-visible", {
  outline: `${line.thick} ${color.accent}`,
  outlineOffset: space.xxs,
  "@media": { [media.forcedColors]: { outlineColor: "Highlight" } },
});
// They get focus from the skip link or after a navigation; a ring around the whole page says nothing.
globalStyle("main:focus, h1:focus, h2:focus", { outline: "none" });

globalStyle("*, ::before, ::after", {
  "@media": {
    [media.reducedMotion]: {
      animation: "none !important",
      transition: "none !important",
    },
  },
});

// On paper there is nothing to press: a page prints what it says, and a table its head on each sheet.
globalStyle(
  "body > header, body > aside, nav, form, button, summary, input, [role=toolbar], [role=search]",
  { "@media": { [media.print]: { display: "none !important" as "none" } } },
);
globalStyle("tr, figure, dl > div, section", {
  "@media": { [media.print]: { breakInside: "avoid" } },
});

// The page for when there is no connection knows no class of the build.
globalStyle("body > main:first-child", {
  maxWidth: size.narrowPage,
  margin: "15vh auto 0",
  padding: space.lg,
});
globalStyle("body > main:first-child > p", { marginTop: space.md });

/** Marks the current entry where the system chooses the colours, which leave no tint. */
export const forcedCurrent = {
  [media.forcedColors]: {
    background: "Highlight",
    color: "HighlightText",
    forcedColorAdjust: "none",
  },
} as const;

export const hiddenVisually = {
  position: "absolute",
  width: space.px,
  height: space.px,
  margin: "-1px",
  padding: 0,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
  border: 0,
} as const;

/** A control that nothing but a script can serve. */
export const scripted = style({ "@media": { "(scripting: none)": { display: "none" } } });

/** Read by assistive technology, not painted. */
export const visuallyHidden = style(hiddenVisually);

export const muted = style({ color: color.muted });
/** Small, beneath a name. */
export const note = style({ ...text.small, fontWeight: weight.normal, color: color.muted });
export const code = style([note, { fontFamily: family.mono, letterSpacing: ".02em" }]);

/** Things in a row, their middles in one line; more of them than fit go on below. */
export const wrappingRow = style({ display: "flex", flexWrap: "wrap", alignItems: "center" });
