/** Scopes and periods of API keys: their maker chooses both. Each call of the API names its scope. */
import { postedTick } from "../../forms/validator";

export const keyScopes = {
  read: "Read promotions, machines and transactions",
  promotions: "Create, change and delete promotions",
  machines: "Assign machines and groups to promotions",
  users: "Manage users; of admins only names and phone, of its own user nothing",
  redeem: "Redeem codes and roll back redemptions",
};

export type KeyScope = keyof typeof keyScopes;

const shortNames: Record<KeyScope, string> = {
  read: "Read",
  promotions: "Change promotions",
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

export function daysError(days: string): string | null {
  return Object.hasOwn(keyDays, days) ? null : "Choose how long the key is valid";
}

type ScopeField = `scope_${KeyScope}`;
type Ticks = Record<ScopeField, boolean>;

const fieldOf = (scope: KeyScope): ScopeField => `scope_${scope}`;

export const scopeFields = names.map(fieldOf);

/** Readers of the boxes, for a form's schema. */
export const scopeTicks = Object.fromEntries(
  scopeFields.map((field) => [field, postedTick]),
) as Record<ScopeField, typeof postedTick>;

/** Returns the default values of a form's boxes. */
export function tickScopes(scopes: readonly KeyScope[]): Partial<Ticks> {
  return Object.fromEntries(scopes.map((scope) => [fieldOf(scope), true]));
}

export function tickedScopes(ticks: Ticks): KeyScope[] {
  return names.filter((scope) => ticks[fieldOf(scope)]);
}

/** Returns a message for the first of the boxes if none is ticked. */
export function scopesError(ticks: Ticks): Record<string, string | null> {
  const hasOne = tickedScopes(ticks).length > 0;
  return { [scopeFields[0]!]: hasOne ? null : "Choose what the key may do" };
}
