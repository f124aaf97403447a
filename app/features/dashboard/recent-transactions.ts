/** Declares the table of the newest transactions, which is sorted as it is shown. */
import { defineList, type Sort } from "../../lists/list";
import { formatSort, linkParams, transientParams } from "../../lists/list-params";
import { type ListQuery } from "../../lists/parse-list";
import { paths } from "../../paths";
import { discountTypeLabels } from "../../format/promotion";
import type { Transaction } from "../transactions/transaction";

export const recentList = defineList({
  path: paths.dashboard,
  cookie: "dashboard",
  pageSizes: [5, 10, 25],
  defaultPageSize: 5,
  sorts: {
    created: "descending",
    promotion: "ascending",
    machine: "ascending",
    type: "ascending",
    price: "descending",
    discount: "descending",
    status: "ascending",
  },
});

type RecentSort = Sort<keyof typeof recentList.sorts>;

const keys: Record<RecentSort["by"], (transaction: Transaction) => string | number> = {
  created: ({ occurredAt }) => occurredAt.getTime(),
  promotion: ({ promotion }) => promotion.name.toLowerCase(),
  machine: ({ machine }) => machine.serialNumber,
  type: ({ type }) => discountTypeLabels[type],
  price: ({ originalPrice }) => originalPrice,
  discount: ({ discount }) => discount,
  status: ({ status }) => status,
};

/** Sorts transactions, which come newest first; equal ones stay so. */
export function sortTransactions(transactions: Transaction[], { by, isDescending }: RecentSort) {
  const key = keys[by];
  const direction = isDescending ? -1 : 1;
  return transactions.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)];
    return a === b ? 0 : a < b ? -direction : direction;
  });
}

/** Links that change the order or the number of the rows, and keep the rest of the URL. */
export function recentLinks(
  params: URLSearchParams,
  { sort, perPage }: Pick<ListQuery<RecentSort["by"]>, "sort" | "perPage">,
) {
  const address = (name: string, value: string) => {
    const next = linkParams(params, transientParams);
    next.set(name, value);
    return `${paths.dashboard}?${next}`;
  };
  return {
    sorts: (Object.keys(recentList.sorts) as RecentSort["by"][]).map((by) => {
      const isSorted = sort.by === by;
      // Another press turns the order round.
      const isDescending = isSorted ? !sort.isDescending : recentList.sorts[by] === "descending";
      const direction = sort.isDescending ? ("descending" as const) : ("ascending" as const);
      const to = address("sort", formatSort({ by, isDescending }));
      return { by, to, direction: isSorted ? direction : null };
    }),
    sizes: recentList.pageSizes.map((size) => ({
      size,
      to: address("per_page", String(size)),
      isCurrent: size === perPage,
    })),
  };
}
