/** The rules of a new password (RULES H9) that need no list, for browser and server alike. */
import { formValidator } from "../../forms/form-validator";
import { type FieldErrors, formSchema, postedText } from "../../forms/validator";

const minLength = 12;
const maxLength = 128;

/** A new password as it is typed, twice. The names are those of the fields. */
export type NewPassword = { newPassword: string; confirmPassword: string };

export const newPasswordFields = { newPassword: postedText, confirmPassword: postedText };

/**
 * Returns messages about a new password, by field. The server also checks how common it is
 * (`passwordErrors`).
 * @param email of its user
 */
export function newPasswordErrors(
  { newPassword, confirmPassword }: NewPassword,
  email: string,
): FieldErrors {
  const error = newPasswordError(newPassword, email);
  if (error !== null) return { newPassword: error };
  return newPassword === confirmPassword ? {} : { confirmPassword: "Passwords do not match" };
}

function newPasswordError(password: string, email: string): string | null {
  if (password === "") return "Enter a new password";
  if (Array.from(password).length < minLength)
    return `Password must have at least ${minLength} characters`;
  if (password.length > maxLength) return `Password cannot exceed ${maxLength} characters`;
  if (password.trim().toLowerCase() === email.toLowerCase())
    return "Password cannot be the email address";
  return null;
}

const changeFields = { currentPassword: postedText, ...newPasswordFields };

/** Fields that are never sent back. */
export const passwordFields = Object.keys(changeFields);

/** @param email of the user who changes the password */
export function passwordChangeValidator(email: string) {
  return formValidator(
    passwordFields,
    formSchema(
      changeFields,
      ({ currentPassword, ...input }) => ({
        currentPassword: currentPassword === "" ? "Enter your current password" : null,
        ...newPasswordErrors(input, email),
      }),
      (posted) => posted,
    ),
  );
}
