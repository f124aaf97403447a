/** The pages of the demo area: its index, its routes and its tests read this list. */

type Page = [path: string, title: string, label?: string];

/** Paths and headings, and names on the index where the heading tells too little there. */
const groups: Record<string, Page[]> = {
  Store: [
    ["ecommerce/management", "Products"],
    ["ecommerce/management/create", "New product"],
    ["ecommerce/management/edit/1", "Edit product"],
    ["ecommerce/product", "Trainers", "Product: trainers"],
    ["ecommerce/product/2", "Boots", "Product: boots"],
    ["ecommerce/gridproducts", "Product grid"],
  ],
  Core: [
    ["core/typography", "Typography"],
    ["core/colors", "Colors"],
    ["core/grid", "Grid system"],
  ],
  Tables: [
    ["tables/static", "Static tables"],
    ["tables/dynamic", "Dynamic tables"],
  ],
  "UI elements": [
    ["ui/icons", "Icons"],
    ["ui/standard-icons", "Standard icons"],
    ["ui/badge", "Badge"],
    ["ui/carousel", "Carousel"],
    ["ui/cards", "Cards"],
    ["ui/modal", "Modal"],
    ["ui/notifications", "Notifications"],
    ["ui/navbar", "Navbar"],
    ["ui/tooltips", "Tooltips and popovers"],
    ["ui/tabs", "Tabs"],
    ["ui/progress", "Progress"],
    ["ui/widget", "Widget"],
  ],
  Forms: [
    ["forms/elements", "Form elements"],
    ["forms/validation", "Form validation"],
  ],
  Charts: [
    ["charts/overview", "Charts", "Overview"],
    ["charts/line", "Line charts"],
    ["charts/bar", "Bar charts"],
    ["charts/pie", "Pie charts"],
  ],
  Widgets: [["grid", "Grid", "Draggable widgets"]],
  Maps: [
    ["maps/google", "Google map"],
    ["maps/vector", "Vector map"],
  ],
  Extra: [
    ["extra/timeline", "Timeline"],
    ["extra/search", "Search results"],
    ["extra/gallery", "Gallery"],
    ["extra/invoice", "Invoice"],
    ["extra/calendar", "Calendar"],
  ],
};

export const demoGroups = Object.entries(groups).map(([group, pages]) => ({
  group,
  pages: pages.map(([path, title, label = title]) => ({ path: `/app/${path}`, title, label })),
}));

export const demoPages = demoGroups.flatMap(({ pages }) => pages);

export const demoIndex = "/app/demo";

export const isProductForm = (path: string): boolean => /\/management\/(create|edit)\b/.test(path);

/** Names for the breadcrumb: a section of the demo area has no page of its own, its pages are below the index. */
export const demoCrumbs: Record<string, string> = {
  demo: "Demo pages",
  gridproducts: "Product grid",
  management: "Products",
  grid: "Grid system",
  "/app/grid": demoIndex,
  ...Object.fromEntries(
    ["ecommerce", "core", "tables", "ui", "forms", "charts", "maps", "extra"].flatMap((section) => [
      [section, ""],
      [`/app/${section}`, demoIndex],
    ]),
  ),
};
