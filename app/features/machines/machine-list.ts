/** Declares the list of the Machines screen. */
import { defineList, textFilter, type FilterValues, type Sort } from "../../forms/list";
import { paths } from "../../paths";

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
  defaultSort: { by: "serial", isDescending: false },
  /** Both match anywhere, in either case. */
  filters: {
    serialNumber: textFilter("serial_number", "Serial number"),
    name: textFilter("name", "Name"),
  },
  fields: ["serial_number", "name"],
});

export type MachineSortColumn = keyof typeof machineList.sorts;
export type MachineSort = Sort<MachineSortColumn>;
export type MachineFilters = FilterValues<typeof machineList.filters>;
