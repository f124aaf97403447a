// Without script: the same; order and page are links.
import { ActivityBadge } from "../../features/machines/activity-badge";
import { machineList } from "../../features/machines/machine-list";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { EmptyState } from "../../ui/table/empty-state";
import { withoutFilters } from "../../ui/table/filter-bar";
import { ListTable } from "../../ui/table/list-table";
import { useListUrl } from "../../ui/table/list-url";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import { ListTools } from "./list-tools";
import * as css from "./list.css";
import type { MachineListData } from "./route";

export function MachineTable({ list }: { list: MachineListData }) {
  const { search } = useListUrl(machineList);
  return (
    <ListTable
      caption="Machines"
      list={machineList}
      data={list}
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      columns={[
        {
          heading: "Serial number",
          sort: "serial",
          isRowHeader: true,
          cell: ({ serialNumber }) => <a href={paths.machine(serialNumber)}>{serialNumber}</a>,
        },
        {
          heading: "Name",
          sort: "name",
          className: css.name,
          cell: ({ humanName }) => humanName,
        },
        {
          heading: "Last active",
          sort: "active",
          cell: ({ lastActive }) =>
            lastActive ? <time dateTime={lastActive.iso}>{lastActive.words}</time> : "Never",
        },
        {
          heading: "Active promos",
          sort: "promos",
          isNumber: true,
          cell: ({ id, serialNumber, activePromotions }) =>
            activePromotions === 0 ? (
              "0"
            ) : (
              <a id={`promos-${id}`} href={`${paths.machinePromotions(serialNumber)}${search}`}>
                {formatNumber(activePromotions)}
                <span className={visuallyHidden}> active promotions of {serialNumber}</span>
              </a>
            ),
        },
        {
          heading: "Activity",
          sort: "activity",
          isBare: true,
          className: table.status,
          cell: ({ activity }) => <ActivityBadge activity={activity} />,
        },
      ]}
    />
  );
}

/** No machine at all, or none that matches. */
export function NoRows({ list }: { list: MachineListData }) {
  const url = useListUrl(machineList);
  return (
    <div className={table.frame}>
      <div className={table.tools}>
        <ListTools list={list} />
      </div>
      {list.filters.length > 0 ? (
        <EmptyState
          icon="search"
          title="Nothing matches"
          reason="No machine has what is looked for in its serial number or name."
          action={<ButtonLink to={url(withoutFilters(machineList))}>Clear filters</ButtonLink>}
        />
      ) : (
        <EmptyState
          icon="machine"
          title="No machines found"
          reason="Machines appear here once the vending platform lists them."
        />
      )}
    </div>
  );
}
