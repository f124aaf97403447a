import { groupKindLabels } from "../../features/machines/machine-group";
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import type { Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";
import type { GroupListData } from "./route";

export const groupColumns: Column<GroupListData["rows"][number]>[] = [
  {
    heading: "Name",
    isRowHeader: true,
    cell: ({ id, name }) => <a href={paths.machineGroup(id)}>{name}</a>,
  },
  { heading: "Kind", cell: ({ kind }) => groupKindLabels[kind] },
  {
    heading: "Machines",
    isNumber: true,
    className: table.withNote,
    cell: ({ machines }) => (
      <>
        {formatNumber(machines.live)}{" "}
        {machines.deleted > 0 && (
          <span className={muted}>and {formatNumber(machines.deleted)} deleted</span>
        )}
      </>
    ),
  },
  {
    heading: "Single codes",
    isNumber: true,
    cell: ({ assigned }) => formatNumber(assigned.promotions),
  },
  {
    heading: "Mass generations",
    isNumber: true,
    className: table.withNote,
    cell: ({ assigned }) => (
      <>
        {formatNumber(assigned.generations)}{" "}
        {assigned.codes > 0 && <span className={muted}>({formatCodes(assigned.codes)})</span>}
      </>
    ),
  },
];
