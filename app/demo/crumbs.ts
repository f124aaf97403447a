import { paths } from "../paths";

const sections = ["ecommerce", "core", "tables", "ui", "forms", "charts", "maps", "extra"];

/** Names for the breadcrumb: a section of the demo area has no page of its own, the index stands for it. */
export const demoCrumbs: Record<string, string> = {
  demo: "Demo pages",
  gridproducts: "Product grid",
  management: "Products",
  ...Object.fromEntries(
    sections.flatMap((section) => [
      [section, "Demo pages"],
      [`/app/${section}`, paths.demo],
    ]),
  ),
};
