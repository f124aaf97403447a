// Without script: the same; pages are links.
import type { SerializeFrom } from "@remix-run/node";
import { groupPageSizes, type GroupListQuery } from "../../features/machines/group-list";
import { groupKindLabels, type MachineGroup } from "../../features/machines/machine-group";
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { paths } from "../../paths";
import { useListAddress } from "../../ui/table/list-address";
import { Pagination } from "../../ui/table/pagination";
import { Table } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";

type GroupTableProps = {
  list: { groups: SerializeFrom<MachineGroup>[]; total: number; query: GroupListQuery };
};

export function GroupTable({ list: { groups, total, query } }: GroupTableProps) {
  const address = useListAddress();
  const { page, perPage, search } = query;
  const first = (page - 1) * perPage + 1;
  const last = first + groups.length - 1;
  return (
    <Table
      caption="Machine groups"
      head={
        <>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col" className={table.number}>
            Machines
          </th>
          <th scope="col" className={table.number}>
            Promotions
          </th>
          <th scope="col" className={table.number}>
            Mass generations
          </th>
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
          perPageChoices={groupPageSizes}
          kept={search ? { search } : {}}
        />
      }
    >
      {groups.map(({ id, name, kind, machines, assigned }) => (
        <tr key={id}>
          <th scope="row" className={table.name}>
            <a href={paths.machineGroup(id)}>{name}</a>
          </th>
          <td data-label="Kind">{groupKindLabels[kind]}</td>
          <td data-label="Machines" className={`${table.number} ${table.withNote}`}>
            {formatNumber(machines.live)}{" "}
            {machines.deleted > 0 && (
              <span className={muted}>and {formatNumber(machines.deleted)} deleted</span>
            )}
          </td>
          <td data-label="Promotions" className={table.number}>
            {formatNumber(assigned.promotions)}
          </td>
          <td data-label="Mass generations" className={`${table.number} ${table.withNote}`}>
            {formatNumber(assigned.generations)}{" "}
            {assigned.codes > 0 && <span className={muted}>({formatCodes(assigned.codes)})</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}
