/** Scopes and periods of API keys: their maker chooses both. Each call of the API names its scope. */
import * as z from "zod/mini";
import { choice, formRule, tick } from "../../forms/fields";

export const keyScopes = {
  read: "Read codes, machines, transactions, events and alerts",
  promotions: "Create, change and delete codes",
  machines: "Assign machines and groups to codes, import machines and groups",
  users: "Manage users; of admins only names and phone, of its own user nothing",
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

type ScopeField = `scope_${KeyScope}`;
type Ticks = Record<ScopeField, boolean>;

const fieldOf = (scope: KeyScope): ScopeField => `scope_${scope}`;

const scopeFields = names.map(fieldOf);

/** The boxes, for a form's schema. */
export const scopeTicks = Object.fromEntries(scopeFields.map((field) => [field, tick])) as Record<
  ScopeField,
  typeof tick
>;

/** Returns the default values of a form's boxes. */
export function tickScopes(scopes: readonly KeyScope[]): Partial<Ticks> {
  return Object.fromEntries(scopes.map((scope) => [fieldOf(scope), true]));
}

export function tickedScopes(ticks: Ticks): KeyScope[] {
  return names.filter((scope) => ticks[fieldOf(scope)]);
}

/** Requires one of the boxes to be ticked; the message is that of the first. */
export const hasScope = formRule<Ticks>(scopeFields[0]!, [], (ticks) =>
  tickedScopes(ticks).length > 0 ? null : "Choose what the key may do",
);
