import { isLongerThan, isStorableText } from "../../forms/storable-text";

/** A system that redeems codes: a vending platform, a till (rulings 2.4, security T16). */
export type Integration = {
  id: string;
  name: string;
  createdAt: Date;
  /** Keys that are neither revoked nor expired. */
  activeKeys: number;
  /** Of any of its keys; null is never. */
  lastUsedAt: Date | null;
};

export type IntegrationKey = {
  id: string;
  lastFour: string;
  /** The one machine it is bound to; null: any. */
  machine: { serialNumber: string; humanName: string } | null;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute; null is never. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  state: "active" | "expired" | "revoked";
};

export const maxIntegrationNameLength = 200;
export const maxKeyDays = 365;
/** A fleet may have a key for each machine, and each key a successor for a while. */
export const maxActiveKeys = 5_000;
export const maxIntegrations = 500;

/** The sentence about a name, without blanks around it; null when it may be used. */
export function integrationNameError(name: string): string | null {
  if (name === "") return "Name is required";
  if (!isStorableText(name)) return "Name contains characters that cannot be stored";
  if (isLongerThan(name, maxIntegrationNameLength)) return "Name cannot exceed 200 characters";
  return null;
}
