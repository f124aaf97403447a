import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { db, readWith } from "../../app/db/connection.server";
import { listPromotions } from "../../app/features/promotions/list/list-promotions.server";
import {
  promotionList,
  type PromotionListQuery,
} from "../../app/features/promotions/list/promotion-filters";
import { newestTransactions } from "../../app/features/transactions/list-transactions.server";
import { parseList } from "../../app/lists/parse-list";
import { insertPromotion } from "../factories/promotions";
import { useDatabase } from "../support/postgres";
import { readAllPages } from "../support/promotion-pages";

useDatabase();

const firstPage: PromotionListQuery = {
  page: 1,
  perPage: 10,
  sort: promotionList.defaultSort,
  after: null,
  before: null,
};

// 43 rows with ties in every column that sorts.
beforeAll(async () => {
  for (let i = 0; i < 43; i++) {
    await insertPromotion({
      name: `Promotion ${i % 5}`,
      discount_type: i % 2 ? "percentage" : "free_drink",
      discount_value: 1 + (i % 3),
      created_at: new Date(Date.UTC(2026, 0, 1 + (i % 7))),
      expires_at: i % 3 ? new Date(Date.UTC(2027, 0, 1 + (i % 4))) : null,
      activation_count: i % 4,
      is_deleted: i >= 35,
    });
  }
});

const walk = async (query: PromotionListQuery) => (await readAllPages(query)).map(({ id }) => id);

test("page numbers, the way forward and the way back agree", async () => {
  const forward = await walk(firstPage);
  expect(new Set(forward).size).toBe(35);
  const numbered: string[] = [];
  for (let page = 1; page <= 4; page++)
    numbered.push(...(await listPromotions({ ...firstPage, page })).promotions.map(({ id }) => id));
  expect(numbered).toEqual(forward);
  const back = await listPromotions({ ...firstPage, page: 3, before: forward[30]! });
  expect(back.promotions.map(({ id }) => id)).toEqual(forward.slice(20, 30));
  expect([back.previous, back.next]).toEqual([forward[20], forward[29]]);
});

test("a client reads what is beside its cursor, however little that is", async () => {
  const forward = await walk(firstPage);
  const exact = async (cursor: Partial<PromotionListQuery>) => {
    const list = await listPromotions({ ...firstPage, ...cursor }, { isExact: true });
    return list.promotions.map(({ id }) => id);
  };
  expect(await exact({ before: forward[30]! })).toEqual(forward.slice(20, 30));
  expect(await exact({ before: forward[3]!, page: 2 })).toEqual(forward.slice(0, 3));
  expect(await exact({ after: forward.at(-1)! })).toEqual([]);
});

test("a cursor that a replica does not have yet is looked for on the primary", async () => {
  const after = "9223372036854775807";
  const readThere = () => listPromotions({ ...firstPage, after }, { isExact: true });
  await expect(readWith(db(), readThere)).rejects.toMatchObject({ reason: "not_found" });
  await expect(
    readWith(db(), () => newestTransactions({ limit: 1, before: after })),
  ).rejects.toMatchObject({ reason: "not_found" });
});

test("the newest come first, the later id first among equals", async () => {
  const { promotions, total, next, previous } = await listPromotions(firstPage);
  const keys = promotions.map(({ createdAt, id }) => createdAt.getTime() * 1000 + Number(id));
  expect(keys).toEqual([...keys].sort((a, b) => b - a));
  expect(total).toEqual({ count: 35, isCapped: false });
  expect(previous).toBeNull();
  expect(next).toBe(promotions.at(-1)!.id);
});

test("rows that differ by microseconds alone are told apart", async () => {
  await db().raw(
    "update promotions set created_at = timestamptz '2026-01-01' + id * interval '1 microsecond'",
  );
  const ids = await walk(firstPage);
  expect(new Set(ids).size).toBe(35);
  expect(ids).toEqual([...ids].sort((a, b) => Number(b) - Number(a)));
});

describe("what has no rows falls back to the nearest page", () => {
  test("behind the end", async () => {
    const list = await listPromotions({ ...firstPage, page: 900 });
    expect(list).toMatchObject({ page: 4, isFallback: true, next: null });
    expect(list.promotions).toHaveLength(5);
    expect(list.total.count).toBe(35);
  });

  test("a cursor that nobody gave out", async () => {
    const list = await listPromotions({ ...firstPage, page: 2, after: "9223372036854775807" });
    expect(list).toMatchObject({ page: 2, isFallback: true });
    expect(list.promotions).toHaveLength(10);
    const back = await listPromotions({ ...firstPage, page: 2, before: "9223372036854775807" });
    expect(back).toMatchObject({ page: 1, isFallback: true });
  });

  test("a way back that reaches the beginning is the first page", async () => {
    const start = await listPromotions(firstPage);
    const list = await listPromotions({ ...firstPage, page: 9, before: start.promotions[4]!.id });
    expect(list).toMatchObject({ page: 1, previous: null, isFallback: false });
    expect(list.promotions).toEqual(start.promotions);
  });
});

test("the table of access paths names indexes that exist", async () => {
  const source = readFileSync("app/features/promotions/list/access-paths.server.ts", "utf8");
  const table = source.slice(0, source.indexOf("*/"));
  const named = new Set(table.match(/\b(promotions|assignment_sets)_\w+/g));
  const { rows } = await db().raw<{ rows: { indexname: string }[] }>(
    "select indexname from pg_indexes",
  );
  expect(named.size).toBeGreaterThan(5);
  expect(rows.map(({ indexname }) => indexname)).toEqual(expect.arrayContaining([...named]));
});

describe("the URL", () => {
  const read = (text: string) => parseList(promotionList, new URLSearchParams(text));

  test("without parameters gives the defaults", () => {
    expect(read("")).toEqual({
      query: { page: 1, perPage: 25, sort: promotionList.defaultSort, after: null, before: null },
      hidden: [],
      chosen: [],
      errors: {},
    });
  });

  test("is read", () => {
    expect(read("page=3&per_page=50&sort=-name&after=17&hide=used.type&show=groups")).toEqual({
      query: {
        page: 3,
        perPage: 50,
        after: "17",
        before: null,
        sort: { by: "name", isDescending: true },
      },
      hidden: ["type", "used"],
      chosen: ["groups"],
      errors: {},
    });
  });

  test.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=x",
    "page=1e3",
    "page=401",
    "per_page=11",
    "per_page=1000000",
    "sort=code;drop table users",
    "sort=--name",
    "sort=constructor",
    "after=x",
    "before=9223372036854775808",
    "page=٣",
    "hide=type.name",
    "hide=constructor",
    "show=constructor",
  ])("%s falls back and says so", (text) => {
    const { query, errors } = read(text);
    expect(Object.keys(errors)).toEqual([text.slice(0, text.indexOf("="))]);
    expect(query.page).toBe(text === "page=401" ? 400 : 1);
  });

  test("pages beyond row 10,000 are read by cursor only", () => {
    expect(read("page=500&after=17").errors).toEqual({});
    expect(read("page=500&after=17").query.page).toBe(500);
  });
});
