/** What the Machines screen shows, as its address says (rulings 1.6). */
import { parseListQuery, type ListQuery } from "../../forms/list-query";
import { isLongerThan, isStorableText } from "../../forms/storable-text";

export const machineSorts = ["serial", "name", "active", "promos", "activity"] as const;
export type MachineSortColumn = (typeof machineSorts)[number];
export type MachineSort = ListQuery<MachineSortColumn>["sort"];

/** core §9 */
export const machinePageSizes = [25, 50, 100] as const;

export type MachineListSettings = { perPage: number; sort: MachineSort };

export const defaultMachineList: MachineListSettings = {
  perPage: 25,
  sort: { by: "serial", isDescending: false },
};

/** Each is looked for anywhere, case-insensitively; '' lets all through. */
export type MachineFilters = { serialNumber: string; name: string };

/** The parameters of the filters. */
export const machineFilterNames = ["serial_number", "name"] as const;

/** Longer than any name. */
const maxFilterLength = 200;

/**
 * By page numbers. A value that means nothing falls back and is named in `problems`.
 * @param usual where the address says nothing: what this browser asked for last
 */
export function parseMachineList(params: URLSearchParams, usual: MachineListSettings) {
  const { query, problems } = parseListQuery(params, {
    ...usual,
    pageSizes: machinePageSizes,
    sorts: machineSorts,
  });
  const text = (name: string) => {
    const needle = (params.get(name) ?? "").trim();
    if (isStorableText(needle) && !isLongerThan(needle, maxFilterLength)) return needle;
    problems.push(`The value of '${name}' is not valid, so that filter is left out`);
    return "";
  };
  const filters: MachineFilters = { serialNumber: text("serial_number"), name: text("name") };
  return { query, filters, problems };
}

/** 'name' is ascending, '-name' descending. */
export function formatMachineSort({ by, isDescending }: MachineSort): string {
  return isDescending ? `-${by}` : by;
}
