import { countOf, formatNumber } from "./number";

export const discountTypeLabels = { percentage: "Percentage", free_drink: "Free drink" };

export function formatDiscount(type: "percentage" | "free_drink", value: number): string {
  if (type === "percentage") return `${value}%`;
  return countOf(value, "drink");
}

/** null is 'Unlimited'. */
export function formatUsesLeft(remainingUses: number | null): string {
  return remainingUses === null ? "Unlimited" : formatNumber(remainingUses);
}

/** Sets a dash after each four characters: XXXX-XXXX-XXXX. */
export function formatCode(code: string): string {
  return code.replace(/(.{4})(?=.)/g, "$1-");
}

/** 'all 1,000 codes', for an action on them. */
export function allCodes(count: number): string {
  return `${count > 1 ? "all " : ""}${formatCodes(count)}`;
}

/** 'number 3' or 'numbers 3 to 9': places of codes in the archive. */
export function formatPlaces({ from, to }: { from: number; to: number }): string {
  return from === to
    ? `number ${formatNumber(from)}`
    : `numbers ${formatNumber(from)} to ${formatNumber(to)}`;
}

export function formatCodes(count: number): string {
  return countOf(count, "code");
}
