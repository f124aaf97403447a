import type { SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { withUse } from "../../features/assignments/group-assignments.server";
import { groupList, machineTabs, parseGroupFilters } from "../../features/machines/machine-list";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import { useCanEdit } from "../../features/sign-in/viewer";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireUser } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { ListScreen } from "../../ui/list/list-screen";
import { groupColumns } from "./columns";

export type GroupListData = SerializeFrom<typeof loader>;

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
      columns={groupColumns}
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
