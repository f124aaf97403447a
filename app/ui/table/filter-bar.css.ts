import { globalStyle, style } from "@vanilla-extract/css";
import { media } from "../../../styles/breakpoints";
import { color, line, radius, size, space, text, weight } from "#styles/tokens.css";
import { wrappingRow } from "#styles/global.css";
import * as layout from "../layout/layout.css";

export const bar = style([
  layout.card,
  { display: "grid", gap: space.md, marginBottom: space.lg, padding: space.lg },
]);

/** Folded on phones; elsewhere it is always open and its summary is not there. */
export const fold = style({});
globalStyle(`${fold} > summary`, {
  "@supports": {
    "selector(::details-content)": { "@media": { [media.notNarrow]: { display: "none" } } },
  },
});
globalStyle(`${fold}::details-content`, {
  "@media": { [media.notNarrow]: { contentVisibility: "visible" } },
});

export const summary = style([layout.summary, { fontWeight: weight.strong }]);

export const fields = style({
  display: "grid",
  gridTemplateColumns: `repeat(auto-fill,minmax(min(100%,${size.menu}),1fr))`,
  gap: `${space.md} ${space.lg}`,
});
export const form = style({ display: "grid", gap: space.md });

/** Quick choices at the left, what is set at the right. */
export const choices = style([wrappingRow, { gap: space.sm, ...text.label, color: color.muted }]);
export const list = style([choices, { listStyle: "none" }]);
export const end = style({ marginInlineStart: "auto" });

export const chip = style({
  display: "inline-flex",
  alignItems: "center",
  gap: space.xs,
  minHeight: size.target,
  maxWidth: "100%",
  padding: `${space.xxs} ${space.md}`,
  border: `${line.thin} ${color.control}`,
  borderRadius: radius.full,
  background: color.surface,
  color: color.text,
  overflowWrap: "anywhere",
  textDecoration: "none",
  selectors: {
    "&:hover": { background: color.bg },
    "&[aria-current]": { background: color.tint, borderColor: color.tint, color: color.onTint },
  },
});
export const active = style([
  chip,
  {
    background: color.tint,
    borderColor: color.tint,
    color: color.onTint,
    fontWeight: weight.strong,
  },
]);

export const columns = style({ display: "grid", gap: space.sm, padding: space.sm });
