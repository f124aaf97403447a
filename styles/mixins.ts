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
