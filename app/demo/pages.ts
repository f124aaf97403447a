/** The pages of the demo area: its index, its routes and its tests read this list. */

type DemoPage = {
  path: string;
  title: string;
  /** Whether it has scripts; the others are plain documents. */
  isScripted?: true;
};

const page = (path: string, title: string): DemoPage => ({ path: `/app/${path}`, title });
export const demoGroups: readonly { title: string; pages: readonly DemoPage[] }[] = [
  { title: "UI elements", pages: [page("ui/badge", "Badge")] },
];

export const demoPages = demoGroups.flatMap(({ pages }) => pages);

/** Returns the page of an address, or undefined for an address without one. */
export function findDemoPage(path: string): DemoPage | undefined {
  return demoPages.find((known) => known.path === path);
}
