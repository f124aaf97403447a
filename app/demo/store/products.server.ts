/** Reads and writes the products of the demo store: the table, or the samples with `DEMO_PAGES=sample`. */
import { isDeepStrictEqual } from "node:util";
import { db, query, type Database } from "../../db/connection.server";
import { conflict, type DomainError, forbidden, notFound } from "../../errors";
import { runOnce, type FormPost } from "../../http/form-action.server";
import { isReadOnly } from "../demo.server";
import { productDefaults, type Product, type ProductValues } from "./product";
import { sampleProducts } from "./sample-products";

/** A demo needs no more, and lists read them all. */
const maxProducts = 1_000;

const valueColumns = Object.keys(productDefaults);
const columns = `id::integer, ${valueColumns.join()}, type, brand, color, sizes, orders, version`;

type Row = Omit<Product, "description_1" | "description_2"> &
  Record<"description1" | "description2", string>;

/** Runs a statement that returns `columns`, whose names arrive in camel case. */
async function queryProducts(
  sql: string,
  bindings: object = {},
  database: Database = db(),
): Promise<Product[]> {
  const rows = await query<Row>(database, sql, { ...bindings });
  return rows.map(({ description1: description_1, description2: description_2, ...row }) => {
    return { ...row, description_1, description_2 };
  });
}

/** Returns all products, the oldest first. */
export async function loadProducts(): Promise<readonly Product[]> {
  if (isReadOnly()) return sampleProducts;
  return queryProducts(`select ${columns} from demo_products order by demo_products.id`);
}

export async function findProduct(id: string): Promise<Product | undefined> {
  return (await loadProducts()).find((known) => String(known.id) === id);
}

/** @throws DomainError not_found */
export async function getProduct(id: string): Promise<Product> {
  const product = await findProduct(id);
  if (!product) throw productNotFound();
  return product;
}

/**
 * Creates a product.
 * @throws DomainError conflict: there are too many, or the key was used with other values
 */
export async function createProduct(
  values: ProductValues,
  options: FormPost["options"],
): Promise<Product> {
  rejectReadOnly();
  return runOnce(options, { action: "product.created", values }, async (trx) => {
    const [created] = await queryProducts(
      `insert into demo_products (${valueColumns.join()})
       select ${valueColumns.map((name) => `:${name}`).join()}
       where (select count(*) from demo_products) < :maxProducts
       returning ${columns}`,
      { ...values, maxProducts },
      trx,
    );
    if (created) return created;
    throw conflict(`The demo store holds at most ${maxProducts} products. Delete some first.`);
  });
}

/**
 * Changes the values of a product. Repeating an edit is no conflict.
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
  const [edited] = await queryProducts(
    `update demo_products
     set ${valueColumns.map((name) => `${name} = :${name}`).join()}, version = version + 1
     where id = :productId and version = coalesce(:version, version)
     returning ${columns}`,
    { ...values, productId, version },
  );
  if (edited) return edited;
  const current = await getProduct(id);
  if (!isDeepStrictEqual({ ...current, ...values }, current))
    throw conflict(
      "Someone else changed this product after you opened it. Your changes were not saved. Save again to use yours.",
    );
  return current;
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
  if (isReadOnly()) throw forbidden("The sample products can't be changed on this server.");
}

export function productNotFound(): DomainError {
  return notFound("This product does not exist.");
}
