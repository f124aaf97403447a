/** The columns of the list that may be hidden (core §2); name and actions are always there. */
export const listColumns = {
  created: "Created",
  type: "Type",
  discountType: "Discount type",
  discount: "Discount/Free",
  expiration: "Expiration",
  oneTime: "One-time",
  renewable: "Renewable",
  used: "Used",
  usesLeft: "Uses left",
  status: "Status",
} as const;
export type ListColumn = keyof typeof listColumns;

const names = Object.keys(listColumns) as ListColumn[];

/** 'type.used' hides two, '-' none. Null when a column is not known. */
export function parseHidden(text: string): ListColumn[] | null {
  if (text === "-") return [];
  const asked = text.split(".");
  const known = names.filter((name) => asked.includes(name));
  return known.length === new Set(asked).size ? known : null;
}

export function formatHidden(hidden: readonly ListColumn[]): string {
  return hidden.length > 0 ? hidden.join(".") : "-";
}

/** @param shown what a form with a box for each column posted */
export function hiddenWithout(shown: readonly unknown[]): ListColumn[] {
  return names.filter((name) => !shown.includes(name));
}
