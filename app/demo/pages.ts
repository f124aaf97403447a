/** The pages of the demo area: its index, its routes and its tests read this list. */

type DemoPage = {
  path: string;
  title: string;
  /** Its name on the index: the title, unless that tells too little there. */
  label: string;
  /** Whether it has scripts; the others are plain documents. */
  isScripted?: true;
};

const page = (path: string, title: string, label = title): DemoPage => ({
  path: `/app/${path}`,
  title,
  label,
});
const scripted = (path: string, title: string, label = title): DemoPage => ({
  ...page(path, title, label),
  isScripted: true,
});

export const demoGroups: readonly { title: string; pages: readonly DemoPage[] }[] = [
  {
    title: "Store",
    pages: [
      page("ecommerce/management", "Products"),
      page("ecommerce/management/create", "New product"),
      page("ecommerce/management/edit/1", "Edit product"),
      page("ecommerce/product", "Trainers", "Product: trainers"),
      page("ecommerce/product/2", "Boots", "Product: boots"),
      page("ecommerce/gridproducts", "Product grid"),
    ],
  },
  {
    title: "Core",
    pages: [
      page("core/typography", "Typography"),
      page("core/colors", "Colors"),
      page("core/grid", "Grid system"),
    ],
  },
  {
    title: "Tables",
    pages: [page("tables/static", "Static tables"), page("tables/dynamic", "Dynamic tables")],
  },
  {
    title: "UI elements",
    pages: [
      page("ui/icons", "Icons"),
      page("ui/standard-icons", "Standard icons"),
      page("ui/badge", "Badge"),
      scripted("ui/carousel", "Carousel"),
      page("ui/cards", "Cards"),
      scripted("ui/modal", "Modal"),
      scripted("ui/notifications", "Notifications"),
      page("ui/navbar", "Navbar"),
      page("ui/tooltips", "Tooltips and popovers"),
      page("ui/tabs", "Tabs"),
      scripted("ui/progress", "Progress"),
      page("ui/widget", "Widget"),
    ],
  },
  {
    title: "Forms",
    pages: [page("forms/elements", "Form elements"), page("forms/validation", "Form validation")],
  },
  {
    title: "Charts",
    pages: [
      page("charts/overview", "Charts", "Overview"),
      scripted("charts/line", "Line charts"),
      page("charts/bar", "Bar charts"),
      page("charts/pie", "Pie charts"),
    ],
  },
  { title: "Widgets", pages: [scripted("grid", "Grid", "Draggable widgets")] },
  {
    title: "Maps",
    pages: [page("maps/google", "Google map"), page("maps/vector", "Vector map")],
  },
  {
    title: "Extra",
    pages: [
      page("extra/timeline", "Timeline"),
      page("extra/search", "Search results"),
      page("extra/gallery", "Gallery"),
      scripted("extra/invoice", "Invoice"),
      scripted("extra/calendar", "Calendar"),
    ],
  },
];

export const demoPages = demoGroups.flatMap(({ pages }) => pages);

/** Returns the page of an address, or undefined for an address without one. */
export function findDemoPage(path: string): DemoPage | undefined {
  return demoPages.find((known) => known.path === path);
}
