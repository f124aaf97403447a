/** Caps of a campaign (RULES U6). */
import { formatNumber } from "../../format/number";

const apiNames = {
  /** Redemptions in all. */
  uses: "uses",
  /** Redemptions on a day of the site's time zone. */
  usesPerDay: "uses_per_day",
  usesPerMachineAndDay: "uses_per_machine_and_day",
  /** Money given away in all. */
  money: "money",
  /** A vend below this price is refused. */
  lowestPrice: "lowest_price",
  /** A percentage is cut to it; a free drink that costs more is refused. */
  highestDiscount: "highest_discount",
} as const;

/** Limits of a campaign; null is without that one. Money is in cents. */
export type Caps = Record<keyof typeof apiNames, number | null>;

/** Sentences about the caps that a redemption can reach, by the name that its refusal has. */
export const reachedMessages = {
  uses: "This campaign has given all its uses.",
  uses_per_day: "This campaign has given all its uses of today.",
  uses_per_machine_and_day: "This campaign has given all its uses of today at this machine.",
  money: "This campaign has not enough money left.",
  highest_discount: "This drink costs more than the highest discount of this campaign.",
};
export type ReachableCap = keyof typeof reachedMessages;

/** The same caps in a few words, for lists. */
export const reachedLabels: Record<ReachableCap, string> = {
  uses: "uses in all",
  uses_per_day: "uses a day",
  uses_per_machine_and_day: "uses per machine and day",
  money: "money in all",
  highest_discount: "highest discount",
};

/** Returns the cap that every redemption of a campaign would pass now, or null. */
export function reachedCap(caps: Caps, use: CapUse): ReachableCap | null {
  if (caps.uses !== null && use.uses >= caps.uses) return "uses";
  if (caps.usesPerDay !== null && use.usesToday >= caps.usesPerDay) return "uses_per_day";
  return caps.money !== null && use.money >= caps.money ? "money" : null;
}

/** Uses and money that count towards a campaign's caps. */
export type CapUse = { uses: number; usesToday: number; money: number };

type ApiName = (typeof apiNames)[keyof Caps];

const names = Object.entries(apiNames) as [keyof Caps, ApiName][];

/** Caps as the API reads and answers them. */
export type ApiCaps = Record<ApiName, number | null>;

/** Makes a value for each cap, by the name that the API has for it. */
export function byApiName<Value>(valueOf: (cap: keyof Caps, name: ApiName) => Value) {
  const entries = names.map(([cap, name]) => [name, valueOf(cap, name)]);
  return Object.fromEntries(entries) as Record<ApiName, Value>;
}

export function toApiCaps(caps: Caps | null): ApiCaps | null {
  return caps && hasCaps(caps) ? byApiName((cap) => caps[cap]) : null;
}

export const noCaps = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ names.map(([cap]) => [cap, null]),
) as Caps;

/** @param existing the caps that keep what is left out */
export function fromApiCaps(sent: Partial<ApiCaps> | null, existing: Caps | null = null): Caps {
  if (sent === null) return noCaps;
  const kept = existing ?? noCaps;
  const entries = names.map(([cap, name]) => [
    cap,
    sent[name] === undefined ? kept[cap] : sent[name],
  ]);
  return Object.fromEntries(entries) as Caps;
}

/**
 * Writes the caps in words: 'at most 500 uses'.
 * @param formatMoney writes cents
 * @param use adds how much was used
 */
export function describeCaps(
  caps: Caps | null,
  formatMoney: (cents: number) => string,
  use: CapUse | null = null,
): string[] {
  if (!caps) return [];
  const used = (words: string | null) => (words === null ? "" : ` (${words})`);
  const { uses, usesPerDay, usesPerMachineAndDay, money, lowestPrice, highestDiscount } = caps;
  return [
    uses !== null && `at most ${formatUses(uses)}${used(use && `${formatNumber(use.uses)} used`)}`,
    usesPerDay !== null &&
      `${formatUses(usesPerDay)} a day${used(use && `${formatNumber(use.usesToday)} today`)}`,
    usesPerMachineAndDay !== null && `${formatUses(usesPerMachineAndDay)} per machine and day`,
    money !== null &&
      `${formatMoney(money)} in all${used(use && `${formatMoney(use.money)} given`)}`,
    lowestPrice !== null && `price at least ${formatMoney(lowestPrice)}`,
    highestDiscount !== null && `discount at most ${formatMoney(highestDiscount)}`,
  ].filter((text) => text !== false);
}

const formatUses = (uses: number) => `${formatNumber(uses)} ${uses === 1 ? "use" : "uses"}`;

export function hasCaps(caps: Caps): boolean {
  return Object.values(caps).some((cap) => cap !== null);
}

/** Returns the caps that concern a single use; those of several uses together are left out. */
export function capsOfOneUse({ lowestPrice, highestDiscount }: Caps): Caps {
  return { ...noCaps, lowestPrice, highestDiscount };
}
