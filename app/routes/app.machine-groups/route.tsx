import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { withUse } from "../../features/assignments/group-assignments.server";
import { groupList, machineTabs, parseGroupList } from "../../features/machines/machine-list";
import { groupKindLabels } from "../../features/machines/machine-group";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import { pageMeta } from "../../forms/page-meta";
import { formatNumber } from "../../format/number";
import { formatCodes } from "../../format/promotion";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { listView } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Card, LinkTabs, Page } from "../../ui/layout/page";
import { FilterBar, NothingMatches } from "../../ui/table/filter-bar";
import { EmptyState, ListNotes } from "../../ui/table/list-notes";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { type Column } from "../../ui/table/table";
import * as table from "../../ui/table/table.css";
import { muted } from "#styles/global.css";

export const meta = pageMeta("Machine groups");

export const handle = { hasTable: ({ total }: { total: number }) => total > 0 };

export const loader = screenLoader(requireUser, async (args) => {
  const params = new URL(args.request.url).searchParams;
  const list = parseGroupList(params);
  const { search } = list.query;
  const { groups, total, page } = await listMachineGroups(list.query);
  const isFallback = page !== list.query.page;
  return {
    ...listView(
      groupList,
      { ...list, params },
      { active: search === "" ? [] : [["search", search]] },
    ),
    rows: await withUse(groups),
    total,
    page,
    isFallback,
    search,
  };
});

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
    heading: "Promotions",
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
  const { total, search } = list;
  const isEmpty = total === 0 && search === "";
  const newGroup = (
    <ButtonLink to={paths.newMachineGroup} variant="primary" icon="plus">
      New group
    </ButtonLink>
  );
  return (
    <Page title="Machine groups" actions={!isEmpty && newGroup}>
      <ListNotes list={list} />
      <LinkTabs label="Views" tabs={machineTabs} />
      {isEmpty ? (
        <Card>
          <EmptyState
            icon="machine"
            title="No machine groups yet"
            reason="A group holds the machines of a site, a route or a customer. All of them accept what is assigned to the group, including machines added later."
            action={newGroup}
          />
        </Card>
      ) : (
        <>
          <FilterBar list={groupList} data={list} />
          {total === 0 ? (
            <NothingMatches
              list={groupList}
              noun="machine group"
              title="No group matches the search"
              reason="Try a shorter part of the name."
              clearLabel="Show all groups"
            />
          ) : (
            <ListTable
              caption="Machine groups"
              list={groupList}
              data={list}
              columns={columns}
              tools={<RowCount total={total} noun="machine group" />}
            />
          )}
        </>
      )}
    </Page>
  );
}
