/** Declares the list of users. */
import { defineList, textFilter, type FilterValues, type Sort } from "../../lists/list";
import { paths } from "../../paths";

export const userList = defineList({
  path: paths.users,
  cookie: "users",
  pageSizes: [5, 10, 20, 50, 100],
  defaultPageSize: 5,
  sorts: {
    firstName: "ascending",
    lastName: "ascending",
    phoneNumber: "ascending",
    email: "ascending",
    role: "ascending",
    state: "ascending",
    createdAt: "descending",
  },
  defaultSort: { by: "email", isDescending: false },
  /** All match anywhere, in either case. */
  filters: {
    firstName: textFilter("firstName", "First name"),
    lastName: textFilter("lastName", "Last name"),
    phoneNumber: textFilter("phoneNumber", "Phone number"),
    email: textFilter("email", "Email"),
  },
  search: "email",
  filterGroups: { Name: ["firstName", "lastName"], "Phone number": ["phoneNumber"] },
});

export type UserSort = Sort<keyof typeof userList.sorts>;
export type UserFilters = FilterValues<typeof userList.filters>;
