import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { withUse } from "../../features/assignments/group-assignments.server";
import { groupKindLabels } from "../../features/machines/machine-group";
import { groupList, machineTabs, parseGroupFilters } from "../../features/machines/machine-list";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import { useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { ListScreen } from "../../ui/list/list-screen";
import type { Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";

export const meta = pageMeta();

export const loader = screenLoader(requireUser, ({ request }) =>
  loadList(
    request,
    groupList,
    async ({ query, filters }) => {
      const { groups, ...page } = await listMachineGroups({ ...query, ...filters });
      return { ...page, rows: await withUse(groups) };
    },
    parseGroupFilters,
  ),
);

const columns: Column<SerializeFrom<typeof loader>["rows"][number]>[] = [
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

export default function MachineGroups() {
  const list = useLoaderData<typeof loader>();
  const isEditor = useCanEdit();
  return (
    <ListScreen
      title="Machine groups"
      actions={
        isEditor && (
          <>
            <ButtonLink to={`${paths.newImport}?kind=groups`}>Import</ButtonLink>
            <ButtonLink to={paths.newMachineGroup} variant="primary" icon="plus">
              New group
            </ButtonLink>
          </>
        )
      }
      tabs={machineTabs}
      list={groupList}
      data={list}
      noun="machine group"
      columns={columns}
      empty={{
        icon: "machine",
        title: "No machine groups yet",
        reason:
          "A group holds the machines of a site, a route or a customer. All of them accept what is assigned to the group, including machines added later.",
      }}
      noMatch={{
        title: "No group matches the search",
        reason: "Try a shorter part of the name.",
        clearLabel: "Show all groups",
      }}
    />
  );
}
