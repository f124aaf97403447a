import { roleLabels } from "../../features/sign-in/user";
import { UserStateBadge } from "../../features/people/user-state-badge";
import { paths } from "../../paths";
import { IconRowLink } from "../../ui/form/button";
import type { Column } from "../../ui/table/table";
import { rowActions } from "../../ui/table/row-actions.css";
import { detail, withNote } from "../../ui/table/table.css";
import type { UserListData } from "./route";

/** @param search the list's, which its dialogs lead back to */
export const userColumns = (search: string): Column<UserListData["rows"][number]>[] => [
  {
    heading: "Email",
    sort: "email",
    isRowHeader: true,
    cell: ({ id, email, isOneself, failedMail }) => (
      <>
        <a href={paths.user(id)}>{email}</a> {isOneself && <small className={detail}>You</small>}
        {failedMail && <small className={detail}>{failedMail}</small>}
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

/** Says why no row is shown: there is always one user. */
export const noMatch = {
  title: "No results found",
  reason: "No user has this name, phone number or email.",
  clearLabel: "Show all users",
};
