/** What the buttons of 'Manage Machines' say to the server, and it to them (core §8). */

export const addIntent = "add";
export const unassignAllIntent = "unassign-all";
export const refreshIntent = "refresh";
export const removeIntent = (serialNumber: string) => `remove:${serialNumber}`;

export function removedSerial(intent: string): string | null {
  return intent.startsWith("remove:") ? intent.slice("remove:".length) : null;
}

/** Fields of the dialog's form; `inPlace` is sent by scripts, which want no other page. */
export const fieldNames = {
  search: "machine_search",
  machines: "machines",
  question: "question",
  inPlace: "in_place",
} as const;

export const successOf = (intent: string): string => {
  if (intent === addIntent) return "Machines successfully added";
  if (intent === unassignAllIntent) return "All machines successfully unassigned";
  return intent === refreshIntent ? "Data refreshed successfully" : "Machine successfully removed";
};

/** For what has no sentence of its own. */
export const failureOf = (intent: string): string => {
  if (intent === addIntent) return "Error adding machines";
  if (intent === unassignAllIntent) return "Error removing all machines";
  return intent === refreshIntent ? "Failed to refresh machines list" : "Error removing machine";
};

export type DialogAnswer = {
  kind: "success" | "warning" | "error";
  text: string;
};

/** The query string of the list behind the dialog. */
export function listSearchOf(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of [...Object.values(fieldNames), "f", "_data", "index"]) params.delete(name);
  return params.size > 0 ? `?${params}` : "";
}
