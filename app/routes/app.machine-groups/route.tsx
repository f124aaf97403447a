import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { parseGroupList } from "../../features/machines/group-list";
import { listMachineGroups } from "../../features/machines/machine-groups.server";
import { requireUser } from "../../http/guards.server";
import { paths } from "../../paths";
import { MessageBlock } from "../../ui/feedback/message-block";
import { ButtonLink } from "../../ui/form/button";
import { notes } from "../../ui/layout/layout.css";
import { Card, Page } from "../../ui/layout/page";
import { EmptyState } from "../../ui/table/empty-state";
import { SearchForm } from "../../ui/table/search-form";
import { GroupTable } from "./group-table";

export const meta: MetaFunction = () => [{ title: "Machine Groups - Promo Console" }];

export const handle = { hasTable: ({ total }: { total: number }) => total > 0 };

export async function loader(args: LoaderFunctionArgs) {
  await requireUser(args);
  const { query, problems } = parseGroupList(new URL(args.request.url).searchParams);
  const { groups, total, page } = await listMachineGroups(query);
  if (page !== query.page) problems.push("That page has no rows: this is the nearest one");
  return json({ groups, total, query: { ...query, page }, problems });
}

export default function MachineGroups() {
  const { groups, total, query, problems } = useLoaderData<typeof loader>();
  const isEmpty = total === 0 && query.search === "";
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
      {problems.length > 0 && (
        <div className={notes}>
          <MessageBlock kind="warning">{`${problems.join(". ")}.`}</MessageBlock>
        </div>
      )}
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
            search={query.search}
            kept={{ per_page: `${query.perPage}` }}
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
            <GroupTable list={{ groups, total, query }} />
          )}
        </>
      )}
    </Page>
  );
}
