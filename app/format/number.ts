const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** 1234 → '1,234'. */
export function formatNumber(value: number): string {
  return grouped.format(value);
}

/** Cents → dollars with two decimals: 1250 → '$12.50'. */
export function formatMoney(cents: number): string {
  return dollars.format(cents / 100);
}

/** A total that stops counting at a cap: '10,000+'. */
export function formatCount(total: { count: number; isCapped: boolean }): string {
  return formatNumber(total.count) + (total.isCapped ? "+" : "");
}
