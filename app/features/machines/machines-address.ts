import { paths } from "../../paths";

const longest = 2_000;
/** Parameters of one navigation, or of a request for data. */
const passing = ["f", "_data", "index"];

/**
 * The list of machines as it is for this search, of an address or of a form's field; the plain list
 * where that is nonsense.
 */
export function machinesAddress(search: unknown): string {
  return `${paths.machines}${listSearch(search)}`;
}

/** The same for the dialog over it in which an admin confirms that machines are gone. */
export function confirmationAddress(search: string): string {
  return `${paths.machinesConfirmation}${listSearch(search)}`;
}

function listSearch(search: unknown): string {
  if (typeof search !== "string" || !search.startsWith("?") || search.length > longest) return "";
  const params = new URLSearchParams(search);
  for (const name of passing) params.delete(name);
  return params.size > 0 ? `?${params}` : "";
}
