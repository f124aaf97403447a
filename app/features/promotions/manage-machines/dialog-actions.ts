/** What the buttons of 'Manage Machines' say to the server, and it to them (core §8). */

export const addIntent = "add";
export const unassignAllIntent = "unassign-all";
export const refreshIntent = "refresh";
export const removeIntent = (serialNumber: string) => `remove:${serialNumber}`;
export const removeGroupIntent = (groupId: string) => `remove-group:${groupId}`;

export function removedSerial(intent: string): string | null {
  return intent.startsWith("remove:") ? intent.slice("remove:".length) : null;
}

export function removedGroup(intent: string): string | null {
  return intent.startsWith("remove-group:") ? intent.slice("remove-group:".length) : null;
}

/** Fields of the dialog's form; `inPlace` is sent by scripts, which want no other page. */
export const fieldNames = {
  search: "machine_search",
  machines: "machines",
  groups: "groups",
  question: "question",
  inPlace: "in_place",
} as const;

/** Serial numbers, and ids of groups. */
export type Ticked = { machines: readonly string[]; groups: readonly string[] };

export const successOf = (intent: string, { machines, groups }: Ticked): string => {
  if (intent === addIntent) {
    if (groups.length === 0) return "Machines successfully added";
    return machines.length === 0
      ? "Groups successfully added"
      : "Machines and groups successfully added";
  }
  if (intent === unassignAllIntent) return "All machines successfully unassigned";
  if (intent === refreshIntent) return "Data refreshed successfully";
  return removedGroup(intent) === null
    ? "Machine successfully removed"
    : "Group successfully removed";
};

/** For what has no sentence of its own. */
export const failureOf = (intent: string): string => {
  if (intent === addIntent) return "Error adding machines";
  if (intent === unassignAllIntent) return "Error removing all machines";
  if (intent === refreshIntent) return "Failed to refresh machines list";
  return removedGroup(intent) === null ? "Error removing machine" : "Error removing group";
};

export type DialogAnswer = {
  kind: "success" | "warning" | "error";
  text: string;
};

/** What a post comes back with; without scripts it is the page, filled as it was. */
export type DialogReply = {
  answer: DialogAnswer | null;
  ticked: Ticked;
  search: string;
};

/** What is ticked in a posted form, or in an address. */
export function tickedIn(fields: FormData | URLSearchParams): {
  machines: string[];
  groups: string[];
} {
  return {
    machines: fields.getAll(fieldNames.machines).map(String),
    groups: fields.getAll(fieldNames.groups).map(String),
  };
}

/** The query string of the page behind the dialog. */
export function listSearchOf(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of [...Object.values(fieldNames), "f", "_data", "index"]) params.delete(name);
  return params.size > 0 ? `?${params}` : "";
}
