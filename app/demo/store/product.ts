/** Products of the demo store: their values, named as in the API and the table, and the rules of their form. */
import * as z from "zod/mini";
import { choice, shortText, text, trimmedText } from "../../forms/fields";
import { editValidator, formValidator } from "../../forms/form-validator";
import { productPictures } from "../pictures/picture-names";

const productText = shortText(2_000, text);
export const isProductText = (value: string) => productText.safeParse(value).success;

export const isProductNumber = (value: number) => Math.abs(value) < 1e9;

/** Reads a number as it is typed, with a point or a comma. */
const numberText = z.pipe(
  trimmedText.check(
    z.overwrite((number) => number.replace(",", ".")),
    z.refine((number) => number !== "" && isProductNumber(Number(number)), "Enter a number"),
  ),
  z.transform(Number),
);

/** The values that the product form edits. */
const productSchema = z.object({
  /** Name of one of the pictures. */
  img: choice(productPictures, "Choose one of the images"),
  title: productText,
  subtitle: productText,
  price: numberText,
  /** Percent. */
  discount: numberText,
  description_1: productText,
  description_2: productText,
  code: productText,
  hashtag: productText,
  technology: z.pipe(
    productText,
    z.transform((words) => words.split(/\s+/).filter(Boolean)),
  ),
  rating: numberText,
});

export type ProductValues = z.infer<typeof productSchema>;

export type Product = ProductValues & {
  id: number;
  /** Read by the filters of the grid only; null for products that were created here. */
  type: "shoes" | "boots" | "trainers" | null;
  brand: "nike" | "adidas" | null;
  color: "white" | "black" | null;
  sizes: number[];
  orders: number;
  version: number;
  /** State of its last order; products of the table have none. */
  status?: "Shipped" | "Delivered" | "Canceled";
  process?: string;
};

/** Values of a product that is created without them. */
export const productDefaults: ProductValues = {
  img: productPictures[0]!,
  title: "",
  subtitle: "",
  price: 0.1,
  discount: 0,
  description_1: "",
  description_2: "",
  code: "",
  hashtag: "",
  technology: [],
  rating: 5,
};

/** Values of a product as the fields of the form hold them. */
export function toFields(product: ProductValues): Record<string, string> {
  const names = Object.keys(productDefaults) as (keyof ProductValues)[];
  return Object.fromEntries(names.map((name) => [name, [product[name]].flat().join(" ")]));
}

export const createProductValidator = formValidator(productSchema);
export const editProductValidator = editValidator(productSchema);

/** The price as customers pay it, its discount taken off. */
export function finalPrice({ price, discount }: Pick<Product, "price" | "discount">): number {
  return Math.round(price * (100 - discount)) / 100;
}

/** Formats a rating with one decimal at least, so that those of a column align: '4.0'. */
export function formatRating(rating: number): string {
  return Number.isInteger(rating) ? rating.toFixed(1) : String(rating);
}

export const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** 'New' for odd ids, 'Sale' for even ones. */
export function productMark(id: number): "New" | "Sale" {
  return id % 2 === 1 ? "New" : "Sale";
}
