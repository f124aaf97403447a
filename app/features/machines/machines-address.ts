import { pageSearch } from "../../forms/list";
import { paths } from "../../paths";

const maxSearchLength = 2_000;

/**
 * Returns the URL of the list of machines with a query string that a URL or a form field holds; the
 * plain list if that is no query string.
 */
export function machinesAddress(search: unknown): string {
  return `${paths.machines}${listSearch(search)}`;
}

/** Returns the URL of the dialog over the list in which an admin confirms that machines are gone. */
export function confirmationAddress(search: string): string {
  return `${paths.machinesConfirmation}${listSearch(search)}`;
}

function listSearch(search: unknown): string {
  if (typeof search !== "string" || !search.startsWith("?") || search.length > maxSearchLength)
    return "";
  return pageSearch(new URLSearchParams(search));
}
