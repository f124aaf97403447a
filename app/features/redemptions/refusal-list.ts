/** Declares the list of refused attempts. */
import {
  choiceFilter,
  timeFilters,
  defineList,
  noFiltersOf,
  textFilter,
  type FilterValues,
} from "../../lists/list";
import { filterParams, pageSearch } from "../../lists/list-params";
import { countOf } from "../../format/number";
import { paths } from "../../paths";
import { refusalLabels } from "./refusal-reason";

const filters = {
  ...timeFilters("Time"),
  /** A whole code or its last four characters, or the text that was sent in its place. */
  code: textFilter("code", "Code"),
  /** A whole serial number, or a part of one or of a name if no machine has it. */
  machine: textFilter("machine", "Machine", "Serial number or name"),
  reason: choiceFilter("reason", "Reason", refusalLabels),
};

export const refusalList = defineList({
  path: paths.refusals,
  cookie: "rows-refusals",
  sorts: { created: "descending" },
  filters,
  search: "code",
  filterGroups: {
    Reason: ["reason"],
    Time: ["created_after", "created_before"],
    Machine: ["machine"],
  },
  lastNumberedRow: 10_000,
});

/** Describes how many attempts of the last 24 hours are not in the list; null if none. */
export function describeUnrecorded(count: number): string | null {
  if (count === 0) return null;
  return (
    `${countOf(count, "more refused attempt")} in the last 24 hours ` +
    `${count === 1 ? "was counted, but is" : "were counted, but are"} not listed. ` +
    "For each key, the first 1,000 attempts an hour that name no code or are throttled are listed."
  );
}

/** Transactions and refused attempts are views of what machines asked. */
export const transactionTabs = [
  { to: paths.transactions, label: "Transactions" },
  { to: paths.refusals, label: "Refused attempts" },
];

export type RefusalFilters = FilterValues<typeof filters>;

/** Returns the address of the list with some of its filters set. */
export function refusalsAddress(values: Partial<RefusalFilters>): string {
  return paths.refusals + pageSearch(filterParams(filters, { ...noFiltersOf(filters), ...values }));
}
