/** The rules of the forms about one's own profile, for browser and server alike. */
import { isLongerThan, isStorableText } from "../../forms/storable-text";
import { editValidator, formValidator } from "../../forms/form-validator";
import { type FieldErrors, formSchema, postedText, postedTick } from "../../forms/validator";
import { type AvatarIcon, isAvatarIcon } from "./avatar";
import {
  daysError,
  scopeFields,
  scopesError,
  scopeTicks,
  tickedScopes,
} from "../sign-in/key-scopes";

/** Everything that people change in their own profile; email and role are not among it (RULES H1). */
export type ProfileValues = {
  firstName: string;
  lastName: string;
  phone: string;
  company: string;
};

const labels: Record<keyof ProfileValues, { label: string; maxLength: number }> = {
  firstName: { label: "First name", maxLength: 100 },
  lastName: { label: "Last name", maxLength: 100 },
  phone: { label: "Phone", maxLength: 50 },
  company: { label: "Company", maxLength: 200 },
};

/** Returns messages about profile values, by field. No field is required. */
export function profileErrors(values: Partial<ProfileValues>): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, value] of Object.entries(values)) {
    const { label, maxLength } = labels[name as keyof ProfileValues];
    if (isLongerThan(value, maxLength))
      errors[name] = `${label} cannot exceed ${maxLength} characters`;
    else if (!isStorableText(value))
      errors[name] = `${label} contains characters that cannot be stored`;
  }
  return errors;
}

/** `version`: of the user as the form was opened. */
export type ProfileEdit<Field extends keyof ProfileValues = keyof ProfileValues> = {
  values: Pick<ProfileValues, Field>;
  version: number;
};

/** Builds the validator of a form with some of the fields; others are dropped, whoever posts them. */
function profileValidatorOf<Field extends keyof ProfileValues>(...names: Field[]) {
  const fields = Object.fromEntries(names.map((name) => [name, postedText])) as Record<
    Field,
    typeof postedText
  >;
  return editValidator<Record<string, string>, Pick<ProfileEdit<Field>, "values">>(
    fields,
    profileErrors,
    (posted) => ({
      values: Object.fromEntries(
        Object.entries(posted).map(([name, value]) => [name, value.trim()]),
      ) as Pick<ProfileValues, Field>,
    }),
  );
}

export const profileValidator = profileValidatorOf("firstName", "lastName", "phone", "company");
export const accountValidator = profileValidatorOf("firstName");
export const contactValidator = profileValidatorOf("firstName", "lastName", "phone");

export const avatarValidator = formValidator(
  ["avatarIcon"],
  formSchema(
    { avatarIcon: postedText },
    ({ avatarIcon }) => ({ avatarIcon: isAvatarIcon(avatarIcon) ? null : "Choose an avatar" }),
    ({ avatarIcon }) => ({ avatarIcon: avatarIcon as AvatarIcon }),
  ),
);

/** A form of nothing but the password, which is asked for where it has to be. */
const passwordOnly = formSchema(
  { password: postedText },
  () => ({}),
  () => ({}),
);

export const revealValidator = formValidator(["password"], passwordOnly, "reveal");
export const passwordOnlyValidator = formValidator(["password"], passwordOnly);

export const endSessionsValidator = formValidator(
  ["revokeKey", "removePasskeys", "password"],
  formSchema(
    { revokeKey: postedTick, removePasskeys: postedTick },
    () => ({}),
    ({ revokeKey, removePasskeys }) => ({
      revokesApiKey: revokeKey,
      removesPasskeys: removePasskeys,
    }),
  ),
  "end-other-sessions",
);

export const apiKeyValidator = formValidator(
  ["password", "days", ...scopeFields],
  formSchema(
    { password: postedText, days: postedText, ...scopeTicks },
    ({ days, ...ticks }) => ({ days: daysError(days), ...scopesError(ticks) }),
    ({ days, ...ticks }) => ({ days: Number(days), scopes: tickedScopes(ticks) }),
  ),
);
