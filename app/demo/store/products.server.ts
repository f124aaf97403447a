/** Reads and writes the products of the demo store: the table, or the samples with `DEMO_PAGES=sample`. */
import { db, one, query } from "../../db/connection.server";
import { DomainError } from "../../errors";
import { isReadOnly } from "../guard.server";
import type { Product, ProductValues } from "./product";
import { sampleProducts } from "./sample-products";

/** A demo needs no more, and lists read them all. */
export const maxProducts = 1_000;

const columns = `id::integer, img, title, subtitle, price, discount, description_1 as description1,
  description_2 as description2, code, hashtag, technology, rating, type, brand, color, sizes, orders, version`;

/** Returns all products, the oldest first. */
export async function loadProducts(): Promise<readonly Product[]> {
  if (isReadOnly()) return sampleProducts;
  return query<Product>(db(), `select ${columns} from demo_products order by demo_products.id`);
}

/** @throws DomainError not_found */
export async function getProduct(id: string): Promise<Product> {
  const product = (await loadProducts()).find((known) => String(known.id) === id);
  if (!product) throw productNotFound();
  return product;
}

/**
 * Creates a product, once for each key.
 * @throws DomainError conflict: there are too many
 */
export async function createProduct(
  values: ProductValues,
  { idempotencyKey = null }: { idempotencyKey?: string | null } = {},
): Promise<Product> {
  rejectReadOnly();
  const bindings = { ...values, idempotencyKey, maxProducts };
  const created = await one<Product>(
    db(),
    `insert into demo_products (img, title, subtitle, price, discount, description_1, description_2, code,
       hashtag, technology, rating, idempotency_key)
     select :img, :title, :subtitle, :price, :discount, :description1, :description2, :code, :hashtag,
       :technology, :rating, :idempotencyKey
     where (select count(*) from demo_products) < :maxProducts
     on conflict (idempotency_key) do nothing
     returning ${columns}`,
    bindings,
  );
  const existing =
    created ??
    (await one<Product>(
      db(),
      `select ${columns} from demo_products where idempotency_key = :idempotencyKey`,
      { idempotencyKey },
    ));
  if (!existing)
    throw new DomainError(
      "conflict",
      `The demo store holds at most ${maxProducts} products. Delete some first.`,
    );
  return existing;
}

/**
 * Changes the values of a product.
 * @param version that the change is based on; null changes whatever is there
 * @throws DomainError not_found; conflict: the version has moved
 */
export async function editProduct(
  id: string,
  values: ProductValues,
  version: number | null = null,
): Promise<Product> {
  rejectReadOnly();
  const { id: productId } = await getProduct(id);
  const edited = await one<Product>(
    db(),
    `update demo_products set img = :img, title = :title, subtitle = :subtitle, price = :price,
       discount = :discount, description_1 = :description1, description_2 = :description2, code = :code,
       hashtag = :hashtag, technology = :technology, rating = :rating, version = version + 1
     where id = :productId and version = coalesce(:version, version)
     returning ${columns}`,
    { ...values, productId, version },
  );
  if (!edited)
    throw new DomainError(
      "conflict",
      "Someone else changed this product after you opened it. Your changes were not saved. Save again to use yours.",
    );
  return edited;
}

/** Deletes products; ids of none are ignored. @returns how many were deleted */
export async function deleteProducts(ids: readonly string[]): Promise<number> {
  rejectReadOnly();
  const deleted = await query(
    db(),
    "delete from demo_products where id::text = any(:ids) returning id",
    { ids },
  );
  return deleted.length;
}

function rejectReadOnly(): void {
  if (isReadOnly())
    throw new DomainError("forbidden", "The sample products can't be changed on this server.");
}

export function productNotFound(): DomainError {
  return new DomainError("not_found", "This product does not exist.");
}
