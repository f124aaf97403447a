/** People as the API reads and writes them. */
import * as z from "zod/mini";
import { choice, requiredField, shortText } from "../../forms/fields";
import { parseFields, readFields } from "../../forms/form-validator";
import type { FieldErrors } from "../../forms/validator";
import {
  paramReader,
  parsePositive,
  parseSort,
  rejectUnknown,
  type Errors,
} from "../../lists/parse-list";
import { isoDate } from "../../forms/date-input";
import { avatarIcons } from "./avatar";
import { userSchema, type UserValues } from "./managed-user";
import type { ProfileValues } from "./profile-forms";
import type { CreatedRange } from "./user-admin.server";
import { roleLabels } from "../sign-in/user";
import { userList, type UserFilters } from "./user-list";

const sentText = (name: string) => z.optional(z.string(`${name} must be text`));

export const profileBody = z.strictObject({
  first_name: sentText("first_name"),
  last_name: sentText("last_name"),
  phone: sentText("phone"),
  company: sentText("company"),
  avatar_icon: z.optional(choice(avatarIcons, "Choose an avatar")),
});

/** Returns the fields of a profile that a body has. */
export function toProfileValues(body: z.infer<typeof profileBody>): Partial<ProfileValues> {
  const { first_name: firstName, last_name: lastName, phone, company } = body;
  const sent = Object.entries({ firstName, lastName, phone, company });
  return Object.fromEntries(
    sent.flatMap(([name, text]) => (text === undefined ? [] : [[name, text.trim()]])),
  );
}

const dataMessage = "Send the fields of the user as data";

const userData = z.strictObject(
  {
    firstName: sentText("firstName"),
    lastName: sentText("lastName"),
    phoneNumber: sentText("phoneNumber"),
    email: sentText("email"),
    role: z.optional(
      choice(
        roleLabels,
        `role must be ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(Object.keys(roleLabels))}`,
      ),
    ),
    disabled: z.optional(z.boolean("disabled must be true or false")),
  },
  dataMessage,
);

export const newUserBody = z.strictObject({
  data: z.extend(userData, {
    email: z.string(requiredField("Email is required", "email must be text")),
  }),
});

/** Body of `PUT /users/{id}`: fields that are left out stay. */
export const editUserBody = z.strictObject({
  id: z.optional(z.union([z.string(), z.number()], "Id must be text or a number")),
  data: userData,
});

/**
 * Returns the values of a new user.
 * @throws DomainError invalid, with a message for each field
 */
export function toUserValues(data: z.infer<typeof userData>): UserValues {
  return parseFields(userSchema, { role: "user", ...data });
}

/**
 * Returns the values of a user after an edit. Those that are not sent stay as they are stored, whatever the rules say of
 * them by now.
 * @throws DomainError invalid, with a message for each field that is sent
 */
export function toEditedValues(data: z.infer<typeof userData>, stored: UserValues): UserValues {
  const names = Object.keys(data) as (keyof UserValues)[];
  const sent = Object.fromEntries(names.map((name) => [name, true])) as {
    [name in keyof UserValues]?: true;
  };
  return { ...stored, ...parseFields(z.pick(userSchema, sent), data) };
}

/** Returns messages about the fields of a new user. */
export function newUserErrors(data: object): FieldErrors {
  return readFields(userSchema, { role: "user", ...data }).errors ?? {};
}

/** Returns messages about the fields of an edit that are sent; those that are left out stay. */
export function editedUserErrors(data: object): FieldErrors {
  return Object.fromEntries(Object.entries(newUserErrors(data)).filter(([name]) => name in data));
}

const rangeName = "createdAtRange";

/** Parses a range: its parameter twice, from and to, both days; '' is no bound. */
function parseRange(params: URLSearchParams, errors: Errors): CreatedRange {
  const texts = params.getAll(rangeName);
  const days = texts.map((text) => (text === "" ? null : parseDay(text)));
  const [createdFrom = null, createdTo = null] = days;
  if (texts.length > 2 || days.some((day, index) => day === null && texts[index] !== ""))
    errors[rangeName] = `'${rangeName}' must be two days, YYYY-MM-DD`;
  else if (createdFrom && createdTo && createdFrom > createdTo)
    errors[rangeName] = `'${rangeName}' must begin with the earlier day`;
  return { createdFrom, createdTo };
}

function parseDay(text: string): string | null {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return day && isoDate(day[1]!, day[2]!, day[3]!);
}

/** Parses the query of `GET /users`: `page` from 1, `limit`, `sort=name` or `-name`, filters. */
export function parseUserApiList(params: URLSearchParams) {
  const errors: Errors = {};
  const read = paramReader(params, errors);
  const number = (max: number) => (value: string) => parsePositive(value, max);
  const page = read("page", 1, number(999_999), "'page' must be a whole number from 1");
  const perPage = read("limit", 10, number(100), "'limit' must be a whole number from 1 to 100");
  const sort = read("sort", userList.defaultSort, (value) => parseSort(userList, value));
  const text = (name: string) =>
    read(name, "", (value) => (shortText(200).safeParse(value).success ? value : null));
  const filters: UserFilters = {
    firstName: text("firstName"),
    lastName: text("lastName"),
    phoneNumber: text("phoneNumber"),
    email: text("email"),
  };
  const range = parseRange(params, errors);
  rejectUnknown(params, ["page", "limit", "sort", rangeName, ...Object.keys(filters)], errors);
  return { query: { ...filters, ...range, page, perPage, sort }, errors };
}
