// Without script: the same; order and page are links.
import { ActivityBadge } from "../../features/machines/activity-badge";
import {
  formatMachineSort,
  machinePageSizes,
  type MachineSortColumn,
} from "../../features/machines/machine-list";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { Pagination } from "../../ui/table/pagination";
import { SortHeader } from "../../ui/table/sort-link";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { visuallyHidden } from "#styles/global.css";
import type { MachineListData } from "./list-cache";
import { ListTools } from "./list-tools";
import { useListUrl } from "./list-url";
import * as css from "./list.css";

export function MachineTable({ list }: { list: MachineListData }) {
  const listUrl = useListUrl();
  const { rows, total, page, perPage, sort } = list;
  const first = (page - 1) * perPage + 1;
  const last = first + rows.length - 1;
  const withoutPerPage = { ...listUrl.kept };
  delete withoutPerPage.per_page;

  const sortable = (by: MachineSortColumn, words: string, isNumber = false) => {
    const isSorted = sort.by === by;
    // Figures and dates are looked for from the top, names from the beginning.
    const startsDescending = by !== "serial" && by !== "name";
    const isDescending = isSorted ? !sort.isDescending : startsDescending;
    return (
      <SortHeader
        to={listUrl({ sort: formatMachineSort({ by, isDescending }) })}
        sorted={isSorted ? (sort.isDescending ? "descending" : "ascending") : null}
        isNumber={isNumber}
      >
        {words}
      </SortHeader>
    );
  };

  return (
    <Table
      caption="Machines"
      onApproach={preloadModal}
      tools={<ListTools list={list} />}
      head={
        <>
          {sortable("serial", "Serial number")}
          {sortable("name", "Name")}
          {sortable("active", "Last active")}
          {sortable("promos", "Active promos", true)}
          {sortable("activity", "Activity")}
        </>
      }
      footer={
        <Pagination
          first={first}
          last={last}
          total={total}
          previous={page > 1 ? listUrl({ page: `${page - 1}` }) : null}
          next={last < total ? listUrl({ page: `${page + 1}` }) : null}
          perPage={perPage}
          perPageChoices={machinePageSizes}
          kept={withoutPerPage}
        />
      }
    >
      {rows.map((row) => (
        <MachineLine key={row.id} row={row} search={listUrl.search} />
      ))}
    </Table>
  );
}

function MachineLine({ row, search }: { row: MachineListData["rows"][number]; search: string }) {
  const { id, serialNumber, humanName, lastActive, activePromotions, activity } = row;
  return (
    <tr>
      <th scope="row" className={table.name}>
        <a href={paths.machine(serialNumber)}>{serialNumber}</a>
      </th>
      <td data-label="Name" className={css.name}>
        {humanName}
      </td>
      <td data-label="Last active">
        {lastActive ? <time dateTime={lastActive.iso}>{lastActive.words}</time> : "Never"}
      </td>
      <td data-label="Active promos" className={table.number}>
        {activePromotions === 0 ? (
          "0"
        ) : (
          <a id={`promos-${id}`} href={`${paths.machinePromotions(serialNumber)}${search}`}>
            {formatNumber(activePromotions)}
            <span className={visuallyHidden}> active promotions of {serialNumber}</span>
          </a>
        )}
      </td>
      <td className={table.status}>
        <ActivityBadge activity={activity} />
      </td>
    </tr>
  );
}
