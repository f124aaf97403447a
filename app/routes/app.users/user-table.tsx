// Without script: a table whose order and pages are links.
import { roleLabels } from "../../features/users/user";
import { userList } from "../../features/users/user-list";
import { UserStateBadge } from "../../features/users/user-state-badge";
import { paths } from "../../paths";
import { IconRowLink } from "../../ui/form/button";
import { preloadModal } from "../../ui/overlay/dialog-route";
import { ListTable, RowCount } from "../../ui/table/list-table";
import { useListUrl } from "../../ui/table/list-url";
import { type Column } from "../../ui/table/table";
import { detail, rowActions, withNote } from "../../ui/table/table.css";
import type { UserListData } from "./route";

type Row = UserListData["rows"][number];

export function UserTable({ list }: { list: UserListData }) {
  const { search } = useListUrl(userList);
  const columns: Column<Row>[] = [
    {
      heading: "Email",
      sort: "email",
      isRowHeader: true,
      cell: ({ id, email, isOneself }) => (
        <>
          <a href={paths.user(id)}>{email}</a> {isOneself && <small className={detail}>You</small>}
        </>
      ),
    },
    {
      heading: "First name",
      sort: "firstName",
      className: withNote,
      cell: ({ firstName }) => firstName || "–",
    },
    {
      heading: "Last name",
      sort: "lastName",
      className: withNote,
      cell: ({ lastName }) => lastName || "–",
    },
    { heading: "Phone number", sort: "phoneNumber", cell: ({ phoneNumber }) => phoneNumber || "–" },
    { heading: "Role", sort: "role", cell: ({ role }) => roleLabels[role] },
    { heading: "Created", sort: "createdAt", cell: ({ created }) => created },
    {
      heading: "Status",
      sort: "state",
      isBadge: true,
      cell: ({ state }) => <UserStateBadge state={state} />,
    },
    {
      heading: "Actions",
      hasActions: true,
      isBare: true,
      cell: ({ id, email, isOneself }) => (
        <div className={rowActions}>
          <IconRowLink icon="edit" label={`Edit ${email}`} href={paths.user(id)} />
          {!isOneself && (
            <IconRowLink
              icon="trash"
              label={`Delete ${email}`}
              href={paths.userDeletion(id) + search}
            />
          )}
        </div>
      ),
    },
  ];
  return (
    <ListTable
      caption="Users"
      list={userList}
      data={list}
      columns={columns}
      onApproach={preloadModal}
      tools={<RowCount total={list.total} noun="user" />}
    />
  );
}
