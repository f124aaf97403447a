/** Users as admins manage them, and the rules of their forms, for browser and server alike. */
import { formatDate, formatDateTime } from "../../format/date";
import { emailAddressMessage, isEmailAddress } from "../../forms/email-address";
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { editValidator, formValidator } from "../../forms/form-validator";
import { formSchema, postedText, postedTick } from "../../forms/validator";
import type { Photo } from "./photos.server";
import { roleLabels, type Role, type User } from "../sign-in/user";
import { stateLabels, userState } from "./user-state";

export type ManagedUser = User & {
  phoneNumber: string;
  isDisabled: boolean;
  /** Whether somebody has shown that mail to the address arrives: by a link in one. */
  isVerified: boolean;
  hasPassword: boolean;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** The photo that is the avatar, if it is not an icon. */
  photo: Pick<Photo, "id" | "name" | "sizeInBytes"> | null;
};

/** The values that an admin decides about a user. */
export type UserValues = {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  email: string;
  role: Role;
  disabled: boolean;
};

export type UserEdit = UserValues & { version: number };

export type UserView = ReturnType<typeof toUserView>;

export function toUserView(user: ManagedUser, timeZone: string) {
  const { id, firstName, lastName, phoneNumber, email, role, avatarIcon, createdAt } = user;
  const created = formatDate(createdAt, timeZone);
  return {
    ...{ id, firstName, lastName, phoneNumber, email, role, avatarIcon, created },
    state: userState(user),
  };
}

/** Returns the facts that a user's page shows beside the form, as they are stored now. */
export function toUserFacts(user: ManagedUser, timeZone: string) {
  return [
    ["Email", user.email],
    ["First name", user.firstName || "–"],
    ["Last name", user.lastName || "–"],
    ["Phone number", user.phoneNumber || "–"],
    ["Role", roleLabels[user.role]],
    ["Status", stateLabels[userState(user)]],
    ["Email verified", user.isVerified ? "Yes" : "No"],
    ["Created", formatDateTime(user.createdAt, timeZone)],
    ["Last changed", formatDateTime(user.updatedAt, timeZone)],
  ] as const;
}

const fields = {
  firstName: postedText,
  lastName: postedText,
  phoneNumber: postedText,
  email: postedText,
  role: postedText,
  disabled: postedTick,
};

type PostedUser = Record<"firstName" | "lastName" | "phoneNumber" | "email" | "role", string> & {
  disabled: boolean;
};

/** Bounds of the columns, in characters. */
export const maxLengths = { firstName: 100, lastName: 100, phoneNumber: 50 };

export function textError(text: string, maxLength: number): string | null {
  if (isLongerThan(text.trim(), maxLength)) return `Use no more than ${maxLength} characters`;
  return isStorableText(text) ? null : "This contains characters that cannot be stored";
}

export function emailError(text: string): string | null {
  const email = text.trim();
  if (email === "") return "Email is required";
  return isEmailAddress(email) ? null : emailAddressMessage;
}

function userErrors(posted: PostedUser) {
  return {
    firstName: textError(posted.firstName, maxLengths.firstName),
    lastName: textError(posted.lastName, maxLengths.lastName),
    phoneNumber: textError(posted.phoneNumber, maxLengths.phoneNumber),
    email: emailError(posted.email),
    role: Object.hasOwn(roleLabels, posted.role) ? null : "Choose a role",
  };
}

function toValues(posted: PostedUser): UserValues {
  return {
    firstName: posted.firstName.trim(),
    lastName: posted.lastName.trim(),
    phoneNumber: posted.phoneNumber.trim(),
    email: posted.email.trim().toLowerCase(),
    role: posted.role as Role,
    disabled: posted.disabled,
  };
}

export const newUserValidator = formValidator(
  [...Object.keys(fields), "password"],
  formSchema(fields, userErrors, toValues),
);

export const editUserValidator = editValidator(fields, userErrors, toValues, ["password"]);
