import { db } from "../../app/db/connection.server";
import { toCampaigns } from "../../app/features/promotions/list/campaigns.server";
import {
  listPromotions,
  readRows,
} from "../../app/features/promotions/list/list-promotions.server";
import {
  noFilters,
  promotionList,
  type PromotionFilters,
  type PromotionListQuery,
  type PromotionSort,
} from "../../app/features/promotions/list/promotion-filters";
import { search } from "../../app/features/search/search.server";
import { parseSort } from "../../app/lists/parse-list";
import { againstLookUp, openMillion } from "./million";
import { inTurns, median, secondsOf, type Row } from "./row";
import { admin } from "./server";

const promotionSorts = Object.keys(promotionList.sorts) as PromotionSort["by"][];

const firstPage: PromotionListQuery = {
  page: 1,
  perPage: 25,
  sort: promotionList.defaultSort,
  after: null,
  before: null,
  filters: noFilters,
};

const filtered = (filters: Partial<PromotionFilters>) => () =>
  listPromotions({ ...firstPage, filters: { ...noFilters, ...filters } });

/** The page alone, where its count is known to be beyond what is counted. */
const page = (query: Partial<PromotionListQuery>, filters: Partial<PromotionFilters> = {}) =>
  readRows({ ...firstPage, ...query }, { ...noFilters, ...filters }, { total: 10_001, ids: null });

/** Queries of the list, each against a bare look-up by primary key in the same loop. */
function query(name: string, ceiling: number, run: () => Promise<unknown>): Row {
  return {
    name: `${name}, 1,000,000 promotions: time against a primary-key look-up`,
    async measure() {
      await openMillion();
      const [list, key] = (await againstLookUp({ warmUps: 8, rounds: 32 }, run)).map(median);
      return {
        ratio: list! / key!,
        ceiling,
        detail: `${list!.toFixed(2)} ms against ${key!.toFixed(2)} ms`,
      };
    },
  };
}

/** The id that the list shows at a depth, as a cursor that somebody paged to. */
async function cursorAt(depth: number): Promise<string> {
  const { rows } = await db().raw<{ rows: { id: string }[] }>(
    `select id from promotions where not is_deleted
     order by created_at desc, id desc limit 1 offset ?`,
    [depth],
  );
  return rows[0]!.id;
}

let deep: Promise<string> | undefined;

/** The search in the top bar, against the first page of the list with its count. */
function searchFor(name: string, text: string, ceiling = 3): Row {
  return {
    name: `Search for ${name}, 1,000,000 promotions: p95 against a list page`,
    async measure() {
      await openMillion();
      const msOf = (run: () => Promise<unknown>) => async () => (await secondsOf(run)) * 1_000;
      const [found, list] = await inTurns(
        { warmUps: 8, rounds: 60 },
        msOf(() => search(text, { role: "admin" })),
        msOf(() => listPromotions(firstPage)),
      );
      const [ours, theirs] = [percentile95(found), percentile95(list)];
      return {
        ratio: ours / theirs,
        ceiling,
        detail: `${ours.toFixed(2)} ms against ${theirs.toFixed(2)} ms`,
      };
    },
  };
}

const percentile95 = (values: number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * 0.95)]!;

export const searchRows: Row[] = [
  // That of the single promotion 'Staff 77773'.
  searchFor("a code", "5278-EE68-973F"),
  searchFor("half a campaign's name", "Staff 777"),
  // Each of the mass generations with this name is looked at.
  searchFor("a name of a quarter of all mass generations", "summer", 6),
  searchFor("a serial number", "vm-10777"),
  searchFor("a mail address", admin.email),
  searchFor("a redemption id", "4c1a2f0e-77aa-4b2e-9d7c-0f6f3f6a1c11"),
];

export const promotionQueries: Row[] = [
  query("Default list", 3, () => page({})),
  query("Next page at row 500,000", 3, async () => {
    deep ??= cursorAt(500_000);
    return page({ page: 20_000, after: await deep });
  }),
  query("Page of the last 7 days", 3, () => page({}, { created: "7d" })),
  ...(["active", "inactive", "used_up", "not_assigned"] as const).map((status) =>
    query(`Page with status ${status}`, 3, () => page({}, { status })),
  ),
  query("Page of campaigns", 8, async () => toCampaigns(await page({}, { view: "campaigns" }))),
  query("Campaigns with their count", 16, filtered({ view: "campaigns" })),
  // Codes of one status after the other are counted and read.
  ...promotionSorts.map((by) =>
    query(`Page by ${by}`, by === "status" ? 10 : 4, () =>
      page({ sort: parseSort(promotionList, by)! }),
    ),
  ),
  query("Default list with its count", 8, () => listPromotions(firstPage)),
  query("Next page at row 500,000 with its count", 8, async () => {
    deep ??= cursorAt(500_000);
    return listPromotions({ ...firstPage, page: 20_000, after: await deep });
  }),
  ...promotionSorts.map((by) =>
    query(`Sorted by ${by} with its count`, by === "status" ? 14 : 8, () =>
      listPromotions({ ...firstPage, sort: parseSort(promotionList, by)! }),
    ),
  ),
  query("Created in the last 7 days, with its count", 60, filtered({ created: "7d" })),
  query("Created in the last 30 days, with its count", 60, filtered({ created: "30d" })),
  query("Status active, with its count", 60, filtered({ status: "active" })),
  query("Status inactive, with its count", 60, filtered({ status: "inactive" })),
  query("Status used up, with its count", 60, filtered({ status: "used_up" })),
  query("Status not assigned, with its count", 60, filtered({ status: "not_assigned" })),
  query("Status deleted, with its count", 60, filtered({ status: "deleted", deleted: "only" })),
  query("Status expired, with its count", 200, filtered({ status: "expired" })),
  query("Page of one machine by its serial number", 25, () =>
    page({}, { serialNumber: "VM-10777" }),
  ),
  query("One machine, with its count", 60, filtered({ serialNumber: "VM-10777" })),
  query("A name of controllers", 200, filtered({ controller: "lobby" })),
  query("Page of a text that is rare", 8, () => page({}, { text: "Staff 77773" })),
  query("Page of a text that is nowhere", 8, () => page({}, { text: "zzz nowhere" })),
  query("Text that is rare, with its count", 60, filtered({ text: "Staff 77773" })),
  query("Text that is nowhere, with its count", 60, filtered({ text: "zzz nowhere" })),
  query("Text in half of the names", 200, filtered({ text: "summer" })),
  query("The beginning of a code", 60, filtered({ text: "AB" })),
  query("Text that can be in no index", 200, filtered({ text: "---" })),
  query("Text in every generation", 200, filtered({ text: "batch" })),
  query("A lobby's active ones", 200, filtered({ controller: "lobby", status: "active" })),
  query("A lobby's summer", 200, filtered({ controller: "lobby", text: "summer" })),
  query("Indefinite ones, the first to end first", 200, () =>
    listPromotions({
      ...firstPage,
      sort: parseSort(promotionList, "expiration")!,
      filters: { ...noFilters, isIndefinite: true },
    }),
  ),
  query("Reusable ones, the least used first", 200, () =>
    listPromotions({
      ...firstPage,
      sort: parseSort(promotionList, "used")!,
      filters: { ...noFilters, isReusable: true },
    }),
  ),
  query("Used and indefinite, with its count", 200, filtered({ isUsed: true, isIndefinite: true })),
  query("Single ones that ended", 200, filtered({ type: "single", isExpired: true })),
  query("A machine group, with its count", 200, filtered({ groupId: "7" })),
  query("A name of mass generations, with its count", 200, filtered({ massGeneration: "batch 7" })),
  query("A part of a serial number or name", 200, filtered({ machine: "1077" })),
  query("Not used yet, with its count", 60, filtered({ use: "unused" })),
  query("Ending within 30 days, with its count", 60, filtered({ expires: "30d" })),
  query(
    "A lobby's expired summer",
    200,
    filtered({ controller: "lobby", text: "summer", status: "expired" }),
  ),
];
