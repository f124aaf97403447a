/** The pages of the demo area with scripts; the others are plain documents. */
export const scriptedPages = [
  "/app/ui/modal",
  "/app/ui/progress",
  "/app/charts/line",
  "/app/grid",
  "/app/extra/calendar",
];
