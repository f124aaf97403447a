/** Products of the demo store: their values, the rules of their form, and how the API writes them. */
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { editValidator, formValidator } from "../../forms/form-validator";
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
  description1: string;
  description2: string;
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
  description1: "",
  description2: "",
  code: "",
  hashtag: "",
  technology: [],
  rating: 5,
};

export const maxTextLength = 2_000;

/** Splits the text of the form on spaces. */
export function parseTechnology(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Reads a number as it is typed, with a point or a comma; null for anything else. */
export function parseNumber(text: string): number | null {
  const typed = text.trim().replace(",", ".");
  return /^-?(\d{1,9}(\.\d{0,6})?|\.\d{1,6})$/.test(typed) ? Number(typed) : null;
}

export function textError(text: string): string | null {
  if (isLongerThan(text, maxTextLength)) return `Use no more than ${maxTextLength} characters`;
  return isStorableText(text) ? null : "This contains characters that cannot be stored";
}

const texts = [
  "img",
  "title",
  "subtitle",
  "description_1",
  "description_2",
  "code",
  "hashtag",
  "technology",
] as const;
const numbers = ["price", "discount", "rating"] as const;
type Posted = Record<(typeof texts)[number] | (typeof numbers)[number], string>;

const fields = Object.fromEntries([...texts, ...numbers].map((name) => [name, postedText])) as {
  [Name in keyof Posted]: typeof postedText;
};

function productErrors(posted: Posted): Record<string, string | null> {
  return {
    ...Object.fromEntries(texts.map((name) => [name, textError(posted[name])])),
    ...Object.fromEntries(
      numbers.map((name) => [name, parseNumber(posted[name]) === null ? "Enter a number" : null]),
    ),
    img: productPictures.includes(posted.img) ? null : "Choose one of the images",
  };
}

function toValues(posted: Posted): ProductValues {
  const { description_1: description1, description_2: description2, ...rest } = posted;
  return {
    ...rest,
    description1,
    description2,
    price: parseNumber(posted.price)!,
    discount: parseNumber(posted.discount)!,
    rating: parseNumber(posted.rating)!,
    technology: parseTechnology(posted.technology),
  };
}

/** Values of a product as the fields of the form hold them. */
export function toFields(product: ProductValues): Record<string, string> {
  const { description1, description2, technology, price, discount, rating, ...rest } = product;
  const { img, title, subtitle, code, hashtag } = rest;
  return {
    ...{ img, title, subtitle, code, hashtag },
    description_1: description1,
    description_2: description2,
    technology: technology.join(" "),
    price: String(price),
    discount: String(discount),
    rating: String(rating),
  };
}

export const createProductValidator = formValidator(
  Object.keys(fields),
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
