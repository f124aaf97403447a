/** People as the API reads and writes them. */
import * as z from "zod/mini";
import { invalidFields } from "../../errors";
import { paramReader, parseSort, type Errors } from "../../lists/parse-list";
import { isoDate } from "../../forms/typed-date";
import { avatarIcons, type AvatarIcon } from "./avatar";
import {
  emailError,
  maxLengths,
  textError,
  type ManagedUser,
  type UserValues,
} from "./managed-user";
import { masked } from "../sign-in/masked";
import type { CreatedRange } from "./user-admin.server";
import { userList } from "./user-list";
import { toApiFile } from "./photos.server";
import type { Profile } from "./profile.server";

const text = z.string();

export const profileBody = {
  schema: z.strictObject({
    first_name: z.optional(text),
    last_name: z.optional(text),
    phone: z.optional(text),
    company: z.optional(text),
    avatar_icon: z.optional(z.enum(Object.keys(avatarIcons) as [AvatarIcon])),
  }),
  messages: {
    first_name: "first_name must be text",
    last_name: "last_name must be text",
    phone: "phone must be text",
    company: "company must be text",
    avatar_icon: "Choose an avatar",
  },
};

/** @param keyEnd the last four characters of the user's API key, or null */
export function toApiProfile(profile: Profile, keyEnd: string | null) {
  const { id, email, firstName, lastName, phone, company, role, avatarIcon } = profile;
  return {
    ...{ email, phone, company, role },
    first_name: firstName,
    last_name: lastName,
    user_id: Number(id),
    api_key: keyEnd && masked(keyEnd),
    avatar_icon: avatarIcon,
  };
}

const userFields = z.strictObject({
  firstName: z.optional(text),
  lastName: z.optional(text),
  phoneNumber: z.optional(text),
  email: z.optional(text),
  role: z.optional(z.enum(["admin", "user"])),
  disabled: z.optional(z.boolean()),
});

/** Body of `POST /users`. */
export const newUserBody = {
  schema: z.strictObject({ data: userFields }),
  messages: { data: "Send the fields of the user as data" },
};

/** Body of `PUT /users/{id}`: fields that are left out stay. */
export const editUserBody = {
  schema: z.strictObject({
    id: z.optional(z.union([text, z.number()])),
    data: userFields,
  }),
  messages: newUserBody.messages,
};

/**
 * @param current of the user whose fields change; a new one has none
 * @throws DomainError invalid, with a message for each field
 */
export function toUserValues(
  data: z.infer<typeof userFields>,
  current: UserValues = {
    ...{ firstName: "", lastName: "", phoneNumber: "", email: "" },
    role: "user",
    disabled: false,
  },
): UserValues {
  const values = { ...current, ...data };
  const trimmed: UserValues = {
    ...values,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    phoneNumber: values.phoneNumber.trim(),
    email: values.email.trim().toLowerCase(),
  };
  const errors = Object.entries({
    firstName: textError(trimmed.firstName, maxLengths.firstName),
    lastName: textError(trimmed.lastName, maxLengths.lastName),
    phoneNumber: textError(trimmed.phoneNumber, maxLengths.phoneNumber),
    email: emailError(trimmed.email),
  }).filter((entry): entry is [string, string] => entry[1] !== null);
  if (errors.length > 0) throw invalidFields(Object.fromEntries(errors));
  return trimmed;
}

/** Lists the fields that the API sends of a user, so that no other column is ever sent. */
export function toApiManagedUser(user: ManagedUser) {
  const { id, firstName, lastName, phoneNumber, email, role, isDisabled, isVerified } = user;
  return {
    id: Number(id),
    ...{ firstName, lastName, phoneNumber, email, role },
    disabled: isDisabled,
    emailVerified: isVerified,
    avatar: user.photo ? [toApiFile(user.photo)] : [],
    avatar_icon: user.avatarIcon,
    provider: "local",
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

const filterNames = ["firstName", "lastName", "phoneNumber", "email"] as const;

const rangeName = "createdAtRange";

/** Parses a range: its parameter twice, from and to, both days; '' is no bound. */
function parseRange(params: URLSearchParams, errors: Errors): CreatedRange {
  const texts = params.getAll(rangeName);
  const days = texts.map((text) => (text === "" ? null : parseDay(text)));
  const [createdFrom = null, createdTo = null] = days;
  if (texts.length > 2 || days.some((day, index) => day === null && texts[index] !== ""))
    errors[rangeName] = `'${rangeName}' must be two days, YYYY-MM-DD`;
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
  const number = (most: number) => (value: string) =>
    /^[1-9]\d{0,5}$/.test(value) && Number(value) <= most ? Number(value) : null;
  const page = read("page", 1, number(999_999), "'page' must be a whole number from 1");
  const perPage = read("limit", 10, number(100), "'limit' must be a whole number from 1 to 100");
  const sort = read("sort", userList.defaultSort, (value) => parseSort(userList, value));
  const filters = Object.fromEntries(
    filterNames.map((name) => [
      name,
      read(name, "", (value) => (textError(value, 200) === null ? value : null)),
    ]),
  );
  const range = parseRange(params, errors);
  const known: string[] = ["page", "limit", "sort", rangeName, ...filterNames];
  for (const name of params.keys())
    if (!known.includes(name)) errors[name] = "This parameter is not known";
  return { query: { ...filters, ...range, page, perPage, sort }, errors };
}
