/** Products of the demo store: their values, named as in the API and the table, and the rules of their form. */
import { editValidator, formValidator } from "../../forms/form-validator";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { formSchema, postedText } from "../../forms/validator";
import { productPictures } from "../pictures/picture-names";

/** The values that the product form edits. */
export type ProductValues = {
  /** Name of one of the pictures. */
  img: string;
  title: string;
  subtitle: string;
  price: number;
  /** Percent. */
  discount: number;
  description_1: string;
  description_2: string;
  code: string;
  hashtag: string;
  technology: string[];
  rating: number;
};

export type Product = ProductValues & {
  id: number;
  /** Read by the filters of the grid only; null for products that were created here. */
  type: "shoes" | "boots" | "trainers" | null;
  brand: "nike" | "adidas" | null;
  color: "white" | "black" | null;
  sizes: number[];
  /** How often it was ordered. */
  orders: number;
  version: number;
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

const maxTextLength = 2_000;

/** Reads a number as it is typed, with a point or a comma; null for anything else. */
function parseNumber(text: string): number | null {
  const number = text.trim().replace(",", ".");
  return /^-?(\d{1,9}(\.\d{0,6})?|\.\d{1,6})$/.test(number) ? Number(number) : null;
}

export function textError(text: string): string | null {
  if (isLongerThan(text, maxTextLength)) return `Use no more than ${maxTextLength} characters`;
  return isStorableText(text) ? null : "This contains characters that cannot be stored";
}

type Posted = Record<keyof ProductValues, string>;
const names = Object.keys(productDefaults) as (keyof ProductValues)[];
const numbers: readonly string[] = ["price", "discount", "rating"];

const fields = Object.fromEntries(names.map((name) => [name, postedText])) as {
  [Name in keyof Posted]: typeof postedText;
};

function productErrors(posted: Posted): Record<string, string | null> {
  const errorOf = (name: keyof Posted) => {
    if (!numbers.includes(name)) return textError(posted[name]);
    return parseNumber(posted[name]) === null ? "Enter a number" : null;
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, errorOf(name)])),
    img: productPictures.includes(posted.img) ? null : "Choose one of the images",
  };
}

function toValues(posted: Posted): ProductValues {
  return {
    ...posted,
    price: parseNumber(posted.price)!,
    discount: parseNumber(posted.discount)!,
    rating: parseNumber(posted.rating)!,
    technology: posted.technology.split(/\s+/).filter(Boolean),
  };
}

/** Values of a product as the fields of the form hold them. */
export function toFields(product: ProductValues): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, [product[name]].flat().join(" ")]));
}

export const createProductValidator = formValidator(
  names,
  formSchema(fields, productErrors, toValues),
);

export const editProductValidator = editValidator(fields, productErrors, (posted) => ({
  values: toValues(posted),
}));

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
