/** The rules of the forms about one's own profile, for browser and server alike. */
import * as z from "zod/mini";
import { choice, labelledText, text, tick } from "../../forms/fields";
import { editValidator, formValidator } from "../../forms/form-validator";
import { avatarIcons } from "./avatar";
import { daysChoice, scopesChoice } from "../sign-in/key-scopes";

/** Everything that people change in their own profile; email and role are not among it (RULES H1). */
export const profileSchema = z.object({
  firstName: labelledText("First name", 100),
  lastName: labelledText("Last name", 100),
  phone: labelledText("Phone number", 50),
  company: labelledText("Company", 200),
});

export type ProfileValues = z.infer<typeof profileSchema>;

const { firstName, lastName, phone } = profileSchema.shape;

/** The address of the person who opened the form. */
const account = text;

export const profileValidator = editValidator(z.extend(profileSchema, { account }));
export const accountValidator = editValidator(z.object({ firstName, account }));
export const contactValidator = editValidator(z.object({ firstName, lastName, phone, account }));

export const avatarValidator = formValidator(
  z.object({ avatarIcon: choice(avatarIcons, "Choose an avatar") }),
);

/** A form of nothing but the password, which is asked for where it has to be. */
const passwordOnly = z.object({});

export const revealValidator = formValidator(passwordOnly, "reveal");
export const passwordOnlyValidator = formValidator(passwordOnly);

export const endSessionsValidator = formValidator(
  z.object({ revokeKey: tick, removePasskeys: tick }),
  "end-other-sessions",
);

export const apiKeyValidator = formValidator(z.object({ days: daysChoice, scopes: scopesChoice }));

/** Returns an address of the profile at which its form stays open if it is. */
export const besideProfileForm = (path: string, params: URLSearchParams) =>
  params.has("edit") ? `${path}?edit=1` : path;
