/** Scopes and periods of API keys: their maker chooses both. Each call of the API names its scope. */
import * as z from "zod/mini";
import { choice, texts } from "../../forms/fields";

export const keyScopes = {
  read: "Read codes, machines, transactions, events and alerts",
  promotions: "Create, change and delete codes",
  machines: "Assign machines and groups to codes, import machines and groups",
  users: "Manage users, except your own; of admins, only names and phone",
  redeem: "Redeem codes and roll back redemptions",
};

export type KeyScope = keyof typeof keyScopes;

const shortNames: Record<KeyScope, string> = {
  read: "Read",
  promotions: "Change codes",
  machines: "Assign machines",
  users: "Manage users",
  redeem: "Redeem",
};

/** Describes scopes in short: 'Read, Redeem'. */
export function describeScopes(scopes: readonly KeyScope[]): string {
  return scopes.map((scope) => shortNames[scope]).join(", ");
}

const names = Object.keys(keyScopes) as KeyScope[];

/** Scopes of a person's own key; `users` is for admins. */
export function ownScopes(isAdmin: boolean): KeyScope[] {
  return names.filter((scope) => scope !== "redeem" && (isAdmin || scope !== "users"));
}

/** The validity of a key, in days; the last is the longest that there is. */
export const keyDays = { "30": "30 days", "90": "90 days", "180": "180 days", "365": "1 year" };

export const daysChoice = z.pipe(
  choice(keyDays, "Choose how long the key is valid"),
  z.transform(Number),
);

/** The scopes that are ticked for a new key, in their order. */
export const scopesChoice = z
  .pipe(
    texts,
    z.transform((ticked) => names.filter((scope) => ticked.includes(scope))),
  )
  .check(z.refine((scopes) => scopes.length > 0, "Choose what the key may do"));
