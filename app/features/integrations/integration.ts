import { isLongerThan, isStorableText } from "../../forms/storable-text";

/** A system that redeems codes: a vending platform, a till. */
export type Integration = {
  id: string;
  name: string;
  createdAt: Date;
  /** Keys that are neither revoked nor expired. */
  activeKeys: number;
  /** When any of its keys was last used; null is never. */
  lastUsedAt: Date | null;
};

export type IntegrationKey = {
  id: string;
  lastFour: string;
  /** The machine it is bound to; null is any. */
  machine: { serialNumber: string; humanName: string } | null;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute; null is never. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  state: "active" | "expired" | "revoked";
};

const maxIntegrationNameLength = 200;
export const maxKeyDays = 365;
/** Enough for a key for each machine of a fleet, each with a successor for a while. */
export const maxActiveKeys = 5_000;
export const maxIntegrations = 500;

/** Returns the message about a trimmed name, or null if it is valid. */
export function integrationNameError(name: string): string | null {
  if (name === "") return "Name is required";
  if (!isStorableText(name)) return "Name contains characters that cannot be stored";
  if (isLongerThan(name, maxIntegrationNameLength)) return "Name cannot exceed 200 characters";
  return null;
}
