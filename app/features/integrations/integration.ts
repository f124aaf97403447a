import * as z from "zod/mini";
import { canBeSerial } from "../machines/machine";
import { daysChoice, describeScopes, scopesChoice, type KeyScope } from "../sign-in/key-scopes";
import { formatDate, formatDateTime } from "../../format/date";
import { countOf, formatNumber } from "../../format/number";
import { nameText, numberBetween, tick, trimmedText } from "../../forms/fields";
import { formValidator } from "../../forms/form-validator";

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
  /** Whether it has a successor. */
  isRenewed: boolean;
  /** Whether it ends within 14 days without a successor. */
  endsSoon: boolean;
  /** Redemptions in a minute of codes that don't exist, after which the key is throttled. */
  maxFailedLookups: number;
  scopes: KeyScope[];
  isTest: boolean;
};

/** A key that was throttled, because too many codes that don't exist were sent with it. */
export type ThrottledKey = {
  id: string;
  lastFour: string;
  integrationId: string;
  integrationName: string;
  lastAt: Date;
  /** How often in a day. */
  count: number;
  /** Failed lookups in a minute that it had the last time. */
  limit: number;
};

/** Keys of an integration that end within 14 days without a successor. */
export type EndingKeys = {
  integrationId: string;
  integrationName: string;
  count: number;
  /** When the first of them ends. */
  endsAt: Date;
  /** Belongs to the key that ends first. */
  lastFour: string;
};

/** A key that is used although it can't be; unknown ones are one, without id and name. */
export type RefusedKey = {
  id: string | null;
  lastFour: string | null;
  integrationId: string | null;
  integrationName: string | null;
  isRevoked: boolean;
  /** Times within a day. */
  requests: number;
  /** How many clients are known, and the one that asks most; null if none is. */
  addresses: number;
  address: string | null;
};

/** Bounds of a key's `maxFailedLookups`; a new key has the first. */
export const failedLookupLimits = [300, 10_000] as const;
/** At one machine, for every key. */
export const maxFailedLookupsAtMachine = 30;

export const maxKeyDays = 365;
/** Enough for a key for each machine of a fleet, each with a successor for a while. */
export const maxActiveKeys = 5_000;
export const maxIntegrations = 500;

export const keyStateLabels = {
  active: "Active",
  ending: "Ends soon",
  renewed: "Renewed",
  expired: "Expired",
  revoked: "Revoked",
};

function labelledState({
  state,
  endsSoon,
  isRenewed,
}: IntegrationKey): keyof typeof keyStateLabels {
  if (state !== "active") return state;
  return isRenewed ? "renewed" : endsSoon ? "ending" : "active";
}

export type IntegrationView = ReturnType<typeof toIntegrationView>;

export function toIntegrationView(integration: Integration, timeZone: string) {
  const { id, name, activeKeys, lastUsedAt, createdAt } = integration;
  return {
    id,
    name,
    activeKeys,
    lastUsed: lastUsedAt ? formatDateTime(lastUsedAt, timeZone) : "Never",
    created: formatDate(createdAt, timeZone),
  };
}

export type KeyView = ReturnType<typeof toKeyView>;

export function toKeyView(key: IntegrationKey, timeZone: string) {
  return {
    id: key.id,
    name: keyName(key),
    machine: key.machine,
    isTest: key.isTest,
    created: formatDate(key.createdAt, timeZone),
    expires: formatDateTime(key.expiresAt, timeZone),
    lastUsed: key.lastUsedAt ? formatDateTime(key.lastUsedAt, timeZone) : "Never",
    state: labelledState(key),
    isActive: key.state === "active",
    canRenew: key.state !== "revoked" && !(key.state === "expired" && key.isRenewed),
    scopes: describeScopes(key.scopes),
    limit: formatNumber(key.machine ? maxFailedLookupsAtMachine : key.maxFailedLookups),
    // A key of one machine is throttled there long before.
    canChangeLimit: key.state === "active" && key.machine === null && key.scopes.includes("redeem"),
  };
}

export function toThrottleView(key: ThrottledKey, timeZone: string) {
  const { integrationId, integrationName, count } = key;
  const limit = formatNumber(key.limit);
  return {
    integrationId,
    message:
      `The key ${keyName(key)} of "${integrationName}" was throttled for up to a minute at ${formatDateTime(key.lastAt, timeZone)}, ` +
      `because ${limit} redemptions with it in one minute named codes that don't exist. ` +
      (count > 1 ? `This happened ${formatNumber(count)} times in the last 24 hours. ` : "") +
      "If somebody is guessing codes, revoke the key. If a system is set up wrongly, correct it or raise the key's limit.",
  };
}

export function describeEnding(ending: EndingKeys, timeZone: string): string {
  const { integrationName, count, endsAt } = ending;
  const time = formatDateTime(endsAt, timeZone);
  const keys =
    count === 1
      ? `The key ${keyName(ending)} of "${integrationName}" ends on ${time}.`
      : `${formatNumber(count)} keys of "${integrationName}" end within 14 days, the first (${keyName(ending)}) at ${time}.`;
  return `${keys} Renew ${count === 1 ? "it" : "them"} before then.`;
}

export function describeRefusedKey(key: RefusedKey): string {
  const { id, integrationName, isRevoked, requests, addresses, address } = key;
  const others =
    addresses === 2 ? "another address" : `${formatNumber(addresses - 1)} other addresses`;
  const from = address === null ? "" : ` from ${address}${addresses > 1 ? ` and ${others}` : ""}`;
  const subject =
    id === null
      ? "Unknown keys are used"
      : `${isRevoked ? "A revoked" : "An ended"} key is still used: ${keyName({ lastFour: key.lastFour ?? "" })} of "${integrationName}"`;
  return `${subject}: ${countOf(requests, "request")} in a day${from}.`;
}

/** The part of a key that stays visible after it was shown: 'vqm_…3fK9', of a test key 'vqt_…3fK9'. */
export function keyName({
  lastFour,
  isTest = false,
}: Pick<IntegrationKey, "lastFour"> & { isTest?: boolean }): string {
  return `${isTest ? "vqt" : "vqm"}_…${lastFour}`;
}

export const integrationSchema = z.object({ name: nameText() });

export const integrationValidator = formValidator(integrationSchema);

export const keyValidator = formValidator(
  z.pipe(
    z.object({
      machine: trimmedText.check(
        z.refine(
          (serial) => serial === "" || canBeSerial(serial),
          "No machine has this serial number",
        ),
      ),
      days: daysChoice,
      test_key: tick,
      scopes: scopesChoice,
    }),
    // Without a serial number the key is for any machine.
    z.transform(({ machine, days, test_key: isTest, scopes }) => ({
      machineSerial: machine || null,
      days,
      isTest,
      scopes,
    })),
  ),
);

export const limitSchema = z.object({ limit: numberBetween("Limit", ...failedLookupLimits) });

export const limitValidator = formValidator(limitSchema);
