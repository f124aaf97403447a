import { json, type SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { toUserView } from "../../features/users/managed-user";
import { listUsers } from "../../features/users/user-admin.server";
import { userList } from "../../features/users/user-list";
import { filterParams, parseFilters } from "../../forms/list";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { listView, readList } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { Page } from "../../ui/layout/page";
import { keepUnderDialogs } from "../../ui/overlay/dialog-route";
import { FilterBar, NothingMatches } from "../../ui/table/filter-bar";
import { ListNotes } from "../../ui/table/list-notes";
import { UserTable } from "./user-table";

export type UserListData = SerializeFrom<typeof loader>;

export const meta = pageMeta("Users");

export const handle = { hasTable: ({ total }: UserListData) => total > 0 };

export const loader = screenLoader(requireAdmin, async ({ request }, { user }) => {
  const { headers, ...list } = readList(request, userList);
  const { filters, errors } = parseFilters(userList.filters, list.params);
  const { users, total, page } = await listUsers({ ...list.query, ...filters });
  const active = filterParams(userList.filters, filters);
  const data = {
    ...listView(userList, list, { active, errors }),
    rows: users.map((row) => ({
      ...toUserView(row, siteTimeZone()),
      isOneself: row.id === user.id,
    })),
    total,
    page,
    isFallback: page !== list.query.page,
  };
  return json(data, { headers });
});

export const shouldRevalidate = keepUnderDialogs();

export default function Users() {
  const list = useLoaderData<typeof loader>();
  return (
    <Page
      title="Users"
      actions={
        <ButtonLink to={paths.newUser} variant="primary" icon="plus">
          New user
        </ButtonLink>
      }
    >
      <ListNotes list={list} />
      <Outlet />
      <FilterBar list={userList} data={list} />
      {list.total === 0 ? (
        <NothingMatches
          list={userList}
          noun="user"
          title="No results found"
          reason="No user has this name, phone number or email."
          clearLabel="Show all users"
        />
      ) : (
        <UserTable list={list} />
      )}
    </Page>
  );
}
