import {
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { withUse } from "../../features/assignments/group-assignments.server";
import { groupList, parseGroupList } from "../../features/machines/group-list";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import { requireUser } from "../../http/guards.server";
import { listView } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Card, Page } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";
import { ListNotes } from "../../ui/table/list-notes";
import { SearchForm } from "../../ui/table/search-form";
import { GroupTable } from "./group-table";

export const meta: MetaFunction = () => [{ title: "Machine Groups - Promo Console" }];

export type GroupListData = SerializeFrom<typeof loader>;

export const handle = { hasTable: ({ total }: { total: number }) => total > 0 };

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const params = new URL(args.request.url).searchParams;
  const list = parseGroupList(params);
  const { search } = list.query;
  const { groups, total, page } = await listMachineGroups(list.query);
  const isFallback = page !== list.query.page;
  return json({
    ...listView(groupList, { ...list, params }),
    rows: await withUse(groups),
    total,
    page,
    isFallback,
    search,
  });
}

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
    <Page
      title="Machine Groups"
      actions={
        <>
          {!isEmpty && newGroup}
          <ButtonLink to={paths.machines} icon="machine">
            Machines
          </ButtonLink>
        </>
      }
    >
      <ListNotes list={list} />
      {isEmpty ? (
        <Card>
          <EmptyState
            icon="machine"
            title="No machine groups yet"
            reason="A group holds the machines of a site, a route or a customer. What is assigned to it, all its machines accept, those that join later too."
            action={newGroup}
          />
        </Card>
      ) : (
        <>
          <SearchForm
            label="Search groups"
            hint="By name."
            search={search}
            kept={{ per_page: `${list.perPage}` }}
          />
          {total === 0 ? (
            <Card>
              <EmptyState
                icon="search"
                title="No group matches the search"
                action={<ButtonLink to={paths.machineGroups}>Show all groups</ButtonLink>}
              />
            </Card>
          ) : (
            <GroupTable list={list} />
          )}
        </>
      )}
    </Page>
  );
}
