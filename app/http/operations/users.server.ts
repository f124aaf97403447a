import { invalidFields } from "../../errors";
import {
  createManagedUser,
  deleteUser,
  editManagedUser,
  getManagedUser,
  listUsers,
  valuesOf,
} from "../../features/people/user-admin.server";
import {
  editedUserErrors,
  editUserBody,
  newUserBody,
  newUserErrors,
  parseUserApiList,
  toEditedValues,
  toUserValues,
} from "../../features/people/user-api";
import { replaceRecipient } from "../../features/report-schedules/schedules.server";
import { operation, type QueryParams } from "../api.server";
import { userListSchema, userAnswer } from "./schemas";

const userListParams: QueryParams = {
  page: "From 1 to 999,999; a page after the last one is empty.",
  limit: "At most 100, by default 10.",
  sort: [
    "firstName, lastName, phoneNumber, email, role, state or createdAt; with a minus descending.",
    { type: "string", pattern: "^-?(firstName|lastName|phoneNumber|email|role|state|createdAt)$" },
  ],
  firstName: "A part of it.",
  lastName: "A part of it.",
  phoneNumber: "A part of it.",
  email: "A part of it.",
  createdAtRange: [
    "Twice: the first and the last day, YYYY-MM-DD; an empty one is no bound.",
    { type: "array", items: { type: "string" } },
  ],
};

export const userOperations = [
  operation({
    method: "GET",
    path: "/users",
    summary: "List users",
    scope: "users",
    query: parseUserApiList,
    answers: { 200: "One page of the users as `rows`, and the `count` of all that match." },
    result: userListSchema,
    queryParams: userListParams,
    async run({ query }) {
      const { users, total, page } = await listUsers(query);
      // Beyond the last page there are no rows.
      return { rows: page === query.page ? users.map(userAnswer.of) : [], count: total };
    },
  }),
  operation({
    method: "POST",
    path: "/users",
    summary: "Create a user",
    scope: "users",
    isIdempotent: true,
    body: newUserBody,
    rules: newUserErrors,
    answers: { 201: "The user, who gets a mail with a link to set a password." },
    result: userAnswer.schema,
    async run({ body, options }) {
      const { id } = await createManagedUser(toUserValues(body.data), options);
      return userAnswer.of(await getManagedUser(id));
    },
  }),
  operation({
    method: "GET",
    path: "/users/{userId}",
    summary: "Read a user",
    scope: "users",
    answers: { 200: "The user." },
    result: userAnswer.schema,
    run: async ({ param }) => userAnswer.of(await getManagedUser(param("userId"))),
  }),
  operation({
    method: "PUT",
    path: "/users/{userId}",
    summary: "Change a user",
    scope: "users",
    body: editUserBody,
    rules: editedUserErrors,
    answers: { 200: "The user as it is now. Fields that are left out stay." },
    result: userAnswer.schema,
    async run({ body, param, actor }) {
      const user = await getManagedUser(param("userId"));
      if (body.id !== undefined && String(body.id) !== user.id)
        throw invalidFields({ id: "id must be that of the user in the address" });
      const values = toEditedValues(body.data, valuesOf(user));
      await editManagedUser(
        user.id,
        { ...values, version: user.version },
        { actor, onNewEmail: replaceRecipient },
      );
      return userAnswer.of(await getManagedUser(user.id));
    },
  }),
  operation({
    method: "DELETE",
    path: "/users/{userId}",
    summary: "Delete a user",
    scope: "users",
    answers: { 200: "The user is deleted." },
    run: ({ param, actor }) => deleteUser(param("userId"), { actor, onNewEmail: replaceRecipient }),
  }),
];
