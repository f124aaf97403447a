import { formatDate, formatDateTime } from "../../format/date";
import type { Integration, IntegrationKey } from "./integration";

export const keyStateLabels: Record<IntegrationKey["state"], string> = {
  active: "Active",
  expired: "Expired",
  revoked: "Revoked",
};

export type IntegrationView = ReturnType<typeof toIntegrationView>;

/** @param timeZone the site's IANA zone */
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

/** @param timeZone the site's IANA zone */
export function toKeyView(key: IntegrationKey, timeZone: string) {
  return {
    id: key.id,
    name: keyName(key),
    machine: key.machine,
    created: formatDate(key.createdAt, timeZone),
    expires: formatDateTime(key.expiresAt, timeZone),
    lastUsed: key.lastUsedAt ? formatDateTime(key.lastUsedAt, timeZone) : "Never",
    state: key.state,
  };
}

/** The part of a key that stays visible after it was shown: 'vqm_…3fK9'. */
export function keyName({ lastFour }: Pick<IntegrationKey, "lastFour">): string {
  return `vqm_…${lastFour}`;
}
