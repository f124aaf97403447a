/** Declares the lists of machines, of machine groups and of the machines in a group. */
import { isLongerThan } from "../../forms/storable-text";
import {
  choiceFilter,
  defineList,
  idFilter,
  textFilter,
  type FilterValues,
  type Sort,
} from "../../lists/list";
import { pageSearch } from "../../lists/list-params";
import { type Errors, type ListQuery } from "../../lists/parse-list";
import { paths } from "../../paths";
import { activityLabels } from "./machine";

/** Names of the uses of a machine in the last 24 hours, by the parameter. */
const useLabels = {
  used: "used in 24 hours",
  silent: "silent for 24 hours",
  refused: "refused many in 24 hours",
};

export const machineList = defineList({
  path: paths.machines,
  cookie: "machines",
  pageSizes: [25, 50, 100],
  sorts: {
    serial: "ascending",
    name: "ascending",
    active: "descending",
    promos: "descending",
    activity: "descending",
  },
  /** Both match anywhere, in either case. */
  filters: {
    serialNumber: textFilter("serial_number", "Serial number"),
    name: textFilter("name", "Name"),
    activity: choiceFilter("activity", "Activity", activityLabels),
    use: choiceFilter("use", "Use", useLabels),
    groupId: idFilter("group", "Machine group"),
  },
  search: "name",
  filterGroups: {
    "Serial number": ["serial_number"],
    Activity: ["activity", "use"],
    Group: ["group"],
  },
});

/** Machines and their groups are views of one another. */
export const machineTabs = [
  { to: paths.machines, label: "Machines", hasDialogs: true },
  { to: paths.machineGroups, label: "Machine groups" },
];

export type MachineSort = Sort<keyof typeof machineList.sorts>;
export type MachineFilters = FilterValues<typeof machineList.filters>;

const maxAddressLength = 2_000;

/**
 * Returns the URL of the list of machines with a query string that a URL or a form field holds; the
 * plain list if that is no query string.
 */
export function machinesAddress(search: unknown): string {
  const isSearch =
    typeof search === "string" && search.startsWith("?") && search.length <= maxAddressLength;
  return paths.machines + (isSearch ? pageSearch(new URLSearchParams(search)) : "");
}

export const groupList = defineList({
  path: paths.machineGroups,
  pageSizes: [25, 50, 100],
  sorts: { name: "ascending" },
  filters: { search: textFilter("search", "Name") },
  search: "search",
});

const maxSearchLength = 200;

/** Parses `search`, which is shortened rather than left out when it is too long. */
export function parseGroupFilters(params: URLSearchParams) {
  const errors: Errors = {};
  const text = (params.get("search") ?? "").replaceAll("\0", "").trim();
  if (isLongerThan(text, maxSearchLength))
    errors.search = "The search was too long and was shortened";
  const search = Array.from(text).slice(0, maxSearchLength).join("");
  return { filters: { search }, errors };
}

export type GroupListQuery = ListQuery<keyof typeof groupList.sorts> &
  FilterValues<typeof groupList.filters>;
