import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../app/db/connection.server";
import { exportTransactions } from "../../app/features/transactions/export-transactions.server";
import {
  listTransactions,
  newestTransactions,
} from "../../app/features/transactions/list-transactions.server";
import {
  noFilters,
  parseTransactionApiList,
  parseTransactionFilters,
  transactionList,
  type TransactionFilters,
} from "../../app/features/transactions/transaction-filters";
import { findSource } from "../../app/features/transactions/transaction-filters.server";
import { filterNames } from "../../app/lists/list";
import { insertMassGeneration } from "../factories/mass-generations";
import { insertMachine } from "../factories/people-and-machines";
import { insertPromotion } from "../factories/promotions";
import { countSessions } from "../support/database-sessions";
import { recordRedemptionIds } from "../factories/transactions";
import { filterParams } from "../../app/lists/list-params";
import { useDatabase } from "../support/postgres";
import { readCsv } from "../support/read-csv";
import { isSoak, repetitions } from "../support/repetitions";

const reader = { role: "user" } as const;

useDatabase();

const zone = "Europe/Berlin";
const day = 24 * 60 * 60 * 1_000;
const hotCode = "HTHTHTHTHTHT";

/** Facts that the predicate reads. */
type Fact = {
  id: string;
  created_at: Date;
  status: "applied" | "rolled_back";
  type: "percentage" | "free_drink";
  integration_id: string | null;
  redemption_id: string;
  serial_number: string;
  name: string;
  code: string;
  mass_generation_id: string | null;
  original_price: number;
  discount: number;
};
let facts: Fact[];

beforeAll(async () => {
  const serials = ["VM-1", "vm-1", "VM-10", "=VM+2", "Ä/#? 9"];
  const machines = await Promise.all(
    serials.map((serial_number) =>
      insertMachine({ serial_number, human_name: `@${serial_number}` }),
    ),
  );
  const [till] = await db()("integrations")
    .insert({ name: "-Till" })
    .returning<{ id: string }[]>("id");
  await db()("integrations").insert({ name: "Unused" });
  const generations = [
    await insertMassGeneration({ name: "Festival 50%_off", num_codes: 6 }),
    await insertMassGeneration({ name: "Winter", num_codes: 4, is_deleted: true }),
  ];
  const ofGenerations = await db()("promotions")
    .whereIn("mass_generation_id", generations)
    .orderBy("id")
    .pluck<string[]>("id");
  const singles = [
    // Used too often for its transactions to be sorted: its activation_count says so.
    await insertPromotion({ name: "Hot", code: hotCode, activation_count: 30_000 }),
    await insertPromotion({ name: "Summer 50%_off" }),
    await insertPromotion({ name: "summer night", is_deleted: true }),
    // A name that could be a code.
    await insertPromotion({ name: "NGHTNGHTNGHT" }),
    await insertPromotion({ name: "=cmd|' /C calc'!A0", activation_count: 25_000 }),
  ];
  await insertPromotion({ name: "Never used summer" });
  const promotions = [...singles, ...ofGenerations];
  const now = Date.now();
  // Three kinds of ties: at one moment, in blocks of four, none; and ids that go against the time.
  const times = Array.from({ length: 420 }, (_, i) => {
    if (i < 60) return now - 20 * day;
    if (i < 240) return now - Math.floor(i / 4) * 7 * 60 * 60 * 1_000;
    return now - ((i * 7919) % 420) * 5 * 60 * 60 * 1_000 - i;
  });
  await db()("transactions").insert(
    times.map((time, i) => ({
      redemption_id: `${i % 3 === 0 ? "=r" : "r"}-${i}`,
      promotion_id: promotions[(i * 7) % promotions.length],
      machine_id: machines[(i * 3) % machines.length]!.id,
      integration_id: i % 4 === 0 ? till!.id : null,
      type: i % 3 === 0 ? "percentage" : "free_drink",
      original_price: 100 + (i % 50),
      discount: i % 100,
      status: i % 11 === 0 ? "rolled_back" : "applied",
      rolled_back_at: i % 11 === 0 ? new Date() : null,
      created_at: new Date(time),
    })),
  );
  await recordRedemptionIds();
  facts = await db()("transactions as t")
    .join("machines as m", "m.id", "t.machine_id")
    .join("promotions as p", "p.id", "t.promotion_id")
    .orderBy([
      { column: "t.created_at", order: "desc" },
      { column: "t.id", order: "desc" },
    ])
    .select<Fact[]>(
      ...[
        "t.id",
        "t.created_at",
        "t.status",
        "t.type",
        "t.integration_id",
        "m.serial_number",
        "t.redemption_id",
      ],
      ...["p.name", "p.code", "p.mass_generation_id", "t.original_price", "t.discount"],
    );
});

const localDay = new Intl.DateTimeFormat("en-CA", { timeZone: zone });

function matches(fact: Fact, filters: TransactionFilters, now: Date): boolean {
  const { machine, promotion, createdAfter, createdBefore, created } = filters;
  const isSame = (serial: string) => serial.toLowerCase() === machine.toLowerCase();
  // The exact serial number wins; another case matches only if no machine has it.
  const serials = ["VM-1", "vm-1", "VM-10", "=VM+2", "Ä/#? 9"];
  const meant = serials.find((serial) => serial === machine) ?? serials.find(isSame);
  const code = promotion.replaceAll("-", "").toUpperCase();
  const isCode = facts.some((other) => other.code === code);
  const days = created && { "7d": 7, "30d": 30, "2m": null }[created];
  const since = new Date(now);
  if (days) since.setTime(now.getTime() - days * day);
  else since.setMonth(since.getMonth() - 2);
  return (
    (machine === "" || fact.serial_number === meant) &&
    (promotion === "" ||
      (isCode ? fact.code === code : fact.name.toLowerCase().includes(promotion.toLowerCase()))) &&
    (filters.massGenerationId === null || fact.mass_generation_id === filters.massGenerationId) &&
    (filters.status === null || fact.status === filters.status) &&
    (filters.type === null || fact.type === filters.type) &&
    (filters.redemptionId === "" || fact.redemption_id === filters.redemptionId) &&
    (filters.integrationId === null || fact.integration_id === filters.integrationId) &&
    (createdAfter === null || localDay.format(fact.created_at) >= createdAfter) &&
    (createdBefore === null || localDay.format(fact.created_at) <= createdBefore) &&
    (created === null || fact.created_at > since)
  );
}

const expectedIds = (filters: TransactionFilters, now: Date) =>
  facts.filter((fact) => matches(fact, filters, now)).map(({ id }) => id);

type Options = Parameters<typeof listTransactions>[1];

const list = (query: object) =>
  listTransactions({
    page: 1,
    perPage: 25,
    after: null,
    before: null,
    filters: noFilters,
    ...query,
  });
const idsIn = ({ transactions }: { transactions: { id: string }[] }) =>
  transactions.map(({ id }) => id);

/** All pages, by the cursors that each gives. */
async function forward(filters: TransactionFilters, perPage: number, options: Options) {
  const pages: string[][] = [];
  const lists = [];
  let after: string | null = null;
  for (let page = 1; page < 1_000; page++) {
    const list: Awaited<ReturnType<typeof listTransactions>> = await listTransactions(
      { page, perPage, after, before: null, filters },
      options,
    );
    lists.push(list);
    pages.push(idsIn(list));
    if (list.next === null) return { pages, lists };
    after = list.next;
  }
  throw new Error("No end");
}

const anyFilters = (): fc.Arbitrary<TransactionFilters> => {
  const aDay = fc
    .integer({ min: 0, max: 90 })
    .map((back) => localDay.format(new Date(Date.now() - back * day)));
  const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 1, nil: null });
  const generation = fc.constantFrom(
    ...new Set(facts.map((fact) => fact.mass_generation_id).filter((id) => id !== null)),
    "999999",
  );
  const integration = fc.constantFrom(
    facts.find((fact) => fact.integration_id)!.integration_id!,
    "2",
  );
  const text = fc.constantFrom(
    ...["summer", "50%_off", "FESTIVAL", "NGHTNGHTNGHT", hotCode, "htht-htht-htht", "cmd|' /C"],
    ...["nothing of the kind", "a\\b", facts[3]!.code, facts[70]!.code.toLowerCase()],
  );
  const serial = fc.constantFrom("VM-1", "vm-1", "Vm-10", "=vm+2", "ä/#? 9", "VM", "no such");
  return fc
    .record({
      createdAfter: rarely(aDay),
      createdBefore: rarely(aDay),
      created: rarely(fc.constantFrom("7d" as const, "30d" as const, "2m" as const)),
      machine: fc.oneof(fc.constant(""), serial),
      promotion: fc.oneof(fc.constant(""), text),
      massGenerationId: rarely(generation),
      status: rarely(fc.constantFrom("applied" as const, "rolled_back" as const)),
      type: rarely(fc.constantFrom("percentage" as const, "free_drink" as const)),
      integrationId: rarely(integration),
      redemptionId: fc.oneof(
        { weight: 4, arbitrary: fc.constant("") },
        fc.constantFrom("r-1", "=r-3", "none"),
      ),
    })
    .filter(({ createdAfter: from, createdBefore: to }) => !from || !to || from <= to);
};

describe("the list", () => {
  test(
    "every combination lists exactly what a look at each row says",
    { timeout: 60_000 },
    async () => {
      const now = new Date();
      await fc.assert(
        fc.asyncProperty(
          anyFilters(),
          fc.constantFrom(1, 7, 25, 500),
          fc.constantFrom(3, 40, 100_000),
          async (filters, perPage, scanLimit) => {
            const { pages, lists } = await forward(filters, perPage, { scanLimit, now });
            const expected = expectedIds(filters, now);
            expect(pages.flat()).toEqual(expected);
            const { total } = lists[0]!;
            if (total.isCapped) expect(total.count).toBeLessThanOrEqual(expected.length);
            else expect(total.count).toBe(expected.length);
            // A page that is not full says how far was looked, or is the last one.
            for (const { transactions, stoppedAt, next } of lists) {
              if (transactions.length < perPage) expect(stoppedAt === null).toBe(next === null);
            }
          },
        ),
        { numRuns: repetitions(5, 500) },
      );
    },
  );

  test.each(isSoak ? [1, 7, 25] : [25])(
    "%d rows a page: forth and back over ties, the same pages",
    async (perPage) => {
      for (const filters of [
        noFilters,
        { ...noFilters, machine: "VM-1" },
        { ...noFilters, promotion: hotCode },
        { ...noFilters, promotion: "50%_off" },
        { ...noFilters, type: "percentage" as const },
      ]) {
        const { pages, lists } = await forward(filters, perPage, {});
        expect(pages.flat()).toEqual(expectedIds(filters, new Date()));
        for (let page = lists.length; page > 1; page--) {
          const { previous: before } = lists[page - 1]!;
          const back = await list({ page: page - 1, perPage, before, filters });
          expect([idsIn(back), back.isFallback]).toEqual([pages[page - 2], false]);
        }
        for (let page = 1; page <= Math.min(8, pages.length); page++)
          expect(idsIn(await list({ page, perPage, filters }))).toEqual(pages[page - 1]);
      }
    },
  );

  test.each([
    [2, 5],
    [25, 40],
  ])(
    "%d rows a page: goes back to the start of a search that stops after %d rows, past all matches",
    async (perPage, scanLimit) => {
      const filters = { ...noFilters, status: "rolled_back" as const };
      const { lists } = await forward(filters, perPage, { scanLimit });
      let current = lists.at(-1)!;
      const seen = new Set(idsIn(current));
      for (let steps = 0; current.page > 1; steps++) {
        expect(steps).toBeLessThan(facts.length);
        const { page, previous } = current;
        current = await listTransactions(
          { page: page - 1, perPage, after: null, before: previous, filters },
          { scanLimit },
        );
        for (const id of idsIn(current)) seen.add(id);
      }
      expect([...seen].toSorted()).toEqual(expectedIds(filters, new Date()).toSorted());
      expect(idsIn(current)).toEqual(idsIn(lists[0]!));
    },
  );

  test("a page that does not exist any more leads to the nearest one", async () => {
    const ids = facts.map(({ id }) => id);
    const far = await list({ page: 999 });
    expect([far.page, far.isFallback]).toEqual([17, true]);
    expect(far.transactions.at(-1)?.id).toBe(ids.at(-1));
    const unknown = await list({ page: 3, after: "99999999" });
    expect([unknown.page, unknown.isFallback]).toEqual([1, true]);
    const end = await list({ page: 18, after: ids.at(-1) });
    expect([end.page, end.isFallback, end.transactions.length]).toEqual([1, true, 25]);
    const start = await list({ page: 2, before: ids[10] });
    expect([start.page, start.transactions[0]?.id]).toEqual([1, ids[0]]);
  });
});

describe("filters", () => {
  test("are read back from the parameters that they give", () => {
    fc.assert(
      fc.property(anyFilters(), (filters) => {
        const params = new URLSearchParams(filterParams(transactionList.filters, filters));
        expect(parseTransactionFilters(params)).toEqual({ filters, errors: {} });
      }),
    );
  });

  test("ask for more of a name that too many promotions have", async () => {
    const find = (maxNamed: number) =>
      findSource({ ...noFilters, promotion: "50%_off" }, { maxNamed });
    await expect(find(1)).rejects.toMatchObject({
      fields: { promotion: "Too many codes match this name: type more of it" },
    });
    expect(await find(1_000)).toMatchObject({ kind: "smallResult" });
  });

  test("that mean nothing let all through and are named", () => {
    for (const name of filterNames(transactionList.filters)) {
      const value = ["machine", "promotion", "redemption"].includes(name)
        ? "x".repeat(201)
        : "nonsense";
      const { filters, errors } = parseTransactionFilters(new URLSearchParams({ [name]: value }));
      expect(Object.keys(errors), name).toEqual([name]);
      expect(filters).toEqual(noFilters);
    }
    for (const promotion of ["ab", "é", "-"]) {
      expect(parseTransactionFilters(new URLSearchParams({ promotion })).errors).toEqual({
        promotion: "Enter a whole code or at least 3 characters of a name",
      });
    }
  });

  test.each([
    ["", { query: { filters: noFilters, limit: 100, before: null }, errors: {} }],
    ["limit=1&before=12", { query: { filters: noFilters, limit: 1, before: "12" }, errors: {} }],
    ["limit=100", { query: { filters: noFilters, limit: 100, before: null }, errors: {} }],
  ])("of the API: '%s'", (query, expected) => {
    expect(parseTransactionApiList(new URLSearchParams(query))).toEqual(expected);
  });

  test.each(["limit=0", "limit=101", "limit=1.5", "limit=x", "before=-1", "before=x", "page=2"])(
    "of the API: '%s' is a problem",
    (query) => {
      const [name] = query.split("=");
      expect(Object.keys(parseTransactionApiList(new URLSearchParams(query)).errors)).toEqual([
        name,
      ]);
    },
  );
});

test("the API reads all in order, a hundred at most at a time", async () => {
  const ids: string[] = [];
  for (let before: string | null = null; ;) {
    const found: Awaited<ReturnType<typeof newestTransactions>> = await newestTransactions({
      limit: 100,
      before,
    });
    const { transactions, next } = found!;
    ids.push(...transactions.map(({ id }) => id));
    if (next === null) break;
    before = next;
  }
  expect(ids).toEqual(facts.map(({ id }) => id));
  expect(await newestTransactions({ limit: 1, before: "99999999" })).toBeNull();
});

describe("an export", () => {
  async function exported(filters: TransactionFilters, scanLimit?: number): Promise<string[][]> {
    let text = "";
    for await (const part of exportTransactions(filters, reader, { scanLimit })) text += part;
    expect(text.startsWith("\ufeff")).toBe(true);
    return readCsv(text.slice(1));
  }

  test("holds exactly what the list does, however it is looked for", async () => {
    for (const filters of [
      noFilters,
      { ...noFilters, status: "rolled_back" as const },
      { ...noFilters, promotion: "50%_off", machine: "VM-1" },
      { ...noFilters, promotion: "nothing of the kind" },
    ]) {
      for (const scanLimit of [40, 100_000]) {
        const [, ...rows] = await exported(filters, scanLimit);
        expect(rows.map(([id]) => id)).toEqual(expectedIds(filters, new Date()));
      }
    }
  });

  test("has no cell that is a formula, and money that adds up", async () => {
    const [head = [], ...rows] = await exported(noFilters);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]!);
    const cents = (name: string) => column(name).map((text) => Math.round(Number(text) * 100));
    expect(cents("Original price")).toEqual(facts.map((fact) => fact.original_price));
    expect(cents("Discount")).toEqual(facts.map((fact) => fact.discount));
    expect(cents("Discounted price")).toEqual(
      facts.map((fact) => fact.original_price - fact.discount),
    );
    expect(column("Original price")[0]).toMatch(/^\d+\.\d\d$/);
    expect(column("Time (ISO, UTC)")).toEqual(
      facts.map((fact) => fact.created_at.toISOString().replace(/\.\d+Z$/, "Z")),
    );
    expect(new Set(column("Machine"))).toContain("'=VM+2");
    expect(new Set(column("Name of code"))).toContain("'=cmd|' /C calc'!A0");
    expect(new Set(column("Integration"))).toEqual(new Set(["", "'-Till"]));
  });

  test("of several pages has each row once, whatever happens meanwhile, and holds no connection", async () => {
    const rows = await db().raw<{ rows: { id: string }[] }>(
      `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price,
         discount, created_at)
       select 'more-' || n, (select min(id) from promotions), (select min(id) from machines),
         'percentage', 100, 10, now() - interval '200 days' - interval '1 second' * (n / 3)
       from generate_series(1, 3500) n returning id`,
    );
    const ids: string[] = [];
    let made = 0;
    for await (const part of exportTransactions(noFilters, reader)) {
      ids.push(...readCsv(part.replace("\ufeff", "")).map(([id]) => id!));
      made += 1;
      await db().raw(
        `insert into transactions (redemption_id, promotion_id, machine_id, type, original_price, discount)
         select 'late-' || :made, (select min(id) from promotions), (select min(id) from machines),
           'percentage', 100, 10`,
        { made },
      );
      expect(await countSessions("idle in a transaction")).toBe(0);
    }
    expect(ids.shift()).toBe("ID");
    expect(ids).toHaveLength(facts.length + rows.rows.length);
    expect(new Set(ids).size).toBe(ids.length);
    await db()("transactions").whereLike("redemption_id", "late-%").delete();
    await db()("transactions").whereLike("redemption_id", "more-%").delete();
  });
});
