import { globalStyle, type GlobalStyleRule } from "@vanilla-extract/css";
import { color, line, radius } from "#styles/tokens.css";

/** One column, whose cells shrink below the width of their content. */
export const stack = (gap: string) => ({
  display: "grid",
  gridTemplateColumns: "minmax(0,1fr)",
  gap,
});

/** A panel that lies over the page. */
export const raised = {
  background: color.surface,
  border: `${line.thin} ${color.border}`,
  borderRadius: radius.card,
  boxShadow: color.overlayShadow,
};

/** Styles what is within an element, by selectors in which '&' stands for it. */
export function within(element: string, rules: Record<string, GlobalStyleRule>): void {
  for (const [selector, rule] of Object.entries(rules))
    globalStyle(selector.replaceAll("&", element), rule);
}
