/** Users as admins manage them, and the rules of their forms, for browser and server alike. */
import * as z from "zod/mini";
import { formatDate, formatDateTime } from "../../format/date";
import { choice, shortText, tick } from "../../forms/fields";
import { editValidator, formValidator } from "../../forms/form-validator";
import { accountFields } from "../sign-in/account-fields";
import type { Photo } from "./photos.server";
import { roleLabels, type User } from "../sign-in/user";
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
export type UserValues = z.infer<typeof userSchema>;

export type UserEdit = UserValues & { version: number };

export function toUserView(user: ManagedUser, timeZone: string) {
  const { id, firstName, lastName, phoneNumber, email, role, avatarIcon, createdAt } = user;
  const created = formatDate(createdAt, timeZone);
  return {
    id,
    firstName,
    lastName,
    phoneNumber,
    email,
    role,
    avatarIcon,
    created,
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

export const userSchema = z.object({
  ...accountFields,
  phoneNumber: shortText(50),
  role: choice(roleLabels, "Choose a role"),
  disabled: tick,
});

export const newUserValidator = formValidator(userSchema);
export const editUserValidator = editValidator(userSchema);
