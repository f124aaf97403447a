/** The rules of a new password (RULES H9) that need no list, for browser and server alike. */
import * as z from "zod/mini";
import { formRule, rule, text } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";
import { isLongerThan } from "../../forms/storable-text";

const minLength = 12;
const maxLength = 128;

function newPasswordFields(email: string) {
  return {
    newPassword: text.check(rule((password) => newPasswordError(password, email))),
    confirmPassword: text,
  };
}

function newPasswordError(password: string, email: string): string | null {
  if (password === "") return "Enter a new password";
  if (!isLongerThan(password, minLength - 1))
    return `Password must have at least ${minLength} characters`;
  if (isLongerThan(password, maxLength)) return `Password cannot exceed ${maxLength} characters`;
  if (password.trim().toLowerCase() === email.toLowerCase())
    return "Password cannot be the email address";
  return null;
}

const confirmation = formRule<NewPassword>(
  "confirmPassword",
  ["newPassword"],
  ({ newPassword, confirmPassword }) =>
    newPassword === confirmPassword ? null : "Passwords do not match",
);

/**
 * A new password as it is typed, twice. The server also checks how common it is (`passwordErrors`).
 * @param email of its user
 */
export function newPasswordSchema(email: string) {
  return z.object(newPasswordFields(email)).check(confirmation);
}

export type NewPassword = { newPassword: string; confirmPassword: string };

/** Fields that are never sent back. */
export const passwordFields = ["currentPassword", "newPassword", "confirmPassword"];

export type PasswordChange = NewPassword & { currentPassword: string };

const isAnother = formRule<PasswordChange>(
  "newPassword",
  ["currentPassword", "newPassword"],
  ({ currentPassword, newPassword }) =>
    newPassword === currentPassword ? "Choose a password that you don't use now" : null,
);

/** @param email of the user who changes the password */
export function passwordChangeSchema(email: string) {
  const currentPassword = text.check(z.minLength(1, "Enter your current password"));
  return z.object({ currentPassword, ...newPasswordFields(email) }).check(confirmation, isAnother);
}

export const passwordChangeValidator = (email: string) =>
  formValidator(passwordChangeSchema(email));
