// Without script: the same; order and page are links.
import type { SerializeFrom } from "@remix-run/node";
import type {
  GenerationListQuery,
  GenerationSort,
} from "../../features/mass-generations/generation-list";
import {
  generationStatusLabels,
  type GenerationView,
} from "../../features/mass-generations/mass-generation-view";
import { pageSizes } from "../../features/promotions/list/promotion-filters";
import { StatusBadge } from "../../features/promotions/status-badge";
import { formatNumber } from "../../format/number";
import { paths } from "../../paths";
import { useListAddress } from "../../ui/table/list-address";
import { Pagination } from "../../ui/table/pagination";
import { SortHeader } from "../../ui/table/sort-link";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";

type GenerationTableProps = {
  list: { rows: SerializeFrom<GenerationView>[]; total: number; query: GenerationListQuery };
};

export function GenerationTable({ list: { rows, total, query } }: GenerationTableProps) {
  const address = useListAddress();
  const { page, perPage, sort } = query;
  const first = (page - 1) * perPage + 1;
  const last = first + rows.length - 1;

  const sortable = (by: GenerationSort, words: string, isNumber = false) => {
    const isSorted = sort.by === by;
    // Figures and dates are looked for from the top, names from the beginning.
    const toDescending = isSorted ? !sort.isDescending : by !== "name";
    return (
      <SortHeader
        to={address({ sort: toDescending ? `-${by}` : by })}
        sorted={isSorted ? (sort.isDescending ? "descending" : "ascending") : null}
        isNumber={isNumber}
      >
        {words}
      </SortHeader>
    );
  };

  return (
    <Table
      caption="Mass generations"
      head={
        <>
          {sortable("name", "Name")}
          {sortable("created", "Made on")}
          <th scope="col">By</th>
          <th scope="col">Discount</th>
          {sortable("codes", "Codes", true)}
          <th scope="col" className={table.number}>
            Used
          </th>
          <th scope="col">Status</th>
        </>
      }
      footer={
        <Pagination
          first={first}
          last={last}
          total={total}
          previous={page > 1 ? address({ page: `${page - 1}` }) : null}
          next={last < total ? address({ page: `${page + 1}` }) : null}
          perPage={perPage}
          perPageChoices={pageSizes}
          kept={{ sort: `${sort.isDescending ? "-" : ""}${sort.by}` }}
        />
      }
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row" className={table.name}>
            <a href={paths.generation(row.id)}>{row.name}</a>
          </th>
          <td data-label="Made on">{row.created}</td>
          <td data-label="By">{row.createdBy ?? "Unknown"}</td>
          <td data-label="Discount">{row.discount}</td>
          <td data-label="Codes" className={table.number}>
            {formatNumber(row.numCodes)}
          </td>
          <td data-label="Used" className={table.number}>
            {row.used} <span className={muted}>({row.usedShare})</span>
          </td>
          <td className={table.status}>
            <StatusBadge status={row.status} words={generationStatusLabels[row.status]} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
