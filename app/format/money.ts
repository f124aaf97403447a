import { formatNumber } from "./number";

/** A currency as the site writes it. Amounts have two decimals. */
export type Currency = { symbol: string; place: "before" | "after" };

/** Formats cents: 150 → '$1.50', 'CHF 1.50' or '1.50 €', with a no-break space. */
export function formatCents(cents: number, { symbol, place }: Currency): string {
  const rounded = Math.round(Math.abs(cents));
  const amount = `${formatNumber(Math.floor(rounded / 100))}.${(rounded % 100).toString().padStart(2, "0")}`;
  const space = place === "after" || /\p{L}$/u.test(symbol) ? "\u00a0" : "";
  const words = place === "after" ? amount + space + symbol : symbol + space + amount;
  return cents < 0 ? `-${words}` : words;
}

/** Writes cents as a plain number with two decimals, for other programs: 150 → '1.50'. */
export function decimalAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}
