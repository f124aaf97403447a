/** Declares the list of products, and the filters of the product grid. */
import { choiceFilter, defineList, textFilter } from "../../lists/list";
import type { FilterValues, Sort } from "../../lists/list";
import { finalPrice, type Product } from "./product";

export const managementPath = "/app/ecommerce/management";

export const productList = defineList({
  path: managementPath,
  cookie: "demo-products",
  pageSizes: [5, 10, 25],
  defaultPageSize: 5,
  // Another column begins descending; the same one turns round.
  sorts: {
    id: "descending",
    title: "descending",
    subtitle: "descending",
    price: "descending",
    rating: "descending",
  },
  defaultSort: { by: "price", isDescending: false },
  filters: { search: textFilter("search", "Title") },
  search: "search",
});

type ProductSort = Sort<keyof typeof productList.sorts>;

/** Returns the products whose title contains the text, capital letters as they are, in an order. */
export function findProducts(
  products: readonly Product[],
  { search, sort: { by, isDescending } }: { search: string; sort: ProductSort },
): Product[] {
  const direction = isDescending ? -1 : 1;
  return products
    .filter(({ title }) => title.includes(search))
    .sort((a, b) => direction * compare(a[by], b[by]) || a.id - b.id);
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const sizes = [7, 8, 9, 10, 11, 12, 12.5, 13];

export const gridFilters = {
  type: choiceFilter("type", "Type", { shoes: "Shoes", boots: "Boots", trainers: "Trainers" }),
  brand: choiceFilter("brand", "Brands", { nike: "Nike", adidas: "Adidas" }),
  size: choiceFilter(
    "size",
    "Size",
    // A name with a point keeps its place, while an object puts whole numbers first.
    Object.fromEntries(sizes.map((size) => [size.toFixed(1), `${size}`])),
  ),
  color: choiceFilter("color", "Colour", { white: "White", black: "Black" }),
  /** By discount: '-' is a reduced price. */
  range: choiceFilter("range", "Range", { reduced: "- (reduced)", none: "None (full price)" }),
  sort: choiceFilter("sort", "Sort", { favorite: "Favorite", price: "Price", popular: "Popular" }),
};

const gridOrders = {
  favorite: (a: Product, b: Product) => b.rating - a.rating,
  price: (a: Product, b: Product) => finalPrice(a) - finalPrice(b),
  popular: (a: Product, b: Product) => b.orders - a.orders,
};

/** Returns the products that all filters let through, the best rated first unless another order is chosen. */
export function filterGrid(
  products: readonly Product[],
  { type, brand, size, color, range, sort }: FilterValues<typeof gridFilters>,
): Product[] {
  return products
    .filter(
      (product) =>
        (!type || product.type === type) &&
        (!brand || product.brand === brand) &&
        (!size || product.sizes.includes(Number(size))) &&
        (!color || product.color === color) &&
        (!range || (range === "reduced") === product.discount > 0),
    )
    .sort(
      (a, b) => gridOrders[(sort ?? "favorite") as keyof typeof gridOrders](a, b) || a.id - b.id,
    );
}
