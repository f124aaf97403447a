/** The pages of the demo area: its index, its routes and its tests read this list. */

type DemoPage = {
  path: string;
  title: string;
  /** Whether it has scripts; the others are plain documents. */
  isScripted?: true;
};

const page = (path: string, title: string): DemoPage => ({ path: `/app/${path}`, title });
const scripted = (path: string, title: string): DemoPage => ({
  ...page(path, title),
  isScripted: true,
});

export const demoGroups: readonly { title: string; pages: readonly DemoPage[] }[] = [
  {
    title: "Store",
    pages: [
      page("ecommerce/management", "Products"),
      scripted("ecommerce/management/create", "New product"),
      scripted("ecommerce/management/edit/1", "Edit product"),
      page("ecommerce/product", "Trainers"),
      page("ecommerce/product/2", "Boots"),
      page("ecommerce/gridproducts", "Product grid"),
    ],
  },
  { title: "UI elements", pages: [page("ui/badge", "Badge")] },
];

export const demoPages = demoGroups.flatMap(({ pages }) => pages);

/** Returns the page of an address, or undefined for an address without one. */
export function findDemoPage(path: string): DemoPage | undefined {
  return demoPages.find((known) => known.path === path);
}
