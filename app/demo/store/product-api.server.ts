/** Calls of the demo store: /products. */
import * as z from "zod/mini";
import { environment } from "../../env.server";
import { apiError } from "../../http/answers.server";
import { operation } from "../../http/api.server";
import { pictureUrl, productPictures } from "../pictures/picture-names";
import { productDefaults, textError, type Product, type ProductValues } from "./product";
import {
  createProduct,
  deleteProducts,
  editProduct,
  getProduct,
  loadProducts,
  productNotFound,
} from "./products.server";

const text = z.optional(z.string().check(z.refine((value) => textError(value) === null)));
const number = z.optional(
  z.number().check(z.refine((value) => Number.isFinite(value) && Math.abs(value) < 1e9)),
);

const productBody = {
  schema: z.strictObject({
    id: z.optional(z.number()),
    /** The address of an image, or its path alone. */
    img: z.optional(z.string().check(z.refine((url) => pictureOf(url) !== null))),
    title: text,
    subtitle: text,
    price: number,
    discount: number,
    description_1: text,
    description_2: text,
    code: text,
    hashtag: text,
    technology: z.optional(
      z
        .array(z.string().check(z.refine((word) => textError(word) === null)))
        .check(z.maxLength(100)),
    ),
    rating: number,
  }),
  messages: {
    id: "The id is a number",
    img: "Choose one of the images",
    price: "Enter a number",
    discount: "Enter a number",
    rating: "Enter a number",
    technology: "Enter a list of texts",
    ...Object.fromEntries(
      ["title", "subtitle", "description_1", "description_2", "code", "hashtag"].map((name) => [
        name,
        "Enter a text of at most 2000 characters",
      ]),
    ),
  },
};
type ProductBody = z.infer<typeof productBody.schema>;

function pictureOf(url: string): string | null {
  return (
    productPictures.find((name) => url === imageAddress(name) || url === pictureUrl(name)) ?? null
  );
}

function imageAddress(name: string): string {
  return `${environment().appOrigin}${pictureUrl(name)}`;
}

function toValues(body: ProductBody, base: ProductValues): ProductValues {
  const { img, description_1, description_2, ...rest } = body;
  const given = Object.fromEntries(
    Object.entries({
      ...rest,
      id: undefined,
      description1: description_1,
      description2: description_2,
      img: img === undefined ? undefined : pictureOf(img),
    }).filter(([, value]) => value !== undefined),
  );
  return { ...base, ...given };
}

function toApiItem({ id, title, subtitle, price, rating, img }: Product) {
  return { id, title, subtitle, price, rating, img: imageAddress(img) };
}

function toApiProduct(product: Product) {
  const { discount, description1, description2, code, hashtag, technology } = product;
  return {
    ...toApiItem(product),
    discount,
    description_1: description1,
    description_2: description2,
    ...{ code, hashtag, technology },
  };
}

export const productOperations = [
  operation({
    method: "GET",
    path: "/products",
    scope: "read",
    answers: { 200: "All products of the demo store." },
    run: async () => (await loadProducts()).map(toApiItem),
  }),
  operation({
    method: "GET",
    path: "/products/images-list",
    scope: "read",
    answers: { 200: "The addresses of the images that a product may have." },
    run: async () => productPictures.map(imageAddress),
  }),
  operation({
    method: "POST",
    path: "/products",
    scope: "promotions",
    body: productBody,
    answers: { 201: "The created product; what the body leaves out has its default." },
    run: async ({ body }) => toApiProduct(await createProduct(toValues(body, productDefaults))),
  }),
  operation({
    method: "PUT",
    path: "/products/{id}",
    scope: "promotions",
    body: productBody,
    answers: { 200: "The updated product; what the body leaves out stays as it is." },
    async run({ body, param }) {
      const product = await getProduct(param("id"));
      return toApiProduct(await editProduct(param("id"), toValues(body, product)));
    },
  }),
  operation({
    method: "DELETE",
    path: "/products/{id}",
    scope: "promotions",
    answers: { 204: "The product is deleted." },
    async run({ param }) {
      if ((await deleteProducts([param("id")])) === 0) throw productNotFound();
      return new Response(null, { status: 204 });
    },
  }),
];

/** Answer of the calls while the demo area is off. */
export function noDemo(): Response {
  return apiError(404, "There is nothing at this address.");
}
