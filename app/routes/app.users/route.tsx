import type { SerializeFrom } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { siteTimeZone } from "../../db/site.server";
import { failedMailsTo } from "../../features/mail/failed-mails.server";
import { toUserView } from "../../features/people/managed-user";
import { listUsers } from "../../features/people/user-admin.server";
import { userList } from "../../features/people/user-list";
import { pageMeta } from "../../forms/page-meta";
import { screenLoader } from "../../http/answers.server";
import { requireAdmin } from "../../http/guards.server";
import { loadList } from "../../http/list.server";
import { paths } from "../../paths";
import { ButtonLink } from "../../ui/form/button";
import { ignoreDialogs, preloadModal } from "../../ui/overlay/dialog-route";
import { ListScreen } from "../../ui/list/list-screen";
import { useListUrl } from "../../ui/table/list-url";
import { noMatch, userColumns } from "./columns";

export type UserListData = SerializeFrom<typeof loader>;

export const meta = pageMeta();

export const loader = screenLoader(requireAdmin, ({ request }, { user }) =>
  loadList(request, userList, async ({ query, filters }) => {
    const { users, ...page } = await listUsers({ ...query, ...filters });
    const addresses = users.map(({ email }) => email);
    const failedMails = await failedMailsTo(addresses, siteTimeZone());
    const rows = users.map((row) => ({
      ...toUserView(row, siteTimeZone()),
      isOneself: row.id === user.id,
      failedMail: failedMails.get(row.email.toLowerCase())?.[0]?.text ?? null,
    }));
    return { ...page, rows };
  }),
);

export const shouldRevalidate = ignoreDialogs();

export default function Users() {
  const list = useLoaderData<typeof loader>();
  const { search } = useListUrl(userList);
  const inviteUser = (
    <ButtonLink to={paths.newUser} variant="primary" icon="plus">
      Invite user
    </ButtonLink>
  );
  return (
    <ListScreen
      title="Users"
      actions={inviteUser}
      list={userList}
      data={list}
      noun="user"
      columns={userColumns(search)}
      onApproach={preloadModal}
      noMatch={noMatch}
    >
      <Outlet />
    </ListScreen>
  );
}
