import type { Validator } from "remix-validated-form";
import { editUserValidator, newUserValidator } from "../../app/features/users/managed-user";
import { passwordChangeValidator } from "../../app/features/users/password-rules";
import {
  accountValidator,
  apiKeyValidator,
  avatarValidator,
  contactValidator,
  profileValidator,
} from "../../app/features/users/profile-forms";
import { codeValidator } from "../../app/features/users/second-factor-forms";

export type PeopleForm = {
  name: string;
  /** `:id` stands for a user. */
  address: string;
  who: "visitor" | "user" | "admin";
  /** Valid values, in the order of the page; `:new` stands for a text that is new each time. */
  fields: Record<string, string>;
  intent?: string;
  /** The columns of the user that it writes. */
  columns: string[];
  /** The rule that browsers check, where scripts run. */
  validator?: Validator<unknown>;
  /** Whether the server has rules of its own, which browsers can't check. */
  hasMoreRules?: boolean;
};

const changed = ["version", "updated_at"];
const names = { firstName: "Ada", lastName: "Lovelace" };
const passwords = {
  newPassword: "seven grey herons landing",
  confirmPassword: "seven grey herons landing",
};
const userFields = { ...names, phoneNumber: "030 1", email: ":new@example.com", role: "user" };

/** Every form about people, with what it takes. */
export const peopleForms: PeopleForm[] = [
  {
    ...{ name: "profile", address: "/app/profile", who: "user" },
    fields: { ...names, phone: "030 1", company: "Vending" },
    columns: ["first_name", "last_name", "phone", "company", ...changed],
    validator: profileValidator,
  },
  {
    ...{ name: "avatar", address: "/app/profile/avatar", who: "user" },
    fields: { avatarIcon: "music" },
    columns: ["avatar_icon", "avatar_id", ...changed],
    validator: avatarValidator,
  },
  {
    ...{ name: "older profile", address: "/app/user/edit", who: "user" },
    fields: { firstName: "Ada" },
    columns: ["first_name", ...changed],
    validator: accountValidator,
  },
  {
    ...{ name: "older contact", address: "/app/user/edit/profile", who: "user" },
    fields: { ...names, phone: "030 1" },
    columns: ["first_name", "last_name", "phone", ...changed],
    validator: contactValidator,
  },
  {
    ...{ name: "password", address: "/app/user/edit/password", who: "user" },
    fields: { currentPassword: "not the password", ...passwords },
    columns: [],
    validator: passwordChangeValidator("someone@example.com"),
    hasMoreRules: true,
  },
  {
    ...{ name: "API key", address: "/app/profile/api-key", who: "user" },
    fields: { days: "90", scope_read: "true", password: "" },
    columns: [],
    validator: apiKeyValidator,
  },
  {
    ...{ name: "session", address: "/app/profile", who: "user", intent: "end-session" },
    fields: { session: "00000000-0000-4000-8000-000000000000" },
    columns: [],
  },
  {
    ...{ name: "authenticator app", address: "/app/profile/second-factor", who: "user" },
    ...{ intent: "confirm", fields: { code: "000000", password: "" }, columns: [] },
    validator: codeValidator,
    hasMoreRules: true,
  },
  {
    ...{ name: "new passkey", address: "/app/profile/second-factor/passkey", who: "user" },
    ...{ intent: "start", fields: { name: "Phone", password: "" }, columns: [] },
  },
  {
    ...{ name: "passkey's answer", address: "/app/profile/second-factor/passkey", who: "user" },
    ...{ intent: "add", fields: { name: "Phone", credential: "{}" }, columns: [] },
  },
  {
    ...{ name: "passkey's removal", address: "/app/profile/second-factor", who: "user" },
    ...{ intent: "removePasskey", fields: { passkey: "1" }, columns: [] },
  },
  {
    ...{ name: "new user", address: "/app/user/new", who: "admin" },
    ...{ fields: { ...userFields, password: "" }, columns: [] },
    validator: newUserValidator,
  },
  {
    ...{ name: "user", address: "/app/users/:id/edit", who: "admin", intent: "save" },
    fields: { ...userFields, password: "" },
    columns: ["email", "first_name", "last_name", "phone", "role", ...changed],
    validator: editUserValidator,
  },
  {
    ...{ name: "sign-in", address: "/login", who: "visitor" },
    fields: { email: ":new@example.com", password: "wrong", restored: "[]" },
    columns: [],
  },
  {
    ...{ name: "second step", address: "/login", who: "visitor", intent: "code" },
    ...{ fields: { code: "000000", trust: "true" }, columns: [] },
  },
  {
    ...{ name: "sign-in by passkey", address: "/login", who: "visitor", intent: "passkey" },
    ...{ fields: { credential: "{}", second_step: "true" }, columns: [] },
  },
  {
    ...{ name: "forgotten password", address: "/password-reset", who: "visitor" },
    ...{ fields: { email: ":new@example.com" }, columns: [] },
  },
  {
    ...{ name: "invitation", address: "/invitation", who: "visitor" },
    ...{ fields: passwords, columns: [] },
  },
  {
    ...{ name: "verification", address: "/verify-email", who: "visitor" },
    ...{ fields: { token: "vql_" }, columns: [] },
  },
  {
    ...{ name: "sign-up", address: "/signup", who: "visitor" },
    ...{ fields: { ...names, email: ":new@example.com", ...passwords }, columns: [] },
  },
];
