const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats cents: 150 → '$1.50', 1000000 → '$10,000.00'. */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100);
}

/** Cents as a plain number of dollars with two decimals, for other programs: 150 → '1.50'. */
export function decimalDollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
