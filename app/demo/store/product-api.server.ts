/** Calls of the demo store: /products. */
import * as z from "zod/mini";
import { environment } from "../../env.server";
import { operation } from "../../http/api.server";
import { pictureUrl, productPictures } from "../pictures/picture-names";
import {
  isProductNumber,
  isProductText,
  productDefaults,
  type Product,
  type ProductValues,
} from "./product";
import {
  createProduct,
  deleteProducts,
  editProduct,
  getProduct,
  loadProducts,
  productNotFound,
} from "./products.server";

const productText = (message: string) => z.string(message).check(z.refine(isProductText, message));
const text = z.optional(productText("Enter a text of at most 2000 characters"));
const listMessage = "Enter a list of texts";
const number = z.optional(
  z.number("Enter a number").check(z.refine(isProductNumber, "Enter a number")),
);

const productBody = z.strictObject({
  id: z.optional(z.number("The id is a number")),
  /** The address of an image, or its path alone. */
  img: z.optional(
    z
      .string("Choose one of the images")
      .check(z.refine((url) => pictureOf(url) !== undefined, "Choose one of the images")),
  ),
  title: text,
  subtitle: text,
  price: number,
  discount: number,
  description_1: text,
  description_2: text,
  code: text,
  hashtag: text,
  technology: z.optional(
    z.array(productText(listMessage), listMessage).check(z.maxLength(100, listMessage)),
  ),
  rating: number,
});

const imageAddress = (name: string) => `${environment().appOrigin}${pictureUrl(name)}`;

function pictureOf(url: string): string | undefined {
  return productPictures.find((name) => url === imageAddress(name) || url === pictureUrl(name));
}

function toValues(body: z.infer<typeof productBody>, base: ProductValues): ProductValues {
  return { ...base, ...body, img: pictureOf(body.img ?? "") ?? base.img };
}

const itemFields = ["id", "title", "subtitle", "price", "rating", "img"];
const productFields = ["id", ...Object.keys(productDefaults)];

function toApi(product: Product, fields: readonly string[]) {
  const entries = Object.entries({ ...product, img: imageAddress(product.img) });
  return Object.fromEntries(entries.filter(([name]) => fields.includes(name)));
}

export const productOperations = [
  operation({
    method: "GET",
    path: "/products",
    scope: "read",
    answers: { 200: "All products of the demo store." },
    run: async () => (await loadProducts()).map((product) => toApi(product, itemFields)),
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
    answers: {
      201: "The created product; what the body leaves out has its default. With an Idempotency-Key, a repeated call creates it once.",
    },
    run: async ({ body, options }) =>
      toApi(await createProduct(toValues(body, productDefaults), options), productFields),
  }),
  operation({
    method: "PUT",
    path: "/products/{id}",
    scope: "promotions",
    body: productBody,
    answers: { 200: "The updated product; what the body leaves out stays as it is." },
    async run({ body, param }) {
      const values = toValues(body, await getProduct(param("id")));
      return toApi(await editProduct(param("id"), values), productFields);
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
